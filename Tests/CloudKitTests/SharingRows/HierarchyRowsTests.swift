import CloudKit
import Testing

@Suite("Sharing rules, 2.1 and 2.3: hierarchies and their records") struct HierarchyRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("2.1 Only parent builds it: a record with a reference field to the root is not shared ([share-tree-1])")
  func onlyParentBuildsIt() async throws {
    let other = note("other", "Bread")
    other["list"] = CKRecord.Reference(recordID: note("list").recordID, action: .deleteSelf)
    try await stage.mine.save(other)
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    #expect(try await stage.record("item", seenBy: stage.bob)["title"] as? String == "Milk")
    #expect(await code { _ = try await stage.record("other", seenBy: stage.bob) } == .unknownItem)
  }

  @Test("2.1 parent must have action none: another action raises an exception ([share-tree-2])")
  func parentMustHaveActionNone() async throws {
    let item = note("new")
    item.setParent(try await stage.record("list"))
    #expect(item.parent?.action == CKRecord.ReferenceAction.none)
    #expect(item.parent?.recordID.recordName == "list")
    await expectException(
      "A parent reference must have the action CKReferenceActionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        note("new").parent = CKRecord.Reference(recordID: note("list").recordID, action: .deleteSelf)
      })
  }

  @Test("2.1 parent must be in the zone of its child; a save with another zone fails")
  func otherZone() async throws {
    let item = note("new")
    item.setParent(CKRecord.ID(recordName: "list", zoneID: CKRecordZone.ID(zoneName: "Else")))
    #expect(await code { try await stage.mine.save(item) } == .invalidArguments)
    #expect(await code { _ = try await stage.record("new") } == .unknownItem)
  }

  @Test("2.1 The parent must exist or be in the same save: otherwise the child fails with referenceViolation")
  func missingParent() async throws {
    let orphan = stage.child("orphan", of: "nobody")
    let (saves, _) = try await stage.mine.modifyRecords(saving: [orphan], atomically: false)
    #expect(saves[orphan.recordID]?.code == .referenceViolation)
    let together = try await stage.mine.modifyRecords(saving: [orphan, note("nobody")])
    #expect(together.saveResults.values.allSatisfy { $0.code == nil })
  }

  @Test("2.1 A parent reference is a validating one: a parent can only be deleted with its children, in any order")
  func deletingParents() async throws {
    let list = note("list").recordID
    let item = note("item").recordID
    #expect(await code { try await stage.mine.deleteRecord(withID: list) } == .referenceViolation)
    #expect(try await stage.record("list")["title"] as? String == "Groceries")
    let (_, deletes) = try await stage.mine.modifyRecords(saving: [], deleting: [list, item])
    #expect(deletes[list]?.code == nil)
    #expect(deletes[item]?.code == nil)
    #expect(await code { _ = try await stage.record("item") } == .unknownItem)
  }

  @Test("2.1 A child with a deleteSelf reference to its parent is deleted with it ([record-parent-5])")
  func deleteSelf() async throws {
    let item = try await stage.record("item")
    item["list"] = CKRecord.Reference(recordID: note("list").recordID, action: .deleteSelf)
    try await stage.mine.save(item)
    try await stage.mine.deleteRecord(withID: note("list").recordID)
    #expect(await code { _ = try await stage.record("item") } == .unknownItem)
  }

  @Test("2.1 Saving a child touches its parent: a cached root is outdated, and sharing it conflicts")
  func savingAChildTouchesItsParent() async throws {
    let cached = try await stage.record("list")
    try await stage.mine.save(stage.child("second", of: "list"))
    let fresh = try await stage.record("list")
    #expect(fresh.recordChangeTag != cached.recordChangeTag)
    let share = CKShare(rootRecord: cached)
    let (saves, _) = try await stage.mine.modifyRecords(saving: [cached, share])
    #expect(saves[cached.recordID]?.code == .serverRecordChanged)
    #expect(saves[share.recordID]?.code == .batchRequestFailed)
  }

  @Test("2.1 The root may itself have a parent, and that parent is not shared ([share-tree-3])")
  func rootWithParent() async throws {
    try await stage.join(stage.bob, stage.share("item", with: ["bob"]))
    let item = try await stage.record("item", seenBy: stage.bob)
    #expect(item.parent?.recordID == stage.there("list"))
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .unknownItem)
    item["title"] = "Oat milk"
    try await stage.bob.sharedCloudDatabase.save(item)
    #expect(try await stage.record("item")["title"] as? String == "Oat milk")
  }

  @Test("2.3 Only the root has record.share: it stays nil in children, for owner and participants ([share-tree-4])")
  func onlyTheRoot() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    #expect(try await stage.record("list").share?.recordID == share.recordID)
    #expect(try await stage.record("item").share == nil)
    let shareID = stage.there(share.recordID.recordName)
    #expect(try await stage.record("list", seenBy: stage.bob).share?.recordID == shareID)
    #expect(try await stage.record("item", seenBy: stage.bob).share == nil)
  }

  @Test(
    "2.3 A record saved with parent inside the tree is shared immediately; another parent unshares its subtree")
  func recordSavedWithParentInsideTheTree() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    _ = try await stage.mine.modifyRecords(saving: [
      stage.child("new", "N", of: "item"), stage.child("leaf", "L", of: "new"),
    ])
    #expect(try await stage.record("leaf", seenBy: stage.bob)["title"] as? String == "L")
    let new = try await stage.record("new")
    new.parent = nil
    try await stage.mine.save(new)
    for name in ["new", "leaf"] {
      #expect(await code { _ = try await stage.record(name, seenBy: stage.bob) } == .unknownItem)
      #expect(try await stage.record(name).recordID.recordName == name)
    }
  }

  @Test("2.3 Moving a record into a second shared tree is allowed, and removes it from the first ([share-tree-5])")
  func movingARecordIntoASecondShared() async throws {
    try await stage.mine.save(note("second", "S"))
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    try await stage.join(stage.carol, stage.share("second", with: ["carol"]))
    let item = try await stage.record("item")
    item.setParent(note("second").recordID)
    try await stage.mine.save(item)
    #expect(try await stage.record("item", seenBy: stage.carol)["title"] as? String == "Milk")
    #expect(await code { _ = try await stage.record("item", seenBy: stage.bob) } == .unknownItem)
  }
}
