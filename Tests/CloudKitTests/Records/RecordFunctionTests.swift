import CloudKit
import Foundation
import Testing

@Suite("Functions for records")
struct RecordFunctionTests {
  let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  @Test func savingAndFetching() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let zone = try await database.save(CKRecordZone(zoneID: testZoneID))
      #expect(zone.zoneID == testZoneID)
      #expect(zone.capabilities.rawValue == 15)
      let record = note("n1", "Milk")
      record["count"] = 3
      record["price"] = 1.5
      record["due"] = Date(timeIntervalSince1970: 1000.123456)
      record["tags"] = ["a", "b"]
      record["data"] = Data([1, 2, 3])
      record["place"] = CLLocation(latitude: 48.5, longitude: 9)
      record["list"] = CKRecord.Reference(
        recordID: CKRecord.ID(recordName: "l", zoneID: testZoneID), action: .deleteSelf)
      record["empty"] = ["word"]
      try await database.save(record)
      record["empty"] = [String]()
      let saved = try await database.save(record)
      #expect(saved !== record)
      #expect(saved.recordID == record.recordID)
      #expect(record.recordChangeTag != nil)
      #expect(record.recordChangeTag == saved.recordChangeTag)
      #expect(record.changedKeys().isEmpty)
      #expect(saved.changedKeys().isEmpty)
      #expect(saved["due"] as? Date == Date(timeIntervalSince1970: 1000.123456))
      #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
      #expect(record.creationDate != nil)
      #expect(record.modificationDate != nil)
      let fetched = try await database.record(for: record.recordID)
      #expect(fetched["title"] as? String == "Milk")
      #expect(fetched["count"] as? Int == 3)
      #expect(fetched["price"] as? Double == 1.5)
      #expect(fetched["tags"] as? [String] == ["a", "b"])
      #expect(fetched["data"] as? Data == Data([1, 2, 3]))
      #expect((fetched["place"] as? CLLocation)?.coordinate.latitude == 48.5)
      let list = try #require(fetched["list"] as? CKRecord.Reference)
      #expect(list.recordID == CKRecord.ID(recordName: "l", zoneID: testZoneID))
      #expect(list.action == .deleteSelf)
      #expect((fetched["empty"] as? [String])?.isEmpty == true)
      #expect(fetched.recordChangeTag == saved.recordChangeTag)

      // Saves the same instance again: the first save has updated its system fields.
      record["title"] = "Bread"
      record["count"] = nil
      try await database.save(record)
      let again = try await database.record(for: record.recordID)
      #expect(again["title"] as? String == "Bread")
      #expect(again["count"] == nil)
      #expect(again["price"] as? Double == 1.5)

