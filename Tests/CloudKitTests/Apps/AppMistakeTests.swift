import CloudKit
import Foundation
import LocalCloud
import Testing

/// Mistakes of apps. Each must fail with an error, and never stop the process or hang.
@Suite(.timeLimit(.minutes(30))) struct AppMistakeTests: OnZoneStage {
  let stage: ZoneStage

  init() async throws { stage = try await ZoneStage() }

  /// The error code of each record; nil for success. The call itself must not fail.
  private func saving(_ records: CKRecord..., to database: CKDatabase? = nil) async -> [CKError.Code?] {
    do {
      let results = try await (database ?? self.database).modifyRecords(saving: records)
      return records.map { results.saveResults[$0.recordID]?.code }
    } catch {
      return [(error as? CKError)?.code]
    }
  }

  // [record-name-1], [record-user-2]
  @Test func namesAndTypes() async throws {
    #expect(await saving(note("_reserved")) == [.invalidArguments])
    for name in ["../../x", "a/b", ".lock", "A", "a", "🙂", String(repeating: "/", count: 255), "%2F", "."] {
      #expect(await saving(note(name)) == [nil], "\(name)")
      #expect(try await database.record(for: note(name).recordID).recordID == note(name).recordID)
    }
    #expect(await saving(note("\u{0}")) == [.invalidArguments])
    #expect(await saving(CKRecord(recordType: "Users")) == [.permissionFailure])
    let query = CKQuery(recordType: "Users", predicate: NSPredicate(value: true))
    #expect(await code { _ = try await database.records(matching: query) } == .permissionFailure)
    let imitation = CKRecord(recordType: CKRecord.SystemType.share, recordID: note("imitation").recordID)
    #expect(await saving(imitation) != [nil])
    let big = note("big", String(repeating: "x", count: 1_100_000))
    #expect(await saving(big) == [.limitExceeded])
    let many = (0..<5).map { note("many\($0)", String(repeating: "x", count: 500_000)) }
    #expect(await code { _ = try await database.modifyRecords(saving: many) } == .limitExceeded)
  }

  @Test func hierarchies() async throws {
    let own = note("own")
    own.setParent(own)
    #expect(await saving(own) == [.invalidArguments])
    let (one, two) = (note("one"), note("two"))
    one.setParent(two)
    two.setParent(one)
    #expect(await saving(one, two).contains { $0 == .invalidArguments })
    let orphan = note("orphan")
    orphan.setParent(note("nobody").recordID)
    #expect(await saving(orphan) == [.referenceViolation])
    let abroad = note("abroad")
    abroad.setParent(CKRecord.ID(recordName: "x", zoneID: CKRecordZone.ID(zoneName: "Elsewhere")))
    #expect(await saving(abroad) != [nil])
    let (parent, child) = (note("parent"), note("child"))
    child.setParent(parent)
    #expect(await saving(child, parent) == [nil, nil])
    #expect(await code { try await database.deleteRecord(withID: parent.recordID) } == .referenceViolation)
    let both = try await database.modifyRecords(deleting: [parent.recordID, child.recordID])
    #expect(both.deleteResults.values.allSatisfy { $0.code == nil })
  }

  // [zone-owner-4], [zone-save-4], [account-state-5]
  @Test func wrongDatabases() async throws {
    let foreign = CKRecordZone.ID(zoneName: "Home", ownerName: "_0123456789abcdef0123456789abcdef")
    let shared = container.sharedCloudDatabase
    let `public` = container.publicCloudDatabase
    #expect(await saving(note("a", in: foreign)) == [.invalidArguments])
    #expect(await saving(note("a", in: foreign), to: shared) == [.zoneNotFound])
    #expect(await saving(note("a"), to: shared) == [.invalidArguments])
    #expect(await saving(note("a"), to: `public`) != [nil])
    #expect(await code { try await shared.save(CKRecordZone(zoneID: foreign)) } == .badDatabase)
    #expect(await code { try await shared.deleteRecordZone(withID: foreign) } == .zoneNotFound)
    #expect(await code { try await shared.save(CKRecordZone(zoneID: testZoneID)) } == .invalidArguments)
    #expect(await code { try await database.save(CKRecordZone(zoneID: foreign)) } != nil)
    #expect(await code { _ = try await `public`.recordZoneChanges(inZoneWith: .default, since: nil) } != nil)
    #expect(await code { _ = try await shared.recordZoneChanges(inZoneWith: foreign, since: nil) } == .zoneNotFound)
    let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    #expect(await code { _ = try await shared.records(matching: all) } == .invalidArguments)
    #expect(await code { try await database.deleteRecordZone(withID: .default) } == nil)
    _ = try await database.recordZone(for: .default)
    // The same zone with its owner's real name.
    let user = try await container.userRecordID()
    #expect(user.recordName != CKCurrentUserDefaultName)
    let real = CKRecordZone.ID(zoneName: "Home", ownerName: user.recordName)
    try await database.save(note("mine"))
    let found = try await database.record(for: CKRecord.ID(recordName: "mine", zoneID: real))
    #expect(found.recordID.zoneID.ownerName == CKCurrentUserDefaultName)
  }

  // [zone-delete-2], [zone-delete-3]
  @Test func recreatedZone() async throws {
    let old = try await database.save(note("n", "old"))
    let token = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil).changeToken
    try await database.deleteRecordZone(withID: testZoneID)
    #expect(await saving(old) == [.zoneNotFound])
    #expect(await code { _ = try await database.record(for: old.recordID) } == .zoneNotFound)
    #expect(
      await code { _ = try await database.recordZoneChanges(inZoneWith: testZoneID, since: token) } == .zoneNotFound)
    try await database.save(CKRecordZone(zoneID: testZoneID))
    #expect(await saving(old) == [.unknownItem])
    #expect(
      await code { _ = try await database.recordZoneChanges(inZoneWith: testZoneID, since: token) }
        == .changeTokenExpired)
  }

  @Test func sharesWithOddSettings() async throws {
    let root = note("root")
    let share = CKShare(rootRecord: root)
    let person = try await container.shareParticipant(forEmailAddress: "bob@example.com")
    person.permission = .unknown
    share.addParticipant(person)
    _ = await saving(share, root)
    let own = try await container.shareParticipant(forEmailAddress: "alice@example.com")
    let second = note("second")
    let sharing = CKShare(rootRecord: second)
    sharing.addParticipant(own)
    #expect(sharing.participants.count <= 2)
    sharing[CKShare.SystemFieldKey.title] = 5
    sharing[CKShare.SystemFieldKey.thumbnailImageData] = Data(count: 10)
    sharing["custom"] = "value"
    #expect(await saving(sharing, second) == [.invalidArguments, .batchRequestFailed])
    sharing[CKShare.SystemFieldKey.title] = nil
    #expect(await saving(sharing, second) == [nil, nil])
    let copy = try #require(sharing.copy() as? CKShare)
    #expect(copy.url == sharing.url)
    #expect(copy.url != nil)
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    sharing.encodeSystemFields(with: coder)
    coder.finishEncoding()
    let restored = CKShare(coder: try NSKeyedUnarchiver(forReadingFrom: coder.encodedData))
    restored[CKShare.SystemFieldKey.title] = "again"
    #expect(await saving(restored) == [nil])
    let plain = try #require(CKRecord(coder: try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)))
    plain["custom"] = "other"
    _ = await saving(plain)
    for participant in sharing.participants where participant.role != .owner { sharing.removeParticipant(participant) }
    // Joins and closes a public share.
    let open = try #require(try await database.record(for: sharing.recordID) as? CKShare)
    open.publicPermission = .readWrite
    #expect(await saving(open) == [nil])
    let bob = try cloud.container(of: "bob")
    let url = try #require(open.url)
    let accepted = try await bob.accept(try await bob.shareMetadata(for: url))
    #expect(accepted.currentUserParticipant?.role == .publicUser)
    _ = try await bob.accept(try await bob.shareMetadata(for: url))
    #expect(
      await code { _ = try await container.accept(try await container.shareMetadata(for: url)) }
        == .invalidArguments)
    let many = try await container.shareParticipants(forEmailAddresses: ["a@x.org", "nonsense", "a@x.org"])
    #expect(many.count == 2)
    #expect(many["nonsense"]?.code == .invalidArguments)
    #expect(many["a@x.org"]?.value != nil)
  }

  // [zone-save-6]
  @Test func emptyOperations() async throws {
    func end(_ operation: CKDatabaseOperation, _ database: CKDatabase) async {
      await withCheckedContinuation { continuation in
        operation.completionBlock = { continuation.resume() }
        database.add(operation)
      }
    }
    await end(CKModifyRecordsOperation(), database)
    await end(CKFetchRecordsOperation(), database)
    await end(CKQueryOperation(), database)
    await end(CKFetchRecordZonesOperation(), database)
    await end(CKModifyRecordZonesOperation(), database)
    await end(CKFetchRecordZoneChangesOperation(), database)
    await end(CKFetchDatabaseChangesOperation(), database)
    for operation in [CKAcceptSharesOperation(), CKFetchShareMetadataOperation(), CKFetchShareParticipantsOperation()] {
      await withCheckedContinuation { continuation in
        operation.completionBlock = { continuation.resume() }
        container.add(operation)
      }
    }
    #expect(
      await code {
        _ = try await database.modifyRecordZones(saving: [
          CKRecordZone(zoneID: testZoneID), CKRecordZone(zoneID: testZoneID),
        ])
      } == .invalidArguments)
  }

  @Test func oneInstanceInManySaves() async throws {
    let record = note("same", "0")
    let codes = await withTaskGroup(of: CKError.Code?.self) { group in
      for number in 0..<30 {
        group.addTask {
          record["n"] = number
          return await code { try await database.save(record) }
        }
      }
      return await group.reduce(into: [CKError.Code?]()) { $0.append($1) }
    }
    #expect(codes.allSatisfy { $0 == nil || $0 == .serverRecordChanged })
    record["n"] = 100
    try await database.save(record)
    #expect(try await database.record(for: record.recordID)["n"] as? Int == 100)
  }

  @Test func numbersThatDoNotFit() {
    let record = note("n")
    record["big"] = 1e300
    record["nan"] = Double.nan
    record["max"] = UInt64.max
    record["fraction"] = 1.5
    record["float"] = Float(0.1)
    #expect(record["big"] as? Int == nil)
    #expect(record["nan"] as? Int == nil)
    #expect(record["fraction"] as? Int == nil)
    #expect(record["float"] as? Float == 0.1)
    #expect((record["big"] as? NSNumber)?.doubleValue == 1e300)
    let small: Int8? = record["max"]
    let whole: Int? = record["big"]
    let none: Int? = record["nan"]
    let date: Date? = record["big"]
    #expect(small == -1)
    #expect(whole == nil)
    #expect(none == nil)
    #expect(date == nil)
    record["flag"] = 2
    _ = record["flag"] as? Bool
    _ = record["missing"] as? [CKAsset]
  }

  @Test func descriptionsOfErrors() async throws {
    do {
      _ = try await database.record(for: note("missing").recordID)
    } catch {
      #expect(error.localizedDescription.contains("missing") || error.localizedDescription.contains("found"))
      #expect("\(error)".contains("11"), "\(error)")
    }
  }

  @Test func operationTwice() async throws {
    await expectException(
      "The operation was added before: …",
      #expect(processExitsWith: .failure, observing: saying) {
        let cloud = try TestCloud()
        let database = try cloud.container(of: "alice").privateCloudDatabase
        let operation = CKFetchRecordsOperation(recordIDs: [])
        database.add(operation)
        database.add(operation)
        try await Task.sleep(for: .seconds(60))
      })
  }

  @Test func finishedOperationAgain() async throws {
    await expectException(
      "The operation was added before: …",
      #expect(processExitsWith: .failure, observing: saying) {
        let cloud = try TestCloud()
        let database = try cloud.container(of: "alice").privateCloudDatabase
        let operation = CKFetchRecordsOperation(recordIDs: [])
        await withCheckedContinuation { continuation in
          operation.completionBlock = { continuation.resume() }
          database.add(operation)
        }
        database.add(operation)
        try await Task.sleep(for: .seconds(60))
      })
  }
}
