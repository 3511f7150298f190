import Storage

/// A line of a segment, read from the file alone.
struct SegmentLine {
  var number: Int64
  var isDeletion: Bool
  var offset: Int
  /// With the newline.
  var length: Int

  /// Calls `body` with each whole line, and returns the end of the last one: bytes behind it were never committed.
  ///
  /// Throws ``StorageError/damaged(path:reason:)`` for a line that names no row.
  @discardableResult
  static func forEach(
    in bytes: [UInt8], path: String, _ body: (SegmentLine, JSONValue) throws -> Void
  ) throws -> Int {
    var start = 0
    while let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let value = try? JSONValue(parsing: bytes[start..<newline])
      guard let value, let number = value["id"]?.integer, number > 0, LogFile.sequences.contains(number) else {
        throw StorageError.damaged(path: path, reason: "the line at byte \(start) is not a row")
      }
      let line = SegmentLine(
        number: number, isDeletion: value["deleted"]?.bool == true, offset: start, length: newline + 1 - start)
      try body(line, value)
      start = newline + 1
    }
    return start
  }
}
