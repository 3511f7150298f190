import LocalCloudStorage

/// A line of a segment, read from the file without the index.
struct SegmentLine {
  /// The row's number; nil if the line does not tell it.
  var number: Int64?
  var isDeletion: Bool
  var offset: Int
  /// With the newline. The last line of a file that another program wrote may have none.
  var length: Int
  /// Nil for a line that is not JSON, has no number, or no newline.
  var value: JSONValue?

  /// Calls `body` with each line, damaged ones included.
  static func forEach(in bytes: [UInt8], _ body: (SegmentLine) throws -> Void) rethrows {
    var start = 0
    while start < bytes.count {
      let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      try body(SegmentLine(bytes[start..<(newline ?? bytes.count)], hasEnd: newline != nil))
      start = newline.map { $0 + 1 } ?? bytes.count
    }
  }

  /// `bytes`: without the newline.
  private init(_ bytes: ArraySlice<UInt8>, hasEnd: Bool) {
    offset = bytes.startIndex
    length = bytes.count + (hasEnd ? 1 : 0)
    if hasEnd, let value = try? JSONValue(parsing: bytes), let number = value["id"]?.integer, Self.isValid(number) {
      self.value = value
      self.number = number
      isDeletion = value["deleted"]?.bool == true
    } else {
      number = Self.leadingNumber(bytes)
      isDeletion = false
    }
  }

  private static func isValid(_ number: Int64) -> Bool { number > 0 && LogFile.sequences.contains(number) }

  /// The number of the row that a damaged line is about, if the line begins as lines of rows do:
  /// `{"id":12,`, `{"deleted":true,"id":12}` or `{"from":"Post/1","id":12,`.
  private static func leadingNumber(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let quote = UInt8(ascii: "\"")
    var rest = bytes
    func consume(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }
    guard consume("{") else { return nil }
    if !consume("\"deleted\":true,"), consume("\"from\":\"") {
      let text = rest.prefix { $0 != quote && $0 != UInt8(ascii: "\\") }
      rest = rest.dropFirst(text.count)
      guard consume("\",") else { return nil }
    }
    guard consume("\"id\":") else { return nil }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard consume(",") || consume("}"), let number = Int64(String(decoding: digits, as: UTF8.self)), isValid(number)
    else {
      return nil
    }
    return number
  }
}
