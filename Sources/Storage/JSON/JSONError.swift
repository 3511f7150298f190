/// The reason why bytes are not JSON, and its position. The text is safe to print for any input.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package let message: String
  /// In bytes, from 0.
  package let offset: Int
  /// From 1.
  package let line: Int
  /// In characters (Unicode scalars) of the line, from 1.
  package let column: Int

  package var description: String { "line \(line), column \(column): \(message)" }

  init(_ message: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    self.message = message
    self.offset = offset
    var (line, column) = (1, 1)
    for byte in bytes[..<min(offset, bytes.count)] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}
