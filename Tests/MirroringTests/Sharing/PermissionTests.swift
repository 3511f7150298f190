import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Changes without a participant's permission")
struct PermissionTests {
  private let stage: MirrorStage
  private let alice: Device
  private let bob: Device
  private let post: RowID

  /// Shares Alice's post, with a tag and an attachment, read-only with Bob.
  init() async throws {
    stage = try MirrorStage()
    alice = try stage.device("alice", "phone")
    bob = try stage.device("bob", "bobs", .shared)
    post = try alice.insert("Post", "A", ["content": .string("text"), "photo": .binary([1, 2, 3])])
    try alice.link(post, "tags", to: try alice.insert("Tag", "T"))
    try alice.insert("Attachment", "X", toOnes: ["post": post])
    let engine = try alice.require()
    let share = try await engine.share([post], to: nil).share
    share.publicPermission = .readOnly
    let saved = try await engine.persist(share)
    await alice.drain()
    let metadata = try await bob.require().container.shareMetadata(for: try #require(saved.url))
    _ = try await bob.require().accept([metadata])
    await bob.drain()
    #expect(try bob.lines() == alice.lines())
  }

  private func permit(_ permission: CKShare.ParticipantPermission) async throws {
    let engine = try alice.require()
    let share = try #require(try engine.shares().first)
    share.publicPermission = permission
    _ = try await engine.persist(share)
  }

  /// The codes of the per-record errors in Bob's last failed export.
  private func codes() throws -> [CKError.Code?] {
    let error = try #require(bob.errors(.export).last as Error? as? CKError)
    #expect(error.code == .partialFailure)
    return try #require(error.partialErrorsByItemID).values.map { ($0 as? CKError)?.code }
  }

  /// Expects that Bob's changes are in neither store, that both stores are equal, and that the refusal is reported
  /// once.
  private func expectTakenBack(_ count: Int, _ before: [String]) async throws {
    #expect(try codes() == Array(repeating: .permissionFailure, count: count))
    #expect(try bob.lines() == before)
    let errors = bob.errors(.export).count
    await bob.drain()
    await bob.drain()
    #expect(bob.errors(.export).count == errors)
    await alice.drain()
    #expect(try alice.lines() == before && bob.lines() == before)
  }

  @Test("objects without an imported share look unshared and can't be changed [mirror-38]")
  func withoutShare() async throws {
    try await permit(.readWrite)
    await bob.drain()
    let engine = try bob.require()
    let theirs = try #require(try bob.find("Post", "A"))
    #expect(try engine.canUpdate(theirs) && engine.shares(matching: [theirs]).count == 1)
    let zone = try #require(engine.recordID(for: theirs)).zoneID
    try engine.mirrored.edit { try $0.editZone(ZoneLocation(zone)) { $0.share = nil } }
    #expect(try engine.shares(matching: [theirs]).isEmpty && engine.shares().isEmpty)
    #expect(!engine.canUpdate(theirs))
    #expect(!engine.canDelete(theirs))
    #expect(engine.canModify)
    // An object that is not exported belongs to its user.
    let unsent = try bob.insert("Tag", "mine")
    #expect(engine.canUpdate(unsent))
    #expect(engine.canDelete(unsent))
  }

  @Test("a refused edit is reverted, also of long values; one event reports it [mirror-28] [video-7]")
  func refusedEditIsRevertedAlsoOfLong() async throws {
    let before = try alice.lines()
    let theirs = try #require(try bob.find("Post", "A"))
    #expect(try !bob.require().canUpdate(theirs) && !bob.require().canDelete(theirs))
    try bob.save { transaction in
      var row = try #require(try transaction.row(theirs))
      (row["title"], row["photo"]) = (.string("no"), .null)
      try transaction.update(row, changed: ["title", "photo"])
    }
    await bob.drain()
    try await expectTakenBack(1, before)
    #expect(try bob.find("Post", "A") == theirs)
  }

  @Test("a refused insertion is removed, with its pair [mirror-28]")
  func refusedInsertionIsRemovedWithItsPair() async throws {
    let before = try alice.lines()
    let theirs = try #require(try bob.find("Post", "A"))
    let tag = try bob.insert("Tag", "no")
    try bob.link(theirs, "tags", to: tag)
    await bob.drain()
    try await expectTakenBack(2, before)
    #expect(try bob.row(tag) == nil)
  }

  @Test("a refused deletion is reverted, with the object's relationships [mirror-28]")
  func refusedDeletionIsRevertedWithTheObjects() async throws {
    let before = try alice.lines()
    try bob.delete(try #require(try bob.find("Post", "A")))
    await bob.drain()
    // The errors cover the post, its pair, and the attachment with a reference to it.
    try await expectTakenBack(try codes().count, before)
    #expect(try bob.titles("Post") == ["A"])
  }

  @Test("refused changes of pairs are reverted [mirror-28]")
  func refusedChangesOfPairsAreReverted() async throws {
    let before = try alice.lines()
    let theirs = try #require(try bob.find("Post", "A"))
    try bob.link(theirs, "tags", to: try #require(try bob.find("Tag", "T")), false)
    await bob.drain()
    try await expectTakenBack(1, before)
  }

  @Test("a change made with permission and sent without it is reverted [mirror-28]")
  func loweredMeanwhile() async throws {
    try await permit(.readWrite)
    await bob.drain()
    let theirs = try #require(try bob.find("Post", "A"))
    #expect(try bob.require().canUpdate(theirs))
    bob.stop()
    try bob.set(theirs, "title", .string("late"))
    try await permit(.readOnly)
    let before = try alice.lines()
    try bob.start()
    await bob.drain()
    try await expectTakenBack(1, before)
  }

  @Test("a change made without permission and sent with it is sent [mirror-28]")
  func raisedMeanwhile() async throws {
    let theirs = try #require(try bob.find("Post", "A"))
    bob.stop()
    try bob.set(theirs, "title", .string("punctual"))
    try await permit(.readWrite)
    try bob.start()
    await bob.drain()
    await alice.drain()
    #expect(bob.errors(.export) == [])
    #expect(try alice.titles("Post") == ["punctual"] && alice.lines() == bob.lines())
  }

  @Test("after a refusal the owner's later changes are present, and other changes are sent [mirror-28]")
  func afterARefusalTheOwnersLaterChanges() async throws {
    let theirs = try #require(try bob.find("Post", "A"))
    bob.stop()
    try bob.set(theirs, "title", .string("no"))
    try alice.set(post, "content", .string("new"))
    try alice.set(post, "title", .string("B"))
    await alice.drain()
    let before = try alice.lines()
    try bob.start()
    await bob.drain()
    try await expectTakenBack(1, before)
  }

  @Test("a process killed during a refusal reverts the changes after its next start [mirror-28]")
  func processKilledDuringARefusalReverts() async throws {
    let before = try alice.lines()
    bob.stop()
    try bob.set(try #require(try bob.find("Post", "A")), "title", .string("no"))
    let tag = try bob.insert("Tag", "no")
    try bob.link(try #require(try bob.find("Post", "no")), "tags", to: tag)
    struct Kill: Error {}
    try bob.start { if $0 == .sent { throw Kill() } }
    await bob.drain()
    #expect(try bob.titles("Post") == ["no"])
    try bob.start()
    await bob.drain()
    #expect(try bob.lines() == before)
    #expect(try codes().allSatisfy { $0 == .permissionFailure })
  }
}
