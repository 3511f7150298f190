#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The maximum amount that is read from one file or stream.
///
/// Every function that reads a user's source to its end takes a limit: a device, a pipe or a file that grows may have
/// no end.
package struct ReadLimit: Equatable, Sendable {
  /// The number of bytes.
  package let bytes: Int
  /// The number of bytes without a line break; nil if lines have no limit of their own.
  package let lineBytes: Int?

  package init(bytes: Int, lineBytes: Int? = nil) {
    self.bytes = bytes
    self.lineBytes = lineBytes
  }

  /// A file that a program writes for programs, such as a cloud's marker.
  package static let marker = ReadLimit(bytes: 1 << 20)
  /// A text that is parsed in memory: a schema, the fields of a record, a data model, a Swift source.
  package static let text = ReadLimit(bytes: 16 << 20)
  /// A value of a record or an object.
  package static let value = ReadLimit(bytes: File.mostBytes)

  /// Concatenates the parts that `next` returns, up to an empty one. `path`: the name of the source in errors.
  package func collect(_ path: String, _ next: () throws(SystemError) -> [UInt8]) throws(SystemError) -> [UInt8] {
    var result: [UInt8] = []
    try forEachPart(path, next) { (part) throws(SystemError) in result += part }
    return result
  }

  /// Calls `body` for the parts that `next` returns, up to an empty one. Throws as soon as they exceed the limit.
  package func forEachPart(
    _ path: String, _ next: () throws(SystemError) -> [UInt8], _ body: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    // `line`: the total size of the last parts without a line break.
    var (count, line) = (0, 0)
    while case let part = try next(), !part.isEmpty {
      count += part.count
      guard count <= bytes else { throw .tooLarge(path, limit: bytes) }
      if let lineBytes {
        line = Self.hasLineBreak(part) ? 0 : line + part.count
        guard line <= lineBytes else { throw .tooLongLine(path, limit: lineBytes) }
      }
      try body(part)
    }
  }
  private static func hasLineBreak(_ part: [UInt8]) -> Bool {
    part.withUnsafeBytes { buffer in
      buffer.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\n")), buffer.count) != nil } ?? false
    }
  }
}
