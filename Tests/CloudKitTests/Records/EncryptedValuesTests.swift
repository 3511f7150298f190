import CloudKit
import Foundation
import LocalCloud
import LocalCloudService
import TestSupport
import Testing

@Suite("Encrypted values, keys and their reset, through Apple's API")
struct EncryptedValuesTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private func secret(_ name: String, _ text: String, of parent: String? = nil) -> CKRecord {
    let record = note(name)
    record.encryptedValues["secret"] = text
    if let parent { record.setParent(note(parent).recordID) }
    return record
  }

  private func text(_ record: CKRecord) -> String? { record.encryptedValues["secret"] }

  /// A container on Alice's other device.
  private var phone: CKContainer {
    get throws {
      try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.cloud.path) { stage.cloud.container() }
    }
  }

  private func reset(_ account: String = "alice") throws {
    try LocalCloud.acting(as: account, root: stage.cloud.cloud.path, container: "iCloud.test") {
      try LocalCloud.resetKeys(of: account)
    }
  }

  @Test(
    "encrypted values of all types are ciphertext in the cloud and readable on a second device"
  )
  func secondDevice() async throws {
    let record = note("note", "open")
    let date = Date(timeIntervalSince1970: 1_000)
    record.encryptedValues["text"] = "hidden text"
    record.encryptedValues["number"] = 42
    record.encryptedValues["ratio"] = 0.5
    record.encryptedValues["flag"] = true
    record.encryptedValues["date"] = date
    record.encryptedValues["data"] = Data([1, 2])
    record.encryptedValues["place"] = CLLocation(latitude: 1, longitude: 2)
    record.encryptedValues["texts"] = ["hidden one", "hidden two"]
    record.encryptedValues["dates"] = [date]
    let saved = try await stage.mine.save(record)
    #expect(saved.encryptedValues.allKeys().count == 9)
    #expect(saved.encryptedValues.changedKeys().isEmpty)
    let fetched = try await phone.privateCloudDatabase.record(for: record.recordID)
    #expect(fetched["title"] as? String == "open")
    #expect(fetched["text"] == nil)
    #expect(fetched.encryptedValues["text"] as? String == "hidden text")
    let number: Int? = fetched.encryptedValues["number"]
    let flag: Bool? = fetched.encryptedValues["flag"]
    #expect(number == 42)
    #expect(flag == true)
    #expect(fetched.encryptedValues["ratio"] as? Double == 0.5)
    #expect(fetched.encryptedValues["date"] as? Date == date)
    #expect(fetched.encryptedValues["data"] as? Data == Data([1, 2]))
    #expect((fetched.encryptedValues["place"] as? CLLocation)?.coordinate.longitude == 2)
    #expect(fetched.encryptedValues["texts"] as? [String] == ["hidden one", "hidden two"])
    #expect(fetched.encryptedValues["dates"] as? [Date] == [date])
    #expect(fetched.allKeys().count == 10)
    #expect(fetched.changedKeys().isEmpty)
    let root = URL(fileURLWithPath: stage.cloud.cloud.path)
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey]))
    var count = 0
    for case let file as URL in files where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
    {
      count += 1
      #expect(try Data(contentsOf: file).range(of: Data("hidden".utf8)) == nil, "\(file)")
    }
    #expect(count > 20)
  }

  @Test("only accepted participants can decrypt shared values ([encryption-share-1])")
  func onlyAcceptedParticipantsCanDecryptShared() async throws {
    let list = try await stage.record("list")
    list.encryptedValues["secret"] = "Alice's"
    try await stage.mine.save(list)
    let share = try await stage.share(with: ["bob"], .readOnly)
    try await stage.join(stage.bob, share)
    try await stage.mine.save(secret("later", "later", of: "item"))
    #expect(text(try await stage.record("list", seenBy: stage.bob)) == "Alice's")
    #expect(text(try await stage.record("later", seenBy: stage.bob)) == "later")
    let changes = try await stage.bob.sharedCloudDatabase.recordZoneChanges(inZoneWith: stage.theirs, since: nil)
    let texts = try changes.modificationResultsByID.values.compactMap { text(try $0.get().record) }
    #expect(Set(texts) == ["Alice's", "later"])
    #expect(await code { _ = try await stage.record("list", seenBy: stage.carol) } == .zoneNotFound)
    try await stage.edit(share) { $0.removeParticipant($0.participants[1]) }
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .zoneNotFound)
    #expect(text(try await stage.record("list")) == "Alice's")
  }

  @Test("nil removes an encrypted value, conflicts contain the server's values, and desired keys select values")
  func nilRemovesAnEncryptedValueConflictsContain() async throws {
    let record = secret("note", "1")
    record.encryptedValues["more"] = "m"
    try await stage.mine.save(record)
    record.encryptedValues["secret"] = "2"
    #expect(record.encryptedValues.changedKeys() == ["secret"])
    try await stage.mine.save(record)
    let stale = try await phone.privateCloudDatabase.record(for: record.recordID)
    record.encryptedValues["more"] = nil
    #expect(try await stage.mine.save(record).encryptedValues.allKeys() == ["secret"])
    stale.encryptedValues["secret"] = "3"
    do {
      try await phone.privateCloudDatabase.save(stale)
      Issue.record("it was saved")
    } catch let error as CKError {
      #expect(error.code == .serverRecordChanged)
      #expect(error.serverRecord.flatMap(text) == "2")
      #expect(error.clientRecord.flatMap(text) == "3")
      #expect(error.ancestorRecord.flatMap(text) == "2")
    }
    let saved = try await stage.mine.modifyRecords(saving: [stale], deleting: [], savePolicy: .allKeys)
    #expect(try saved.saveResults[record.recordID]?.get().encryptedValues.allKeys() == ["more", "secret"])
    let chosen = try await stage.mine.records(for: [record.recordID], desiredKeys: ["more"])
    #expect(try chosen[record.recordID]?.get().allKeys() == ["more"])
  }

  // [encryption-value-3]
  @Test("the public database refuses encrypted values, and an encrypted field refuses plain values")
  func publicDatabaseRefusesEncryptedValues() async throws {
    let record = CKRecord(recordType: "Note")
    record.encryptedValues["secret"] = "x"
    #expect(await code { try await stage.alice.publicCloudDatabase.save(record) } == .invalidArguments)
    let own = secret("note", "1")
    try await stage.mine.save(own)
    own["secret"] = "open"
    #expect(await code { try await stage.mine.save(own) } == .invalidArguments)
  }

  // [change-zone-11], [encryption-value-8]
  @available(*, deprecated)
  @Test("an unreadable value fails only its record in feeds and queries; deprecated blocks omit the record")
  func unreadableValueFailsOnlyItsRecord() async throws {
    try await stage.mine.save(secret("note", "1"))
    let root = URL(fileURLWithPath: stage.cloud.cloud.path)
    try FileManager.default.removeItem(at: root.appendingPathComponent("devices/alice-device/keychain.json"))
    let noteID = note("note").recordID
    #expect(await code { _ = try await stage.record("note") } == .internalError)
    let page = try await stage.mine.recordZoneChanges(inZoneWith: testZoneID, since: nil)
    #expect(page.modificationResultsByID.count == 3 && page.modificationResultsByID[noteID]?.code == .internalError)
    #expect(
      try await stage.mine.recordZoneChanges(inZoneWith: testZoneID, since: page.changeToken).modificationResultsByID
        .isEmpty)
    let found = try await stage.mine.records(
      matching: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)), inZoneWith: testZoneID)
    #expect(found.matchResults.first { $0.0 == noteID }?.1.code == .internalError)
    #expect(found.matchResults.count == 3)
    let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [testZoneID])
    let names = Collector<String>()
    operation.recordChangedBlock = { names.append($0.recordID.recordName) }
    await withCheckedContinuation { done in
      operation.fetchRecordZoneChangesResultBlock = { _ in done.resume() }
      stage.mine.add(operation)
    }
    #expect(names.values.sorted() == ["item", "list"])
  }

  // MARK: Reset

  @Test(
    "after a reset the zone fails with CKErrorUserDidResetEncryptedDataKey, until it is created again")
  func startingOver() async throws {
    try await stage.mine.save(secret("note", "1"))
    try reset()
    let attempts: [() async throws -> Void] = [
      { _ = try await stage.record("note") }, { try await stage.mine.save(note("new")) },
      { _ = try await stage.mine.recordZone(for: testZoneID) }, { _ = try await stage.changesForAlice() },
      { try await stage.mine.deleteRecord(withID: note("item").recordID) },
    ]
    for attempt in attempts {
      do {
        try await attempt()
        Issue.record("it was done")
      } catch let error as CKError {
        #expect(error.code == .zoneNotFound)
        #expect(error.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true)
      }
    }
    do {
      _ = try await stage.mine.recordZone(for: CKRecordZone.ID(zoneName: "Other"))
    } catch let error as CKError {
      #expect(error.code == .zoneNotFound)
      #expect(error.userInfo[CKErrorUserDidResetEncryptedDataKey] == nil)
    }
    try await stage.mine.deleteRecordZone(withID: testZoneID)
    try await stage.mine.save(CKRecordZone(zoneID: testZoneID))
    try await stage.mine.save(secret("note", "again"))
    #expect(text(try await phone.privateCloudDatabase.record(for: note("note").recordID)) == "again")
  }

  @Test("a zone deleted by a reset is reported to the reset block, or to the deletion block if that is not set")
  func resetBlock() async throws {
    try await stage.mine.save(secret("note", "1"))
    let token = try await stage.mine.databaseChanges(since: nil).changeToken
    try reset()
    let changes = try await stage.mine.databaseChanges(since: token)
    #expect(changes.deletions.map(\.reason) == [.encryptedDataReset])
    #expect(changes.deletions.map(\.zoneID) == [testZoneID])
    for isSet in [true, false] {
      let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
      let (ordinary, special) = (Collector<CKRecordZone.ID>(), Collector<CKRecordZone.ID>())
      operation.recordZoneWithIDWasDeletedBlock = { ordinary.append($0) }
      if isSet { operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { special.append($0) } }
      await withCheckedContinuation { done in
        operation.fetchDatabaseChangesResultBlock = { _ in done.resume() }
        stage.mine.add(operation)
      }
      #expect((isSet ? special : ordinary).values == [testZoneID])
      #expect((isSet ? ordinary : special).values.isEmpty)
    }
  }

  @Test("the server returns a zone's encryption scope and refuses to change it")
  func serverReturnsAZonesEncryptionScope() async throws {
    let zone = CKRecordZone(zoneName: "One")
    zone.encryptionScope = .perZone
    let saved = try await stage.mine.save(zone)
    #expect(saved.encryptionScope == .perZone)
    #expect(saved.capabilities == [.fetchChanges, .atomic, .zoneWideSharing])
    #expect(try await stage.mine.recordZone(for: zone.zoneID).encryptionScope == .perZone)
    #expect(await code { try await stage.mine.save(CKRecordZone(zoneName: "One")) } == .serverRejectedRequest)
    let root = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "root", zoneID: zone.zoneID))
    root.encryptedValues["secret"] = "1"
    try await stage.mine.save(root)
    let results = try await stage.mine.modifyRecords(saving: [root, CKShare(rootRecord: root)], deleting: [])
    #expect(results.saveResults.values.contains { $0.code == .invalidArguments })
    try await stage.mine.save(CKShare(recordZoneID: zone.zoneID))
    #expect(text(try await phone.privateCloudDatabase.record(for: root.recordID)) == "1")
  }
}
