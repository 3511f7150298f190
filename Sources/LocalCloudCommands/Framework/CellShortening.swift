/// The ways to shorten cells of a table that is too wide, least loss first. Each retains the part that distinguishes
/// two cells.
///
/// Cells are recognized by their text: UUIDs, user record names, and times as ``Timestamp`` writes them.
enum CellShortening: CaseIterable {
  /// `E37E077C-9ACC-4377-A306-50C2D728BA69` becomes `E37E077C…`, also within a longer cell.
  case identifiers
  /// `2026-11-26T12:00:00.123Z` becomes `12:00:00Z` if that is today, `2026-11-26T12:00Z` otherwise.
  case times
  /// `2026-11-26T12:00Z` becomes `2026-11-26`.
  case dates

  /// - Parameter today: the date of today, for example `2026-11-27`.
  func shorten(_ cell: String, today: String) -> String {
    switch self {
    case .identifiers: Self.shortenIdentifiers(in: cell)
    case .times: Self.isTime(cell) ? Self.time(cell, today: today) : cell
    case .dates: Self.isTime(cell) ? String(cell.prefix(10)) : cell
    }
  }

  /// The smallest width of a cell with this text: times, also shortened ones, are never cut. 0 for other cells.
  static func smallestWidth(of cell: String) -> Int {
    isTime(cell) || isClockTime(cell) || isDate(cell) ? cell.utf8.count : 0
  }

  // MARK: Times

  private static func time(_ cell: String, today: String) -> String {
    cell.hasPrefix(today + "T") ? cell.dropFirst(11).prefix(8) + "Z" : cell.prefix(16) + "Z"
  }

  /// Whether the cell is a time like `2026-11-26T12:00:00.123Z`, or one without its seconds.
  private static func isTime(_ cell: String) -> Bool {
    matches(cell.prefix(16), "0000-00-00T00:00") && cell.last == "Z"
      && cell.dropFirst(16).dropLast().utf8.allSatisfy {
        isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
      }
  }

  private static func isClockTime(_ cell: String) -> Bool { matches(cell[...], "00:00:00Z") }
  private static func isDate(_ cell: String) -> Bool { matches(cell[...], "0000-00-00") }

  /// Whether the text has a digit where the pattern has `0`, and the pattern's characters elsewhere.
  private static func matches(_ text: Substring, _ pattern: String) -> Bool {
    text.utf8.count == pattern.utf8.count
      && zip(text.utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  // MARK: Identifiers

  private static let shownDigits = 8

  private static func shortenIdentifiers(in cell: String) -> String {
    if cell.utf8.count < 33 || !cell.utf8.allSatisfy(UTF8.isASCII) { return cell }
    let bytes = Array(cell.utf8)
    if isUserRecordName(bytes) { return cell.prefix(1 + shownDigits) + "…" }
    var result = ""
    var index = 0
    while index < bytes.count {
      if isUUID(bytes[index...]), index == 0 || !isHexadecimal(bytes[index - 1]) {
        result += String(decoding: bytes[index..<index + shownDigits], as: UTF8.self) + "…"
        index += uuidLength
      } else {
        result.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        index += 1
      }
    }
    return result
  }

  private static let uuidLength = 36
  private static let uuidHyphens: Set = [8, 13, 18, 23]

  private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count >= uuidLength
      && bytes.prefix(uuidLength).enumerated().allSatisfy { offset, byte in
        uuidHyphens.contains(offset) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
      }
  }

  private static func isUserRecordName(_ bytes: [UInt8]) -> Bool {
    bytes.count == 33 && bytes[0] == UInt8(ascii: "_") && bytes.dropFirst().allSatisfy(isHexadecimal)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }
}
