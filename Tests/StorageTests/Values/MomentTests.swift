import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

/// Compares dates in JSON with the bits of the apps' dates.
@Suite("Dates in JSON retain all bits")
struct MomentTests {
  private static func read(_ json: JSONValue) throws -> Moment? {
    Moment(try JSONValue(parsing: json.compact()))
  }

  @Test("40,000 random dates are read with the bits that were written, and written again in the same form")
  func randomDatesAreReadWithTheBits() throws {
    var random = SeededGenerator(seed: TestSeed.value(21))
    for round in 0..<40_000 {
      let seconds: Double
      switch round % 5 {
      // Dates of this century with any last bits.
      case 0: seconds = .random(in: -1e9...3e9, using: &random)
      // Whole nanoseconds since 1970, as clocks return them.
      case 1:
        seconds =
          Double.random(in: 0...4e9, using: &random).rounded() + .random(in: 0..<1, using: &random) - 978_307_200
      case 2: seconds = .random(in: -1e14...1e14, using: &random)
      case 3: seconds = .random(in: -1e-3...1e-3, using: &random)
      default:
        let any = Double(bitPattern: random.next())
        seconds = any.isFinite && any.magnitude <= 1e305 ? any : 0
      }
      let moment = Moment(secondsSince2001: seconds)
      let json = moment.json
      let read = try #require(try Self.read(json), "\(seconds)")
      guard read.secondsSince2001.bitPattern == moment.secondsSince2001.bitPattern, read.json == json else {
        Issue.record("round \(round): \(seconds) became \(json) and \(read.secondsSince2001)")
        return
      }
    }
  }

  @Test("dates at the limits are stored: tiny, huge, distant past and distant future")
  func datesAtTheLimitsAreStored() throws {
    let seconds: [Double] = [
      0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 0.1 + 0.2, 1e305, -1e305,
      -63_114_076_800, 63_113_904_000,
      -978_307_200,
      (-978_307_200 as Double).nextUp, (-978_307_200 as Double).nextDown, 0x1p53, 0x1p53 / 1000, (0x1p53 / 1000).nextUp,
    ]
    for number in seconds {
      let moment = Moment(secondsSince2001: number)
      #expect(moment.isStorable)
      #expect(try Self.read(moment.json)?.secondsSince2001.bitPattern == number.bitPattern, "\(number)")
    }
    #expect(Moment(secondsSince2001: -0.0) == Moment(secondsSince2001: 0))
    #expect(Moment(secondsSince2001: 0.30000000000000004).json == .decimal("978307200300.00000000000004"))
    #expect(Moment(secondsSince2001: -63_114_076_800).json == -62_135_769_600_000)
    for number in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e306] {
      #expect(!Moment(secondsSince2001: number).isStorable)
    }
  }

  @Test("whole milliseconds are written as integers, and read as the nearest seconds")
  func wholeMilliseconds() throws {
    var random = SeededGenerator(seed: TestSeed.value(22))
    for _ in 0..<50_000 {
      let milliseconds =
        Int64.random(in: -8_000_000_000_000_000...8_000_000_000_000_000, using: &random)
        >> Int.random(in: 0...40, using: &random)
      let moment = Moment(milliseconds: milliseconds)
      try #require(moment.json == .integer(milliseconds))
      let text = try #require(Moment(milliseconds: "\(milliseconds).0"))
      try #require(text == moment)
    }
    for milliseconds in [Int64.min, .max, .min + 1, 1 << 53, -(1 << 53)] {
      let moment = Moment(milliseconds: milliseconds)
      #expect(try Self.read(moment.json) == moment, "\(milliseconds)")
    }
  }

  @Test("a date's text has all digits and is read as the same bits")
  func momentTexts() throws {
    let texts: [(Double, String)] = [
      (0, "2001-01-01T00:00:00.000Z"), (721_692_800.1229999, "2023-11-14T22:13:20.1229999Z"),
      (-978_307_200.25, "1969-12-31T23:59:59.750Z"), (-63_114_076_800, "0000-12-30T00:00:00.000Z"),
      (1e-9, "2001-01-01T00:00:00.000000001Z"), (63_113_904_000, "4001-01-01T00:00:00.000Z"),
      (-978_307_200.0000001, "1969-12-31T23:59:59.9999999Z"), (1e15, "1000000978307200000"),
      (-1e15, "-999999021692800000"),
    ]
    for (seconds, text) in texts {
      #expect(Moment(secondsSince2001: seconds).text == text)
      let read = try Moment(milliseconds: text) ?? Timestamp.moment(text)
      #expect(read.secondsSince2001.bitPattern == seconds.bitPattern, "\(text)")
    }
    #expect(Moment(milliseconds: "1700000000122.9999")?.text == "2023-11-14T22:13:20.1229999Z")
    for text in ["1e999999999", "1e99999", "0x10", "1.", ".5", "--1", "", "1_000", "2026-01-01T00:00:00.Z"] {
      #expect(Moment(milliseconds: text) == nil, "\(text)")
      #expect(throws: Timestamp.Invalid.self, "\(text)") { try Timestamp.moment(text) }
    }
  }

  @Test("JSON values that are no dates are refused, also numbers that would take too long to compute")
  func jsonValuesThatAreNoDates() throws {
    let digits = String(repeating: "1", count: 5000)
    for text in ["\"x\"", "null", "true", "[]", "0.\(digits)", "1e-99999"] {
      let json = try JSONValue(parsing: text)
      let moment = Moment(json)
      #expect(moment == nil || moment?.secondsSince2001 == -978_307_200, "\(text)")
    }
    #expect(Moment(milliseconds: "1e100000") == nil)
    #expect(Moment(milliseconds: "-1e-99999999999") == nil)
    #expect(Moment(milliseconds: digits) == nil)
  }
}

