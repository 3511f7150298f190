import CloudKit
import FaultInjection
import Foundation
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// A fetched date equals the saved date, as the tests of Apple's samples demand.
@Suite("Dates keep all of their bits, also below a millisecond")
struct DateTests {
  let cloud: TestCloud
  let database: CKDatabase

  init() throws {
    cloud = try TestCloud()
    database = try cloud.container(of: "alice").privateCloudDatabase
  }

  private static func dates(_ count: Int) -> [Date] {
    var random = SeededGenerator(seed: TestSeed.value(24))
    return [
      .distantPast, .distantFuture, Date(timeIntervalSince1970: 1000.123456),
      Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude),
    ]
      + (0..<count).map { index in
        let range = [1e9, 1e12, 1e-4][index % 3]
        return Date(timeIntervalSinceReferenceDate: .random(in: -range...range, using: &random))
      }
  }

  private static func bits(_ dates: [Date]?) -> [UInt64]? { dates?.map(\.timeIntervalSinceReferenceDate.bitPattern) }

  @Test(
    "dates in fields, lists, encrypted values and locations keep all bits after saving and fetching ([record-value-5])")
  func roundTrip() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let dates = Self.dates(300)
    let record = note("dates")
    record["list"] = dates
    record.encryptedValues["secrets"] = dates
    // A type can't have a plain and an encrypted field for each of the dates.
    let some = dates.prefix(100)
    for (index, date) in some.enumerated() {
      record["date\(index)"] = date
      record.encryptedValues["secret\(index)"] = date
    }
    record["place"] = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 0, horizontalAccuracy: 0,
      verticalAccuracy: 0, course: 0, speed: 0, timestamp: dates[2])
    try await database.save(record)
    for round in 0..<2 {
      let fetched = try await database.record(for: record.recordID)
      #expect(Self.bits(fetched["list"] as? [Date]) == Self.bits(dates))
      #expect(Self.bits(fetched.encryptedValues["secrets"] as? [Date]) == Self.bits(dates))
      for (index, date) in some.enumerated() {
        try #require(fetched["date\(index)"] as? Date == date)
        try #require(fetched.encryptedValues["secret\(index)"] as? Date == date)
      }
      #expect((fetched["place"] as? CLLocation)?.timestamp == dates[2])
      fetched["title"] = "\(round)"
      fetched["list"] = fetched["list"] as? [Date]
      try await database.save(fetched)
    }
  }

  @Test("queries compare and sort dates with all bits, with and without an index")
  func queriesCompareAndSortDates() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let base = Date(timeIntervalSinceReferenceDate: 700_000_000.5).timeIntervalSinceReferenceDate
    let step = base.ulp
    let records = (0..<400).map { number in
      let record = note("n\(String(format: "%03d", number))")
      record["due"] = Date(timeIntervalSinceReferenceDate: base + Double(number) * step)
      return record
    }
    _ = try await database.modifyRecords(saving: records, deleting: [])
    func find(_ predicate: NSPredicate, _ limit: Int = 100) async throws -> [String] {
      let query = CKQuery(recordType: "Note", predicate: predicate)
      query.sortDescriptors = [NSSortDescriptor(key: "due", ascending: false)]
      return try await database.records(matching: query, inZoneWith: testZoneID, resultsLimit: limit).matchResults
        .map(\.0.recordName)
    }
    func date(_ number: Double) -> NSDate { NSDate(timeIntervalSinceReferenceDate: base + number * step) }
    #expect(try await find(NSPredicate(format: "due == %@", date(7))) == ["n007"])
    #expect(try await find(NSPredicate(format: "due < %@", date(3))) == ["n002", "n001", "n000"])
    #expect(try await find(NSPredicate(format: "due >= %@", date(398))) == ["n399", "n398"])
    #expect(try await find(NSPredicate(format: "due IN %@", [date(1), date(-1)])) == ["n001"])
    #expect(try await find(NSPredicate(format: "due BETWEEN %@", [date(10), date(11)])) == ["n011", "n010"])
  }

  @Test("infinite and invalid dates are refused, also as timestamps of locations ([record-value-4])")
  func infiniteAndInvalidDatesAreRefused() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    for seconds in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let location = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 0, horizontalAccuracy: 0,
        verticalAccuracy: 0, course: 0, speed: 0, timestamp: date)
      for value in [date, [date], location] as [any CKRecordValueProtocol] {
        let record = note("odd")
        record.setValue(value, forKey: "value")
        #expect(await code { _ = try await database.save(record) } == .invalidArguments, "\(value)")
      }
      let record = note("odd")
      record.encryptedValues["value"] = date
      #expect(await code { _ = try await database.save(record) } == .invalidArguments)
    }
  }

  @Test("a negative zero loses its sign, and the largest accepted date keeps its value")
  func negativeZeroLosesItsSign() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let record = note("ends")
    let zero = Date(timeIntervalSinceReferenceDate: -0.0)
    let ends = [Date(timeIntervalSinceReferenceDate: 1e305), Date(timeIntervalSinceReferenceDate: -1e305)]
    record["zero"] = zero
    record["ends"] = ends
    try await database.save(record)
    let fetched = try await database.record(for: record.recordID)
    #expect(fetched["zero"] as? Date == zero)
    #expect(Self.bits(fetched["zero"].map { [$0] }) == [0])
    #expect(Self.bits(fetched["ends"] as? [Date]) == Self.bits(ends))
    record["ends"] = [Date(timeIntervalSinceReferenceDate: 1e305.nextUp)]
    #expect(await code { _ = try await database.save(record) } == .invalidArguments)
  }

  @Test("a system date that is stored in a field stays a whole number of milliseconds ([record-value-5])")
  func systemDates() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let first = try await database.save(note("first"))
    let second = note("second")
    second["last"] = first.modificationDate
    try await database.save(second)
    let folder = try cloud.cloud.zoneFolder("Home")
    let bytes = try #require(try folder.directory("records").contents("second.json"))
    let file = try JSONValue(parsing: bytes)
    #expect(file["fields"]?["last"]?["value"]?.integer != nil)
    let fetched = try await database.record(for: second.recordID)
    #expect(fetched["last"] as? Date == first.modificationDate)
  }
}
