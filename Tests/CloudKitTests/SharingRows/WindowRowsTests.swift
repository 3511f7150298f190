import CloudKit
import Foundation
import LocalCloud
import Testing

@Suite("Sharing rules, 9.1: the participant's shared database") struct WindowRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))

  // [zone-list-1]
  @Test("9.1 One zone per owner and owner's zone contains all shares of that zone ([share-window-1])")
  func oneZonePerOwnerAndOwnersZone() async throws {
    try await stage.mine.save(note("second", "S"))
    for name in ["list", "second"] { try await stage.join(stage.bob, stage.share(name, with: ["bob"])) }
    let carols = stage.carol.privateCloudDatabase
    try await carols.save(CKRecordZone(zoneID: testZoneID))
    let root = note("root")
    let share = CKShare(rootRecord: root)
    share.publicPermission = .readOnly
    _ = try await carols.modifyRecords(saving: [root, share])
    try await stage.join(stage.bob, share)
    let zones = try await stage.bob.sharedCloudDatabase.allRecordZones().map(\.zoneID)
    let owners = [stage.theirs.ownerName, try await stage.carol.userRecordID().recordName]
    #expect(zones.map(\.zoneName) == ["Home", "Home"])
    #expect(Set(zones.map(\.ownerName)) == Set(owners))
    #expect(try await stage.record("item", seenBy: stage.bob)["title"] as? String == "Milk")
    #expect(try await stage.record("second", seenBy: stage.bob)["title"] as? String == "S")
  }

  @Test("9.1 Visible are the root, all descendants and the share record, and no other record ([share-window-2])")
  func visibleAreTheRootAllDescendants() async throws {
    try await stage.mine.save(note("hidden"))
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    #expect(try await stage.changes(for: stage.bob).changed == ["list", "item", share.recordID.recordName])
  }

  // [zone-list-1], [share-window-3]
  @Test("9.1 A private-database zone never appears in the owner's own shared database")
  func ownZone() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    #expect(try await stage.alice.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test("9.1 zone ID with the caller as owner, or the default zone: fails with invalidArguments")
  func ownOwner() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    #expect(await code { _ = try await database.record(for: note("list").recordID) } == .invalidArguments)
    let inDefault = CKRecord.ID(recordName: "list")
    #expect(await code { _ = try await database.record(for: inDefault) } == .invalidArguments)
    #expect(await code { try await database.save(note("new")) } == .invalidArguments)
  }

  @Test("9.1 query without a zone ID: fails with invalidArguments ([query-zone-1])")
  func queryWithoutZone() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    #expect(await code { _ = try await database.records(matching: query) } == .invalidArguments)
  }

  @Test("9.1 query with a zone ID: finds the visible records ([query-zone-2])")
  func queryWithZone() async throws {
    try await stage.mine.save(note("hidden"))
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let found = try await stage.bob.sharedCloudDatabase.records(
      matching: query, inZoneWith: stage.theirs, resultsLimit: 10)
    #expect(Set(found.matchResults.map(\.0)) == [stage.there("list"), stage.there("item")])
    #expect(found.matchResults.allSatisfy { $0.1.code == nil })
    #expect(found.queryCursor == nil)
  }

  @Test("9.1 saving a zone: fails with invalidArguments for the caller's own zone")
  func savingZones() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    #expect(await code { try await database.save(CKRecordZone(zoneID: testZoneID)) } == .invalidArguments)
    #expect(await code { try await database.save(CKRecordZone(zoneID: stage.theirs)) } == .badDatabase)
    #expect(try await database.allRecordZones().map(\.zoneID) == [stage.theirs])
  }

  @Test(
    "9.1 CKQuerySubscription, CKRecordZoneSubscription: only CKDatabaseSubscription is allowed there"
  )
  func ckQuerySubscriptionCKRecordZoneSubscription() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let database = stage.bob.sharedCloudDatabase
    let query = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "query")
    query.zoneID = stage.theirs
    let zone = CKRecordZoneSubscription(zoneID: stage.theirs, subscriptionID: "zone")
    let results = try await database.modifySubscriptions(
      saving: [query, zone, CKDatabaseSubscription(subscriptionID: "all")], deleting: []
    ).saveResults
    #expect(results["query"]?.code == .invalidArguments)
    #expect(results["zone"]?.code == .invalidArguments)
    #expect(results["all"]?.value is CKDatabaseSubscription)
    #expect(try await database.allSubscriptions().map(\.subscriptionID) == ["all"])
  }

  @Test("9.1 storage: is charged to the owner, and quotaExceeded means that the owner's storage is full")
  func storageIsChargedToTheOwner() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let root = stage.cloud.cloud.path
    func fill(_ account: String, _ isFull: Bool = true) throws {
      try LocalCloud.acting(as: nil, root: root) { try LocalCloud.setStorageFull(isFull, of: account) }
    }
    try fill("bob")
    #expect(await stage.writing("item", by: stage.bob) == nil)
    #expect(
      await code { try await stage.bob.privateCloudDatabase.save(CKRecord(recordType: "Note")) } == .quotaExceeded)
    try fill("alice")
    try fill("bob", false)
    #expect(await stage.writing("item", by: stage.bob) == .quotaExceeded)
    let new = CKRecord(recordType: "Note", recordID: stage.there("new"))
    new.setParent(stage.there("list"))
    let results = try await stage.bob.sharedCloudDatabase.modifyRecords(
      saving: [new], deleting: [], savePolicy: .ifServerRecordUnchanged, atomically: false
    ).saveResults
    guard case .failure(let error as CKError)? = results[new.recordID] else {
      Issue.record("it was saved")
      return
    }
    #expect(error.code == .quotaExceeded)
    #expect(error.localizedDescription.hasSuffix(" to server: Quota exceeded"))
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(underlying?.domain == "CKInternalErrorDomain")
    #expect(underlying?.code == 2035)
    let advice = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
    #expect(advice?.contains("`localcloud account set alice --storage available`") == true)
    #expect(try await stage.record("item", seenBy: stage.bob)["title"] as? String == "By somebody else")
    try await stage.bob.sharedCloudDatabase.deleteRecord(withID: stage.there("item"))
    try fill("alice", false)
    try await stage.bob.sharedCloudDatabase.save(new)
  }
}
