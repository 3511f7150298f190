import LocalCloudPlatform

/// Reads the lines of a file of any size, one at a time.
struct LineReader {
  /// The size limit, in bytes, of a line without its line break. It is far more than any record that a cloud accepts.
  static let mostBytes = 16 << 20

  struct Line {
    var position: ImportPosition
    var bytes: ArraySlice<UInt8>
  }

  /// Thrown for a line that is longer than ``mostBytes``.
  struct TooLong: Error {
    var position: ImportPosition
  }

  let file: File
  private var buffer: [UInt8] = []
  /// `start` is the offset of the next line in the buffer; `offset` is the offset of the buffer in the file.
  private var start = 0
  private var offset = 0
  private var number = 0

  init(_ file: File) { self.file = file }

  /// The number of bytes that were consumed.
  var position: Int { offset + start }

  /// The next line; nil at the end.
  mutating func next() throws -> Line? {
    var searched = start
    while true {
      let end = buffer.withUnsafeBufferPointer { bytes in
        (searched..<bytes.count).first { bytes[$0] == UInt8(ascii: "\n") }
      }
      if let end, end - start <= Self.mostBytes { return line(to: end, next: end + 1) }
      if buffer.count - start > Self.mostBytes {
        throw TooLong(position: .line(number + 1, offset: offset + start, count: 0))
      }
      buffer.removeFirst(start)
      offset += start
      start = 0
      searched = buffer.count
      let more = try file.read(at: offset + buffer.count, count: 1 << 18)
      if more.isEmpty { return buffer.isEmpty ? nil : line(to: buffer.count, next: buffer.count) }
      buffer += more
    }
  }

  private mutating func line(to end: Int, next: Int) -> Line {
    number += 1
    let bytes = buffer[start..<end]
    let position = ImportPosition.line(number, offset: offset + start, count: bytes.count)
    start = next
    return Line(position: position, bytes: bytes)
  }
}
