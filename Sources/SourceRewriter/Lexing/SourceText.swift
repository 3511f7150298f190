/// The text of a file, by offsets in UTF-8.
package struct SourceText: Sendable {
  package let bytes: [UInt8]
  /// Where each line begins.
  private let lines: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lines = [0]
    for (offset, byte) in bytes.enumerated() {
      let isCarriageReturn = byte == UInt8(ascii: "\r") && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A)
      if byte == UInt8(ascii: "\n") || isCarriageReturn { lines.append(offset + 1) }
    }
    self.lines = lines
  }

  package subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Line and column of an offset, from 1; columns count bytes, as the compiler's do.
  package func position(_ offset: Int) -> (line: Int, column: Int) {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - lines[low] + 1)
  }
}
