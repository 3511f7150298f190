/// The reason and position of an error in a format. The text is safe to print, whatever the format contains.
package struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message, usually with the expected and the found token.
  package let message: String
  /// The offset in bytes of UTF-8, from 0.
  package let offset: Int
  /// The line, from 1.
  package let line: Int
  /// The column in Unicode scalars, from 1.
  package let column: Int
  /// The text of Foundation's exception.
  package let reason: String

  package var description: String { "line \(line), column \(column): \(message)" }

  init(_ message: String, at offset: Int, in bytes: [UInt8], reason: String? = nil) {
    self.message = message
    self.offset = offset
    self.reason = reason ?? "Unable to parse the format string \"\(String(decoding: bytes, as: UTF8.self))\""
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
