/// A point in time as apps represent it: a 64-bit number of seconds since the beginning of 2001.
///
/// In JSON it is a number of milliseconds since 1970, with enough digits to read the same bits again. A whole number of
/// milliseconds is an integer; smaller parts are a fraction. A `Double` of milliseconds since 1970 would not suffice:
/// its resolution is coarser than that of seconds since 2001.
package struct Moment: Hashable, Sendable {
  /// Zero has no sign.
  package let secondsSince2001: Double

  /// The milliseconds from 1970 to the beginning of 2001.
  private static let millisecondsTo2001: Int64 = 978_307_200_000

  package init(secondsSince2001 seconds: Double) {
    secondsSince2001 = seconds == 0 ? 0 : seconds
  }

  /// - Parameter milliseconds: since 1970. Beyond the year 287,000 they are rounded to the precision of the seconds.
  package init(milliseconds: Int64) {
    let (since2001, overflow) = milliseconds.subtractingReportingOverflow(Self.millisecondsTo2001)
    if !overflow, since2001.magnitude <= 1 << 53 {
      self.init(secondsSince2001: Double(since2001) / 1000)
    } else {
      self = Moment(milliseconds: "\(milliseconds)") ?? Moment(secondsSince2001: Double(milliseconds) / 1000)
    }
  }

  /// Nil if `text` is no number, or has more digits than any date.
  ///
  /// - Parameter text: a decimal number of milliseconds since 1970, rounded once.
  package init?(milliseconds text: String) {
    guard text.utf8.count <= Self.mostDigits, let number = ExactDecimal(text) else { return nil }
    self.init(secondsSince1970: number.shifted(-3))
  }

  package init?(secondsSince1970 number: ExactDecimal) {
    guard number.magnitude <= 400, number.exponent >= -Self.mostDigits,
      let seconds = (number + ExactDecimal(-Self.millisecondsTo2001 / 1000)).double
    else { return nil }
    self.init(secondsSince2001: seconds)
  }

  private static let mostDigits = 1200

  /// Whether a JSON number can express the date; most readers parse it as a `Double`.
  package var isStorable: Bool { secondsSince2001.magnitude <= 1e305 }

  // MARK: JSON

  package init?(_ json: JSONValue) {
    switch json {
    case .integer(let milliseconds): self.init(milliseconds: milliseconds)
    case .double(let milliseconds): self.init(milliseconds: "\(milliseconds)")
    case .decimal(let milliseconds): self.init(milliseconds: milliseconds)
    default: return nil
    }
  }

  package var json: JSONValue {
    let since2001 = (secondsSince2001 * 1000).rounded()
    if since2001.magnitude <= 0x1p53, since2001 / 1000 == secondsSince2001 {
      return .integer(Int64(since2001) + Self.millisecondsTo2001)
    }
    guard let number = secondsSince1970?.shifted(3).text else { return .null }
    return (try? JSONValue(parsing: number)) ?? .null
  }

  /// The exact sum, by the shortest text that reads as the seconds; nil if they are not a number.
  private var secondsSince1970: ExactDecimal? {
    ExactDecimal("\(secondsSince2001)").map { $0 + ExactDecimal(Self.millisecondsTo2001 / 1000) }
  }

  // MARK: For people

  /// `2026-01-31T12:00:00.000Z`, with more digits of the second where there are more; milliseconds since 1970 for years
  /// that are not written with four digits.
  package var text: String {
    // Counted from the year 0, so that the fraction counts forward.
    guard let time = secondsSince1970.map({ $0 + ExactDecimal(Self.secondsFromYearZero) }), !time.isNegative,
      let seconds = Int64(time.parts.whole), seconds < Self.secondsOfYears
    else { return "\(json)" }
    let fraction = time.parts.fraction
    let padding = String(repeating: "0", count: max(0, 3 - fraction.utf8.count))
    return Timestamp.text(seconds: seconds - Self.secondsFromYearZero, fraction: fraction + padding)
  }

  /// The seconds from the year 0 to 1970.
  private static let secondsFromYearZero: Int64 = 719_528 * 86400
  /// The seconds of the years from 0 to 9999.
  private static let secondsOfYears: Int64 = 3_652_425 * 86400
}
