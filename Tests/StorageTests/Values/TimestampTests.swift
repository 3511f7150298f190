import Testing

@testable import LocalCloudStorage

@Suite("Times as text")
struct TimestampTests {
  @Test(
    "a time's text is read as milliseconds since 1970",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
      ("2026-01-31T12:00:00Z", 1_769_860_800_000), ("2026-01-31t12:00:00z", 1_769_860_800_000),
      ("2026-01-31 12:00:00Z", 1_769_860_800_000), ("2026-01-31T12:00Z", 1_769_860_800_000),
      ("2026-01-31T12:00:00.5Z", 1_769_860_800_500), ("2026-01-31T12:00:00.12Z", 1_769_860_800_120),
      ("2026-01-31T13:00:00+01:00", 1_769_860_800_000), ("2026-01-31T10:30:00-0130", 1_769_860_800_000),
      ("2026-02-01T11:59:00+23:59", 1_769_860_800_000), ("2026-01-30T12:01:00-23:59", 1_769_860_800_000),
      ("2026-01-31Z", 1_769_817_600_000), ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
      ("2000-02-29T00:00:00Z", 951_782_400_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ] as [(String, Int64)])
  func timesTextIsReadAsMillisecondsSince(text: String, milliseconds: Int64) throws {
    #expect(try Timestamp.parse(text) == milliseconds)
    #expect(Timestamp.milliseconds(text: text) == milliseconds)
    #expect(try Timestamp.moment(text) == Moment(milliseconds: milliseconds))
  }

  private func reason(_ text: String) -> String? {
    do throws(Timestamp.Invalid) {
      _ = try Timestamp.parse(text)
      return nil
    } catch { return error.reason }
  }

  @Test(
    "a text that is no time is refused",
    arguments: [
      "", "2026", "2026-01", "2026-1-31T12:00:00Z", "2026/01/31T12:00:00Z", "2026-01/31T12:00:00Z",
      "226-01-31T12:00:00Z", "2026-01-31T", "2026-01-31T12", "2026-01-31T12:", "2026-01-31T12.00Z",
      "2026-01-31T12:0:00Z", "2026-01-31T12:00:", "2026-01-31T12:00:0Z", "2026-01-31T12:00:00.Z",
      "2026-01-31T12:00:00.xZ", "2026-01-31T12:00:00Zx", "2026-01-31T12:00:00Z ", " 2026-01-31T12:00:00Z",
      "2026-01-31T12:00:00+", "2026-01-31T12:00:00+1", "2026-01-31T12:00:00+01", "2026-01-31T12:00:00+01:",
      "2026-01-31T12:00:00+01:6", "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00-01:60",
      "2026-01-31T12:00:00+01:00Z", "2026-01-31T12:00:00+01:00 ", "٢026-01-31T12:00:00Z", "2026-01-31T1٢:00:00Z",
    ])
  func noTime(text: String) {
    #expect(reason(text) == "expected a time such as 2026-01-31T12:00:00Z")
    #expect(Timestamp.milliseconds(text: text) == nil)
  }

  @Test(
    "a day that no calendar has is refused",
    arguments: [
      "2026-00-10", "2026-13-01", "2026-01-00", "2026-01-32", "2026-02-29", "2024-02-30", "1900-02-29", "2100-02-29",
      "2000-02-30", "2026-03-32", "2026-04-31", "2026-05-32", "2026-06-31", "2026-07-32", "2026-08-32", "2026-09-31",
      "2026-10-32", "2026-11-31", "2026-12-32",
    ])
  func noDay(text: String) {
    #expect(reason(text + "T12:00:00Z") == "there is no such day")
    #expect(reason(text + "Z") == "there is no such day")
  }

  @Test("impossible times of day, missing time zones and too many digits are refused with the reason")
  func impossibleTimesOfDayMissingTimeZones() throws {
    for text in ["24:00:00", "23:60:00", "23:59:60", "24:00", "99:99:99"] {
      #expect(reason("2026-01-31T\(text)Z") == "there is no such time of day", "\(text)")
    }
    for text in ["2026-01-31", "2026-01-31T12:00", "2026-01-31T12:00:00", "2026-01-31T12:00:00.123"] {
      #expect(reason(text) == "the time zone is missing, as in 2026-01-31T12:00:00Z", "\(text)")
      #expect(throws: Timestamp.Invalid(reason: "the time zone is missing, as in 2026-01-31T12:00:00Z")) {
        try Timestamp.moment(text)
      }
      #expect(throws: Never.self, "\(text)") { try Timestamp.moment(text, allowingLocal: true) }
    }
    #expect(reason("2026-01-31T12:00:00.0000Z") == "it has more than milliseconds")
    let digits = "2026-01-31T12:00:00." + String(repeating: "1", count: 1200)
    #expect(throws: Never.self) { try Timestamp.moment(digits + "Z") }
    #expect(throws: Timestamp.Invalid(reason: "it has more digits than any date")) {
      try Timestamp.moment(digits + "1Z")
    }
  }

  @Test("a time is written with milliseconds, also for years without four digits")
  func timeIsWrittenWithMilliseconds() {
    let texts: [(Int64, String)] = [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1, "1970-01-01T00:00:00.001Z"),
      (59_999, "1970-01-01T00:00:59.999Z"), (3_599_010, "1970-01-01T00:59:59.010Z"),
      (86_399_100, "1970-01-01T23:59:59.100Z"), (86_400_000, "1970-01-02T00:00:00.000Z"),
      (-86_400_000, "1969-12-31T00:00:00.000Z"), (-86_400_001, "1969-12-30T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
    ]
    for (milliseconds, text) in texts { #expect(Timestamp.text(milliseconds: milliseconds) == text) }
  }

  /// Compares with days that are counted year by year.
  @Test("the ends of February in 10,000 years are read and written correctly")
  func endsOfFebruaryIn10000Years() throws {
    var yearBegins: Int64 = -719_528
    for year in 0...9999 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let name = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
      let march = yearBegins + (isLeap ? 60 : 59)
      for (day, text) in [(march - 1, isLeap ? "02-29" : "02-28"), (march, "03-01"), (yearBegins, "01-01")] {
        let text = "\(name)-\(text)T00:00:00.000Z"
        try #require(Timestamp.text(milliseconds: day * 86_400_000) == text)
        try #require(try Timestamp.parse(text) == day * 86_400_000)
      }
      yearBegins += isLeap ? 366 : 365
    }
  }
}
