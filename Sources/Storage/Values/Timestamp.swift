import LocalCloudPlatform

/// Conversion between ISO 8601 texts and milliseconds since 1970.
///
/// Foundation's ISO 8601 style is not used: it accepts the 31st of February, 25 o'clock and any words after the date,
/// and prints 12:00:00.123 as .122. Here a text that is not exactly a valid time is rejected.
package enum Timestamp {
  package struct Invalid: Error, Equatable {
    package var reason: String
  }

  /// Parses ISO 8601: a date, or a date and a time down to milliseconds with `Z` or an offset. Returns milliseconds
  /// since 1970.
  package static func parse(_ text: String) throws(Invalid) -> Int64 {
    let (seconds, fraction) = try read(text, allowingLocal: false)
    guard fraction.count <= 3 else { throw Invalid(reason: "it has more than milliseconds") }
    return seconds * 1000 + (fraction + [0, 0, 0]).prefix(3).reduce(0) { $0 * 10 + Int64($1) }
  }

  /// Like ``parse(_:)``, with any number of fractional digits. Without an offset it is a time of the user's own time
  /// zone, if `allowingLocal` is true.
  package static func moment(_ text: String, allowingLocal: Bool = false) throws(Invalid) -> Moment {
    let (seconds, fraction) = try read(text, allowingLocal: allowingLocal)
    guard let moment = Moment(secondsSince1970: ExactDecimal(seconds) + ExactDecimal(fraction: fraction)) else {
      throw Invalid(reason: "it has more digits than any date")
    }
    return moment
  }

  private static func read(
    _ text: String, allowingLocal: Bool
  ) throws(Invalid) -> (secondsSince1970: Int64, fraction: [UInt8]) {
    var reader = Reader(text)
    guard
      let year = reader.number(digits: 4), reader.consume("-"), let month = reader.number(digits: 2),
      reader.consume("-"),
      let day = reader.number(digits: 2)
    else { throw invalid }
    guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day) else {
      throw Invalid(reason: "there is no such day")
    }
    var (hour, minute, second) = (0, 0, 0)
    var fraction: [UInt8] = []
    if reader.consume("T") || reader.consume("t") || reader.consume(" ") {
      guard let hours = reader.number(digits: 2), reader.consume(":"), let minutes = reader.number(digits: 2) else {
        throw invalid
      }
      (hour, minute) = (hours, minutes)
      if reader.consume(":") {
        guard let seconds = reader.number(digits: 2) else { throw invalid }
        second = seconds
        if reader.consume(".") { fraction = try digits(of: &reader) }
      }
      guard hour < 24, minute < 60, second < 60 else { throw Invalid(reason: "there is no such time of day") }
    }
    let offset = try offset(&reader)
    guard reader.isAtEnd else { throw invalid }
    if let offset {
      let day = daysSince1970(year, month, day) * 86400
      return (day + Int64(hour * 3600 + minute * 60 + second) - offset, fraction)
    }
    guard allowingLocal else {
      throw Invalid(reason: "the time zone is missing, as in 2026-01-31T12:00:00Z")
    }
    guard
      let local = secondsOfLocalTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { throw Invalid(reason: "there is no such local time") }
    return (local, fraction)
  }

  /// Like ``parse(_:)``; nil for an invalid text.
  package static func milliseconds(text: String) -> Int64? { try? parse(text) }

  /// `2026-01-31T12:00:00.000Z`
  package static func text(milliseconds: Int64) -> String {
    let seconds = floorDivide(milliseconds, 1000)
    return text(seconds: seconds, fraction: padded(Int(milliseconds &- seconds &* 1000), 3))
  }

  static func text(seconds: Int64, fraction: String) -> String {
    let days = floorDivide(seconds, 86400)
    let ofDay = Int(seconds - days * 86400)
    let (year, month, day) = date(daysSince1970: days)
    let sign = year < 0 ? "-" : ""
    return "\(sign)\(padded(abs(year), 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(ofDay / 3600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2)).\(fraction)Z"
  }

  // MARK: Parts

  private static let invalid = Invalid(reason: "expected a time such as 2026-01-31T12:00:00Z")

  private static func digits(of reader: inout Reader) throws(Invalid) -> [UInt8] {
    var result: [UInt8] = []
    while let digit = reader.number(digits: 1) { result.append(UInt8(digit)) }
    guard !result.isEmpty else { throw invalid }
    return result
  }

  private static func offset(_ reader: inout Reader) throws(Invalid) -> Int64? {
    if reader.consume("Z") || reader.consume("z") { return 0 }
    let isWest = reader.consume("-")
    guard isWest || reader.consume("+") else { return nil }
    guard let hours = reader.number(digits: 2) else { throw invalid }
    _ = reader.consume(":")
    guard let minutes = reader.number(digits: 2), hours < 24, minutes < 60 else { throw invalid }
    return Int64(hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(digits count: Int) -> Int? {
      let digits = rest.prefix(count)
      let zero = UInt8(ascii: "0")
      guard digits.count == count, digits.allSatisfy({ (zero...zero + 9).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1 - zero) }
    }
  }

  // MARK: The calendar

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Years that begin in March put the leap day last; 719468 days lie between March of year 0 and 1970.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let era = floorDivide(shifted, 400)
    let ofEra = shifted - era * 400
    let ofYear = Int64((153 * ((month + 9) % 12) + 2) / 5 + day - 1)
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let day = Int(ofYear - (153 * month + 2) / 5 + 1)
    let civil = Int(month < 10 ? month + 3 : month - 9)
    return (Int(year + era * 400) + (civil <= 2 ? 1 : 0), civil, day)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value + 1) / divisor - 1
  }

  private static func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
