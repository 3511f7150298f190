/// A point in time as apps have it, in 64 bits: seconds since the beginning of 2001.
///
/// JSON has it as milliseconds since 1970, with as many digits as it takes for the same bits to be read again. So a whole
/// millisecond is an integer, and what is below is behind the point. Milliseconds in a `Double` would not do: since 1970
/// there have been too many for it to tell as small parts of them as of seconds since 2001.
package struct Moment: Hashable, Sendable {
  /// Zero has no sign.
  package let secondsSince2001: Double

  /// Of the beginning of 2001, since 1970.
  private static let millisecondsTo2001: Int64 = 978_307_200_000

  package init(secondsSince2001 seconds: Double) {
    secondsSince2001 = seconds == 0 ? 0 : seconds
  }

  /// Since 1970. Those beyond the year 287,000 are rounded to what the seconds have bits for.
  package init(milliseconds: Int64) {
    let (since2001, overflow) = milliseconds.subtractingReportingOverflow(Self.millisecondsTo2001)
    if !overflow, since2001.magnitude <= 1 << 53 {
      self.init(secondsSince2001: Double(since2001) / 1000)
    } else {
      self = Moment(milliseconds: "\(milliseconds)") ?? Moment(secondsSince2001: Double(milliseconds) / 1000)
    }
  }

  /// A decimal number of them, rounded once. Nil for what is none, and for more digits than any date has.
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

  /// False for dates that no number of JSON says, which most readers have as a `Double`.
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

  /// By the shortest text that reads as the seconds; nil for no number.
  private var secondsSince1970: ExactDecimal? {
    ExactDecimal("\(secondsSince2001)").map { $0 + ExactDecimal(Self.millisecondsTo2001 / 1000) }
  }

  // MARK: For people

  /// `2026-01-31T12:00:00.000Z`, with more digits of the second where there are more; milliseconds since 1970 for years
  /// that are not written with four digits.
  package var text: String {
    // Counted from the year 0, so that what is behind the point counts forward.
    guard let time = secondsSince1970.map({ $0 + ExactDecimal(Self.secondsFromYearZero) }), !time.isNegative,
      let seconds = Int64(time.parts.whole), seconds < Self.secondsOfYears
    else { return "\(json)" }
    let fraction = time.parts.fraction
    let padding = String(repeating: "0", count: max(0, 3 - fraction.utf8.count))
    return Timestamp.text(seconds: seconds - Self.secondsFromYearZero, fraction: fraction + padding)
  }

  /// To 1970.
  private static let secondsFromYearZero: Int64 = 719_528 * 86400
  /// Of the years from 0 to 9999.
  private static let secondsOfYears: Int64 = 3_652_425 * 86400
}