@Suite("JSON numbers beyond 64 bits retain their digits")
struct DecimalNumberTests {
  @Test func kinds() throws {
    let texts: [(String, JSONValue)] = [
      ("1.50", .double(1.5)), ("1e2", .double(100)), ("0.1", .double(0.1)),
      ("-0.30000000000000004", .double(-0.30000000000000004)),
      ("48.208173950000000000", .double(48.20817395)), ("1E+19", .double(1e19)),
      ("5e-324", .double(.leastNonzeroMagnitude)),
      ("1700000000122.999", .double(1700000000122.999)), ("1700000000122.9999", .decimal("1700000000122.9999")),
      ("1700000000122.99991", .decimal("1700000000122.99991")),
      ("3.14159265358979323846", .decimal("3.14159265358979323846")), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .decimal("9223372036854775808")),
      ("-9223372036854775809", .decimal("-9223372036854775809")),
    ]
    for (text, value) in texts {
      let read = try JSONValue(parsing: text)
      #expect(read == value, "\(text)")
      #expect(try JSONValue(parsing: read.compact()) == read)
    }
    let pi = JSONValue.decimal("3.14159265358979323846")
    #expect(String(decoding: pi.compact(), as: UTF8.self) == "3.14159265358979323846")
    #expect(pi.double == .pi)
    #expect(pi.integer == nil)
    #expect(!pi.isWhole)
    #expect(JSONValue.decimal("18446744073709551615").isWhole)
    #expect(JSONValue.integer(1).isWhole)
    #expect(!JSONValue.double(1).isWhole)
  }

  @Test("20,000 sums of exact decimals equal the sums of integers")
  func sumsOfExactDecimalsEqualTheSums() {
    var random = SeededGenerator(seed: TestSeed.value(23))
    for _ in 0..<20_000 {
      let (one, other) = (
        Int64(truncatingIfNeeded: random.next()) >> 2,
        Int64(truncatingIfNeeded: random.next()) >> Int.random(in: 2...60, using: &random)
      )
      let sum = ExactDecimal(one) + ExactDecimal(other)
      #expect(sum.text == "\(one + other)")
      #expect(sum == ExactDecimal("\(one + other).000"))
      #expect((ExactDecimal(one).shifted(-5) + ExactDecimal(other).shifted(-5)).shifted(5) == sum)
    }
    #expect(ExactDecimal("1e3")?.text == "1000")
    #expect(ExactDecimal("-12.50e-3")?.text == "-0.0125")
    for text in ["", "-", "1.", ".1", "1e", "e1", "+1", "1e1.5", "1 ", "nan"] {
      #expect(ExactDecimal(text) == nil, "\(text)")
    }
  }
}