      #expect(try await database.deleteRecord(withID: record.recordID) == record.recordID)
      #expect(try await database.deleteRecord(withID: record.recordID) == record.recordID)
      #expect(await code { _ = try await database.record(for: record.recordID) } == .unknownItem)
    }
  }

  // [record-save-8]
  @Test func conflict() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      try await database.save(note("n1", "old"))
      let mine = try await database.record(for: note("n1").recordID)
      let theirs = try await database.record(for: note("n1").recordID)
      theirs["title"] = "theirs"
      try await database.save(theirs)
      mine["title"] = "mine"
      // An archive contains the server's values, also for an archive of system fields only.
      let kept = try archived(mine)
      #expect(kept?.state.ancestor?.values.keys.sorted() == ["title"])
      do {
        try await database.save(mine)
        Issue.record("no conflict")
      } catch let error as CKError {
        #expect(error.code == .serverRecordChanged)
        let server = try #require(error.serverRecord)
        #expect(server["title"] as? String == "theirs")
        #expect(server.recordChangeTag == theirs.recordChangeTag)
        #expect(error.clientRecord?["title"] as? String == "mine")
        #expect(error.clientRecord?.changedKeys() == ["title"])
        let ancestor = try #require(error.ancestorRecord)
        #expect(ancestor["title"] as? String == "old")
        #expect(ancestor.changedKeys().isEmpty)
        #expect(ancestor.recordChangeTag == mine.recordChangeTag)
        server["title"] = "merged"
        try await database.save(server)
      }
      #expect(mine["title"] as? String == "mine")
      #expect(mine.changedKeys() == ["title"])
      let fresh = note("n1", "insert")
      do {
        try await database.save(fresh)
        Issue.record("no conflict")
      } catch let error as CKError {
        #expect(error.code == .serverRecordChanged)
        #expect(error.ancestorRecord == nil)
        #expect(error.serverRecord?["title"] as? String == "merged")
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.domain == "CKInternalErrorDomain")
        #expect(underlying?.code == 2004)
        #expect(error.userInfo["ContainerID"] as? String == "iCloud.test")
        #expect(error.userInfo["NSDebugDescription"] as? String == "CKInternalErrorDomain: 2004")
      }
    }
  }

  @Test(arguments: [CKModifyRecordsOperation.RecordSavePolicy.changedKeys, .allKeys])
  func policies(_ policy: CKModifyRecordsOperation.RecordSavePolicy) async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      let first = note("n1", "old")
      first["left"] = 1
      first["right"] = 1
      try await database.save(first)
      let mine = try await database.record(for: first.recordID)
      first["left"] = 2
      first["extra"] = "server only"
      try await database.save(first)
      mine["right"] = 3
      mine["title"] = nil
      let (saved, _) = try await database.modifyRecords(saving: [mine], savePolicy: policy)
      let result = try #require(saved[mine.recordID]?.value)
      #expect(result["right"] as? Int == 3)
      #expect(result["title"] == nil)
      #expect(result["left"] as? Int == (policy == .allKeys ? 1 : 2))
      #expect(result["extra"] as? String == "server only")
    }
  }

  // [record-limit-3], [record-batch-9], [record-fetch-1]
  @Test func batches() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      try await database.save(note("taken"))
      let good = note("good")
      let (saves, deletes) = try await database.modifyRecords(
        saving: [good, note("taken")], deleting: [note("absent").recordID])
      #expect(saves[good.recordID]?.code == .batchRequestFailed)
      #expect(saves[note("taken").recordID]?.code == .serverRecordChanged)
      #expect(deletes[note("absent").recordID]?.code == .batchRequestFailed)
      #expect(good.recordChangeTag == nil)
      let loose = try await database.modifyRecords(saving: [good, note("taken")], atomically: false)
      #expect(loose.saveResults[good.recordID]?.value != nil)
      #expect(loose.saveResults.count == 2)
      let many = (0...400).map { note("m\($0)") }
      #expect(await code { _ = try await database.modifyRecords(saving: many) } == .limitExceeded)
      #expect(await code { _ = try await database.records(for: many.map(\.recordID)) } == .limitExceeded)
      #expect(await code { _ = try await database.modifyRecords(saving: [good, good]) } == .invalidArguments)
      let found = try await database.records(for: [good.recordID, note("absent").recordID], desiredKeys: [])
      #expect(found[good.recordID]?.value != nil)
      #expect(found[note("absent").recordID]?.code == .unknownItem)
      let nothing = try await database.modifyRecords(saving: [], deleting: [])
      #expect(nothing.saveResults.isEmpty)
    }
  }

  // [record-name-2], [record-value-4]
  @Test func errors() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      #expect(await code { _ = try await database.save(note("n1")) } == .zoneNotFound)
      #expect(await code { _ = try await database.deleteRecord(withID: note("n1").recordID) } == .zoneNotFound)
      try await database.save(CKRecordZone(zoneID: testZoneID))
      #expect(await code { _ = try await database.save(note("_n1")) } == .invalidArguments)
      let big = note("big", String(repeating: "x", count: 1_100_000))
      #expect(await code { _ = try await database.save(big) } == .limitExceeded)
      let child = note("child")
      child.setParent(note("nowhere").recordID)
      #expect(await code { _ = try await database.save(child) } == .referenceViolation)
      let infinite = note("infinite")
      infinite["date"] = Date(timeIntervalSince1970: .infinity)
      #expect(await code { _ = try await database.save(infinite) } == .invalidArguments)
      let invalid = note("place")
      invalid["place"] = CLLocation(latitude: .nan, longitude: 0)
      #expect(await code { _ = try await database.save(invalid) } == .invalidArguments)
      let mixed = note("mixed")
      mixed["list"] = NSArray(array: [NSNumber(value: 1), NSString(string: "two")])
      #expect(await code { _ = try await database.save(mixed) } == .invalidArguments)
      #expect(await code { _ = try await database.record(for: mixed.recordID) } == .unknownItem)
      let numbers = note("numbers")
      numbers["list"] = NSArray(array: [NSNumber(value: 1), NSNumber(value: 2.5)])
      #expect(try await database.save(numbers)["list"] as? [Double] == [1, 2.5])
      let asset = note("asset")
      asset["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere"))
      #expect(await code { _ = try await database.save(asset) } == .assetFileNotFound)
      let secret = note("secret")
      secret.encryptedValues["a"] = "b"
      #expect(try await database.save(secret).encryptedValues["a"] as? String == "b")
      let elsewhere = cloud.container("no container").privateCloudDatabase
      #expect(await code { _ = try await elsewhere.save(note("n1")) } == .badContainer)
    }
    try await cloud.acting(as: nil) { container in
      let status = try await container.accountStatus()
      #expect(status == .noAccount)
      #expect(await code { _ = try await container.userRecordID() } == .notAuthenticated)
      #expect(
        await code { _ = try await container.privateCloudDatabase.record(for: note("n").recordID) }
          == .notAuthenticated)
      #expect(await code { try await container.privateCloudDatabase.modifyRecords() } == .notAuthenticated)
      let name = CKRecord.ID(recordName: "n")
      #expect(await code { _ = try await container.publicCloudDatabase.record(for: name) } == .unknownItem)
      let record = CKRecord(recordType: "Note")
      #expect(await code { _ = try await container.publicCloudDatabase.save(record) } == .notAuthenticated)
    }
  }

  @Test func identities() async throws {
    let container = try cloud.container(of: "alice")
    let name = try await container.userRecordID().recordName
    #expect(name.hasPrefix("_"))
    #expect(name.count == 33)
    #expect(try await container.accountStatus() == .available)
    // The scope of a call has precedence over the container's scope.
    try await cloud.acting(as: "bob") { _ in
      let other = try await container.userRecordID().recordName
      #expect(other != name)
    }
    #expect(try await container.userRecordID().recordName == name)
    let record = CKRecord(recordType: "Post", recordID: CKRecord.ID(recordName: "p"))
    try await container.publicCloudDatabase.save(record)
    #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
    try await cloud.acting(as: "bob") { container in
      let post = try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "p"))
      #expect(post.creatorUserRecordID?.recordName == name)
      #expect(post.recordID.zoneID == .default)
      post["title"] = "mine now"
      #expect(await code { _ = try await container.publicCloudDatabase.save(post) } == .permissionFailure)
    }
    #expect(container.database(with: .private) === container.privateCloudDatabase)
    try await cloud.acting(as: "alice") { _ in
      #expect(CKContainer.default() === CKContainer.default())
      #expect(CKContainer.default().containerIdentifier?.hasPrefix("iCloud.") == true)
    }
  }

  @Test func completionHandlers() async throws {
    let database = try cloud.container(of: "alice").privateCloudDatabase
    let zone = await withCheckedContinuation { done in
      database.save(CKRecordZone(zoneID: testZoneID)) { zone, error in done.resume(returning: zone) }
    }
    #expect(zone?.zoneID == testZoneID)
    let record = await withCheckedContinuation { done in
      database.save(note("n1", "a")) { record, error in done.resume(returning: record) }
    }
    #expect(record?.recordChangeTag != nil)
    let failure = await withCheckedContinuation { done in
      database.fetch(withRecordID: note("absent").recordID) { record, error in done.resume(returning: error) }
    }
    #expect((failure as? CKError)?.code == .unknownItem)
    let modified = await withCheckedContinuation { done in
      database.modifyRecords(saving: [note("n2")], deleting: [note("n1").recordID]) { done.resume(returning: $0) }
    }
    #expect(modified.value?.saveResults[note("n2").recordID]?.value != nil)
    #expect(modified.value?.deleteResults[note("n1").recordID]?.value != nil)
    let zones = await withCheckedContinuation { done in
      database.fetchAllRecordZones { zones, error in done.resume(returning: zones) }
    }
    #expect(zones?.map(\.zoneID.zoneName) == ["Home", "_defaultZone"])
    let deleted = await withCheckedContinuation { done in
      database.delete(withRecordZoneID: testZoneID) { zoneID, error in done.resume(returning: zoneID) }
    }
    #expect(deleted == testZoneID)
    let missing = try await database.recordZones(for: [testZoneID])
    #expect(missing[testZoneID]?.code == .zoneNotFound)
  }
}
