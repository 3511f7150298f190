import CloudKit
import Testing

@Suite("Sharing rules, 9.1: the participant's shared database") struct WindowRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))

  @Test("9.1 One zone per owner and owner's zone: all shares of a zone in one, owners apart")
  func zones() async throws {
    try await stage.mine.save(note("second", "S"))
    for name in ["list", "second"] { try await stage.join(stage.bob, stage.share(name, with: ["bob"])) }
    let carols = stage.carol.privateCloudDatabase
    try await carols.save(CKRecordZone(zoneID: home))
    let root = note("root")
    let share = CKShare(rootRecord: root)
    share.publicPermission = .readOnly
    _ = try await carols.modifyRecords(saving: [root, share])
    try await stage.join(stage.bob, share)
    let zones = try await stage.bob.sharedCloudDatabase.allRecordZones().map(\.zoneID)
    let owners = [stage.theirs.ownerName, try await stage.carol.userRecordID().recordName]
    #expect(zones.map(\.zoneName) == ["Home", "Home"] && Set(zones.map(\.ownerName)) == Set(owners))
    #expect(try await stage.record("item", seenBy: stage.bob)["title"] as? String == "Milk")
    #expect(try await stage.record("second", seenBy: stage.bob)["title"] as? String == "S")
  }

  @Test("9.1 Visible: root, all descendants, the share record; nothing else")
  func visible() async throws {
    try await stage.mine.save(note("hidden"))
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    #expect(try await stage.changes(for: stage.bob).changed == ["list", "item", share.recordID.recordName])
  }

  @Test("9.1 A private-database zone never shows up in the owner's own shared database")
  func ownZone() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    #expect(try await stage.alice.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test("9.1 zone ID with the caller as owner, default zone: invalidArguments")
  func ownOwner() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    #expect(await code { _ = try await database.record(for: note("list").recordID) } == .invalidArguments)
    let inDefault = CKRecord.ID(recordName: "list")
    #expect(await code { _ = try await database.record(for: inDefault) } == .invalidArguments)
    #expect(await code { try await database.save(note("new")) } == .invalidArguments)
  }

  @Test("9.1 query without a zone ID: invalidArguments")
  func queryWithoutZone() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    #expect(await code { _ = try await database.records(matching: query) } == .invalidArguments)
  }

  @Test("9.1 query with a zone ID: the visible records")
  func queryWithZone() async throws {
    try await stage.mine.save(note("hidden"))
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let found = try await stage.bob.sharedCloudDatabase.records(
      matching: query, inZoneWith: stage.theirs, resultsLimit: 10)
    #expect(Set(found.matchResults.map(\.0)) == [stage.there("list"), stage.there("item")])
    #expect(found.matchResults.allSatisfy { $0.1.code == nil } && found.queryCursor == nil)
  }

  @Test("9.1 saving a zone: invalidArguments for the caller's own")
  func savingZones() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    #expect(await code { try await database.save(CKRecordZone(zoneID: home)) } == .invalidArguments)
    #expect(await code { try await database.save(CKRecordZone(zoneID: stage.theirs)) } == .badDatabase)
    #expect(try await database.allRecordZones().map(\.zoneID) == [stage.theirs])
  }
}
