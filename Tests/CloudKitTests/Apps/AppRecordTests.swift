import CloudKit
import Foundation
import Testing

/// Records as apps and samples handle them.
@Suite struct AppRecordTests {
  @Test func subscriptsAndCasts() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let record = CKRecord(recordType: "Place")
      record["name"] = "Home" as CKRecordValue
      record["alias"] = "H" as NSString
      record["count"] = 3 as CKRecordValue
      record["number"] = 7 as NSNumber
      record["price"] = 9.5 as CKRecordValue
      record["whole"] = 4.0
      record["flag"] = true
      record["off"] = false as CKRecordValue
      record["when"] = Date(timeIntervalSince1970: 1_000_000) as CKRecordValue
      record["bytes"] = Data([1, 2, 3]) as CKRecordValue
      record["where"] = CLLocation(latitude: 52.5, longitude: 13.4)
      record["tags"] = ["a", "b"]
      record["scores"] = [1, 2, 3] as CKRecordValue
      record["dates"] = [Date(timeIntervalSince1970: 5)]
      record["owner"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "o"), action: .none)
      record["friends"] = [CKRecord.Reference(recordID: CKRecord.ID(recordName: "p"), action: .deleteSelf)]
      record.setObject("set" as CKRecordValue, forKey: "object")
      record.setValue("kvc", forKey: "value")
      record["gone"] = "x"
      record["gone"] = nil
      try await database.save(record)
      for record in [record, try await database.record(for: record.recordID)] {
        #expect(record["name"] as? String == "Home")
        #expect(record.object(forKey: "name") as? String == "Home")
        #expect(record.value(forKey: "name") as? String == "Home")
        #expect(record["name"] as? NSString == "Home")
        #expect(record["name"] as! String == "Home")
        #expect(record["alias"] as? String == "H")
        #expect(record["count"] as? Int == 3)
        #expect(record["count"] as? Int64 == 3)
        #expect(record["count"] as? NSNumber == 3)
        #expect(record["count"] as? Double == 3)
        #expect((record["count"] as? NSNumber)?.intValue == 3)
        #expect(record["number"] as? Int == 7)
        #expect(record["price"] as? Double == 9.5)
        #expect(record["price"] as? Int == nil)
        #expect(record["whole"] as? Int == 4)
        #expect(record["flag"] as? Bool == true)
        #expect(record["off"] as? Bool == false)
        #expect(record["flag"] as? Int == 1)
        #expect(record["when"] as? Date == Date(timeIntervalSince1970: 1_000_000))
        #expect(record["bytes"] as? Data == Data([1, 2, 3]))
        #expect((record["where"] as? CLLocation)?.coordinate.latitude == 52.5)
        #expect(record["tags"] as? [String] == ["a", "b"])
        #expect((record["tags"] as? NSArray)?.count == 2)
        #expect(record["scores"] as? [Int] == [1, 2, 3])
        #expect(record["dates"] as? [Date] == [Date(timeIntervalSince1970: 5)])
        #expect((record["owner"] as? CKRecord.Reference)?.recordID.recordName == "o")
        #expect((record["friends"] as? [CKRecord.Reference])?.first?.action == .deleteSelf)
        #expect(record["object"] as? String == "set")
        #expect(record["value"] as? String == "kvc")
        #expect(record["gone"] == nil)
        #expect(record["missing"] as? String ?? "default" == "default")
        let title: String? = record["name"]
        let count: Int? = record["count"]
        let flag: Bool = record["flag"] ?? false
        let tags: [String] = record["tags"] ?? []
        #expect(title == "Home")
        #expect(count == 3)
        #expect(flag)
        #expect(tags.count == 2)
        if let name = record["name"] as? String, let when = record["when"] as? Date {
          #expect(name == "Home")
          #expect(when.timeIntervalSince1970 == 1_000_000)
        } else {
          Issue.record("the usual guard fails")
        }
        #expect(!record.allKeys().contains("gone"))
        #expect(record.changedKeys().isEmpty)
        var walked: [String] = []
        for (key, _) in record { walked.append(key) }
        #expect(walked.count == record.allKeys().count)
      }
    }
  }

  @Test func oddValuesAreRefusedNotFatal() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let values: [any CKRecordValueProtocol] = [
        Double.nan, Double.infinity, Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: .nan),
        Date.distantPast, Date.distantFuture, Date(timeIntervalSince1970: 1e15), Date(timeIntervalSince1970: -1e15),
        Date(timeIntervalSince1970: 9.2e15), UInt64.max, Int64.min, "", Data(), [String](), "\0",
        CLLocation(latitude: .nan, longitude: 500), CLLocation(latitude: 1e300, longitude: -1e300),
        [1.0, .nan], NSNumber(value: true), NSDecimalNumber(string: "1.25"), Float.greatestFiniteMagnitude,
        CKRecord.Reference(recordID: CKRecord.ID(recordName: "../../x"), action: .none),
        CKRecord.Reference(
          recordID: CKRecord.ID(recordName: "x", zoneID: CKRecordZone.ID(zoneName: "Elsewhere")), action: .none),
      ]
      for value in values {
        let record = CKRecord(recordType: "Odd")
        record.setValue(value, forKey: "value")
        _ = record.description
        if let data = try? NSKeyedArchiver.archivedData(withRootObject: record, requiringSecureCoding: true) {
          _ = try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data)
        }
        do {
          try await database.save(record)
          _ = try await database.record(for: record.recordID)
        } catch {
          #expect(error is CKError, "\(value): \(error)")
        }
      }
    }
  }

  @Test("an unsigned integer above Int64.max is refused, and never stored as another number")
  func unsignedIntegers() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let values: [any CKRecordValueProtocol] = [
        UInt64.max, UInt.max, UInt64(Int64.max) + 1, NSNumber(value: UInt64.max), [1, UInt64.max],
      ]
      for value in values {
        let record = CKRecord(recordType: "Odd")
        record.setValue(value, forKey: "value")
        var found: CKError?
        do { try await database.save(record) } catch { found = error as? CKError }
        #expect(found?.code == .invalidArguments, "\(value)")
        #expect(found?.localizedDescription.contains("whole number of 64 bits") == true)
        let secret = CKRecord(recordType: "Odd")
        secret.encryptedValues["value"] = value
        #expect(await code { _ = try await database.save(secret) } == .invalidArguments, "\(value)")
      }
      let record = CKRecord(recordType: "Odd")
      record["value"] = UInt64.max
      #expect(record["value"] as? UInt64 == .max)
      record["value"] = UInt64(Int64.max)
      let saved = try await database.save(record)
      #expect(saved["value"] as? Int64 == .max)
    }
  }

  @Test("a negative resultsLimit is refused with invalidArguments")
  func negativeLimits() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      try await database.save(note("a"))
      let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
      for limit in [Int.min, -1] {
        #expect(
          await code { _ = try await database.records(matching: query, inZoneWith: testZoneID, resultsLimit: limit) }
            == .invalidArguments)
        #expect(
          await code {
            _ = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil, resultsLimit: limit)
          }
            == .invalidArguments)
        #expect(
          await code { _ = try await database.databaseChanges(since: nil, resultsLimit: limit) } == .invalidArguments)
      }
    }
  }

  @Test func oddNumbersInRequests() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      try await database.modifyRecords(saving: [note("a"), note("b"), note("c")])
      let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
      for limit in [Int.min, -1, 0, 1, 100_000, Int.max] {
        _ = await code { _ = try await database.records(matching: query, inZoneWith: testZoneID, resultsLimit: limit) }
        _ = await code {
          _ = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil, resultsLimit: limit)
        }
        _ = await code { _ = try await database.databaseChanges(since: nil, resultsLimit: limit) }
      }
    }
  }

  @Test func sameInstanceSavedAgainAndAgain() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      let record = note("n", "one")
      #expect(record.recordChangeTag == nil)
      #expect(record.creationDate == nil)
      let first = try await database.save(record)
      #expect(record.recordChangeTag == first.recordChangeTag)
      #expect(record.creationDate != nil)
      let stale = record.copy() as! CKRecord
      record["title"] = "two"
      try await database.save(record)
      record["title"] = nil
      record["body"] = "text"
      try await database.save(record)
      let fetched = try await database.record(for: record.recordID)
      #expect(fetched["title"] == nil)
      #expect(fetched["body"] as? String == "text")
      #expect(stale["title"] as? String == "one")
      stale["title"] = "late"
      #expect(await code { try await database.save(stale) } == .serverRecordChanged)
      #expect(await code { try await database.save(note("n", "new")) } == .serverRecordChanged)
      try await database.deleteRecord(withID: record.recordID)
      record["title"] = "after"
      #expect(await code { try await database.save(record) } == .unknownItem)
      try await database.deleteRecord(withID: record.recordID)
    }
  }

  @Test func unchangedSaveOfAFetchedRecord() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      let record = try await database.save(note("n", "one"))
      let again = try await database.save(record)
      #expect(again["title"] as? String == "one")
      let partial = try await database.records(for: [record.recordID], desiredKeys: ["body"])
      let thin = try #require(try partial[record.recordID]?.get())
      #expect(thin.allKeys().isEmpty)
      #expect(thin.recordChangeTag != nil)
      thin["body"] = "b"
      let (saved, _) = try await database.modifyRecords(saving: [thin], deleting: [], savePolicy: .allKeys)
      let whole = try #require(try saved[record.recordID]?.get())
      #expect(whole["title"] as? String == "one")
      #expect(whole["body"] as? String == "b")
    }
  }

  @Test func systemFieldsInEveryStyle() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      let record = try await database.save(note("n", "one"))

      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      record.encodeSystemFields(with: archiver)
      archiver.finishEncoding()
      var archives = [archiver.encodedData]
      let data = NSMutableData()
      let old = NSKeyedArchiver(forWritingWith: data)
      old.requiresSecureCoding = true
      record.encodeSystemFields(with: old)
      old.finishEncoding()
      archives.append(data as Data)

      for (index, data) in archives.enumerated() {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        let restored = try #require(CKRecord(coder: unarchiver))
        unarchiver.finishDecoding()
        #expect(restored.recordID == record.recordID)
        #expect(restored.allKeys().isEmpty)
        #expect(restored.changedKeys().isEmpty)
        #expect(restored.recordType == "Note")
        #expect(restored.creationDate == record.creationDate)
        if index == 0 {
          restored["body"] = "b"
          let saved = try await database.save(restored)
          #expect(saved["title"] as? String == "one")
          #expect(saved["body"] as? String == "b")
        } else {
          restored["body"] = "c"
          #expect(await code { try await database.save(restored) } == .serverRecordChanged)
        }
      }
    }
  }

  @Test func tokensAndCollectionsInArchives() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      var token: CKServerChangeToken?
      var names: Set<String> = []
      for round in 0..<3 {
        try await database.modifyRecords(saving: (0..<5).map { note("n\(round)-\($0)") })
        if let kept = token {
          let data = try NSKeyedArchiver.archivedData(withRootObject: kept, requiringSecureCoding: true)
          token = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
          let other = NSKeyedUnarchiver.unarchiveObject(with: data) as? CKServerChangeToken
          #expect(other == token)
          #expect(token != nil)
        }
        var more = true
        var count = 0
        while more {
          let changes = try await database.recordZoneChanges(inZoneWith: testZoneID, since: token, resultsLimit: 2)
          for (recordID, result) in changes.modificationResultsByID {
            _ = try result.get().record
            names.insert(recordID.recordName)
            count += 1
          }
          token = changes.changeToken
          more = changes.moreComing
        }
        #expect(count == 5)
      }
      #expect(names.count == 15)

      let records = [note("a", "1"), note("b", "2")]
      let data = try NSKeyedArchiver.archivedData(withRootObject: records, requiringSecureCoding: true)
      let back = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, CKRecord.self], from: data)
      #expect((back as? [CKRecord])?.map { $0["title"] as? String } == ["1", "2"])
      let whole = try NSKeyedArchiver.archivedData(withRootObject: records[0], requiringSecureCoding: false)
      #expect((NSKeyedUnarchiver.unarchiveObject(with: whole) as? CKRecord)?["title"] as? String == "1")
    }
  }
}
