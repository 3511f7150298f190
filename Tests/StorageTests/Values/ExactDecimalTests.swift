import Testing

@testable import LocalCloudStorage

@Suite("Decimal numbers of any length")
struct ExactDecimalTests {
  @Test("a decimal number is written without an exponent and has the right magnitude")
  func decimalNumberIsWrittenWithoutAnExponent() throws {
    let texts: [(String, String, magnitude: Int)] = [
      ("0", "0", 0), ("-0", "0", 0), ("0.000", "0", 0), ("0e99999", "0", 0), ("-0.0e5", "0", 0), ("1", "1", 1),
      ("-1", "-1", 1), ("100", "100", 3), ("1e2", "100", 3), ("1E2", "100", 3), ("1e+2", "100", 3), ("12e-1", "1.2", 1),
      ("1e-2", "0.01", -1), ("0.10", "0.1", 0), ("-0.0500", "-0.05", -1), ("10.01", "10.01", 2), ("00012", "12", 2),
      ("123e-3", "0.123", 0), ("1230e-3", "1.23", 1), ("-1200e-4", "-0.12", 0),
    ]
    for (text, written, magnitude) in texts {
      let number = try #require(ExactDecimal(text), "\(text)")
      #expect(number.text == written, "\(text)")
      #expect(number.magnitude == magnitude, "\(text)")
      #expect(ExactDecimal(number.text) == number, "\(text)")
    }
  }

  @Test("only exponents of fewer than six digits are read")
  func onlyExponentsOfFewerThanSixDigits() {
    #expect(ExactDecimal("1e99999")?.exponent == 99_999)
    #expect(ExactDecimal("1e-99999")?.exponent == -99_999)
    for text in ["1e100000", "1e-100000", "1e99999999999999999999", "1e", "1e+", "1e-", "1e 5", "1e5x", "1f5"] {
      #expect(ExactDecimal(text) == nil, "\(text)")
    }
  }

  @Test("sums are exact for every pair of signs, for zeros at either end and for different lengths")
  func sumsAreExactForEveryPair() throws {
    let sums = [
      ("1", "-1", "0"), ("-1", "1", "0"), ("0", "-5", "-5"), ("-5", "0", "-5"), ("99", "1", "100"),
      ("-99", "-1", "-100"),
      ("100", "-1", "99"), ("1", "-100", "-99"), ("-100", "1", "-99"), ("5", "-7", "-2"), ("7", "-5", "2"),
      ("0.1", "0.2", "0.3"), ("0.5", "0.5", "1"), ("1e3", "1e-3", "1000.001"), ("1000", "-0.001", "999.999"),
      ("-1000", "0.001", "-999.999"), ("123.45", "-123.45", "0"), ("20", "-12", "8"), ("12", "-20", "-8"),
    ]
    for (one, other, sum) in sums {
      let (one, other) = (try #require(ExactDecimal(one)), try #require(ExactDecimal(other)))
      #expect((one + other).text == sum, "\(one.text) + \(other.text)")
      #expect((other + one).text == sum, "\(one.text) + \(other.text)")
    }
    #expect(ExactDecimal("-0") == ExactDecimal("0"))
    #expect(ExactDecimal("0")?.isNegative == false)
  }

  @Test("a number is split at its decimal point, shifted, and converted to a double if one can hold it")
  func numberIsSplitAtItsDecimalPoint() {
    let (one, small, whole) = (
      ExactDecimal("-12.034")?.parts, ExactDecimal("-0.034")?.parts, ExactDecimal("1200")?.parts
    )
    #expect(one?.whole == "12")
    #expect(one?.fraction == "034")
    #expect(small?.whole == "0")
    #expect(small?.fraction == "034")
    #expect(whole?.whole == "1200")
    #expect(whole?.fraction == "")
    #expect(ExactDecimal(fraction: [0, 5, 0]).text == "0.05")
    #expect(ExactDecimal(fraction: []).text == "0")
    #expect(ExactDecimal("-2.5")?.double == -2.5)
    #expect(ExactDecimal("0")?.double == 0)
    #expect(ExactDecimal("1e308")?.double == 1e308)
    #expect(ExactDecimal("1e309")?.double == nil)
    #expect(ExactDecimal("-1e309")?.double == nil)
    #expect(ExactDecimal("1e-400")?.double == 0)
    #expect(ExactDecimal("1.5")?.shifted(2).text == "150")
    #expect(ExactDecimal("1.5")?.shifted(-2).text == "0.015")
  }
}
