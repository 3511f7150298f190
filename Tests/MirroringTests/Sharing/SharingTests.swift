import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Shared objects")
struct SharingTests {
  private let stage: MirrorStage
  private let alice: Device
  private let bob: Device

  init() throws {
    stage = try MirrorStage()
    alice = try stage.device("alice", "phone")
    bob = try stage.device("bob", "bobs", .shared)
  }

  private func fill() throws -> RowID {
    let post = try alice.insert("Post", "A", ["content": .string("text")])
    try alice.link(post, "tags", to: try alice.insert("Tag", "T"))
    try alice.insert("Attachment", "X", toOnes: ["post": post])
    return post
  }

  /// Shares an object with every user that has the link.
  private func share(_ id: RowID, _ permission: CKShare.ParticipantPermission = .readWrite) async throws -> CKShare {
    let engine = try alice.require()
    let share = try await engine.share([id], to: nil).share
    share.publicPermission = permission
    share[CKShare.SystemFieldKey.title] = "Ours"
    let saved = try await engine.persist(share)
    await alice.drain()
    return saved
  }

  private func join(_ share: CKShare) async throws {
    let engine = try bob.require()
    let url = try #require(share.url)
    let metadata = try await engine.container.shareMetadata(for: url)
    let accepted = try await engine.accept([metadata])
    #expect(accepted.count == 1)
    await bob.drain()
  }

  @Test(
    "sharing moves all reachable objects to a new zone with one share; the objects do not change [mirror-14] [video-11]"
  )
  func sharingMovesAllReachableObjects() async throws {
    let post = try fill()
    let other = try alice.insert("Post", "other")
    await alice.drain()
    let before = try alice.lines()
    let engine = try alice.require()
    let old = try #require(engine.recordID(for: post))
    let (objects, share, container) = try await engine.share([post], to: nil)
    #expect(objects.count == 3)
    #expect(objects.contains(post))
    #expect(!objects.contains(other))
    #expect(container.containerIdentifier == MirrorStage.container)
    #expect(share.recordID.recordName == CKRecordNameZoneWideShare)
    #expect(share.publicPermission == .none)
    #expect(share.participants == [share.owner])
    #expect(share.url != nil)
    #expect(share[CKShare.SystemFieldKey.title] == nil)
    #expect(share.recordID.zoneID.zoneName.hasPrefix("com.apple.coredata.cloudkit.share."))
    #expect(try engine.shares().map(\.recordID) == [share.recordID])
    #expect(try engine.shares(matching: Array(objects) + [other]).keys.count == 3)
    #expect(try alice.lines() == before)
    await alice.drain()
    let database = try stage.container(of: "alice").privateCloudDatabase
    let moved = try await database.recordZoneChanges(inZoneWith: share.recordID.zoneID, since: nil)
    let records = try moved.modificationResultsByID.values.map { try $0.get().record }
    #expect(records.map(\.recordType).sorted() == ["CDMR", "CD_Attachment", "CD_Post", "CD_Tag", "cloudkit.share"])
    let record = try #require(records.first { $0.recordType == "CD_Post" })
    let receipt = try #require(record["CD_moveReceipt"] as? Data)
    #expect(MoveReceipt(bytes: Array(receipt)).locations == [RecordLocation(old)])
    let left = try await database.recordZoneChanges(inZoneWith: ZoneLocation.private.zoneID, since: nil)
    #expect(left.modificationResultsByID.count == 1)
    #expect(engine.record(for: post)?.recordID == record.recordID)
  }

  @Test("a move keeps the identity of the object on the owner's other device [mirror-14]")
  func moveKeepsTheIdentityOfTheObject() async throws {
    let post = try fill()
    let tablet = try stage.device("alice", "tablet")
    await alice.drain()
    await tablet.drain()
    let there = try #require(try tablet.find("Post", "A"))
    let commits = tablet.commits.count
    let share = try await share(post)
    await tablet.drain()
    #expect(try tablet.find("Post", "A") == there)
    #expect(tablet.commits.dropFirst(commits).allSatisfy { $0.inserted.isEmpty && $0.deleted.isEmpty })
    let engine = try tablet.require()
    #expect(engine.recordID(for: there)?.zoneID == share.recordID.zoneID)
    #expect(try engine.shares(matching: [there])[there]?[CKShare.SystemFieldKey.title] as? String == "Ours")
    // The tablet's changes go to the new zone.
    try tablet.set(there, "title", .string("B"))
    await tablet.drain()
    await alice.drain()
    #expect(try alice.titles("Post") == ["B"] && alice.lines() == tablet.lines())
  }

  @Test("a concurrent change of another device follows the object to its new zone [mirror-14]")
  func moveWithEdit() async throws {
    let post = try fill()
    let tablet = try stage.device("alice", "tablet")
    await alice.drain()
    await tablet.drain()
    tablet.stop()
    let there = try #require(try tablet.find("Post", "A"))
    try tablet.set(there, "content", .string("offline"))
    _ = try await share(post)
    try tablet.start()
    await tablet.drain()
    await alice.drain()
    #expect(try alice.row(post)?["content"] == .string("offline") && alice.lines() == tablet.lines())
  }

  @Test("a participant receives, changes and adds objects, and the owner imports the changes [mirror-12] [mirror-14]")
  func participantReceivesChangesAndAddsObjects() async throws {
    let post = try fill()
    try await join(try await share(post))
    #expect(try bob.lines() == alice.lines())
    let theirs = try #require(try bob.find("Post", "A"))
    let engine = try bob.require()
    #expect(engine.canUpdate(theirs))
    #expect(engine.canDelete(theirs))
    #expect(engine.canModify)
    #expect(try engine.shares(matching: [theirs]).count == 1)
    try bob.set(theirs, "title", .string("B"))
    try bob.insert("Attachment", "Y", toOnes: ["post": theirs])
    await bob.drain()
    await alice.drain()
    #expect(try alice.lines() == bob.lines())
    // The owner's new objects go to the zone of their related objects.
    let added = try alice.insert("Attachment", "Z", toOnes: ["post": post])
    try alice.insert("Post", "mine")
    try await eventually("the owner's object arrives") { try bob.titles("Attachment").contains("Z") }
    await alice.drain()
    #expect(try alice.require().recordID(for: added)?.zoneID.zoneName.hasPrefix(RecordNames.shareZonePrefix) == true)
    #expect(try bob.titles("Post") == ["B"])
    #expect(bob.errors(.export).isEmpty)
  }

  @Test("nothing moves if a reachable object belongs to another share; free objects may join a share [mirror-14]")
  func alreadyShared() async throws {
    let post = try fill()
    let share = try await share(post)
    let database = try stage.container(of: "alice").privateCloudDatabase
    let zones = try await database.allRecordZones().count
    let second = try alice.insert("Post", "second")
    let tag = try #require(try alice.find("Tag", "T"))
    // Related to a shared object, but not exported yet.
    alice.stop()
    try alice.link(second, "tags", to: tag)
    try alice.start()
    await #expect(throws: (any Error).self) { try await alice.require().share([second], to: nil) }
    #expect(try await database.allRecordZones().count == zones)

    let free = try alice.insert("Cover", "free")
    let joined = try await alice.require().share([free], to: share)
    #expect(joined.objects == [free])
    await alice.drain()
    #expect(try alice.require().recordID(for: free)?.zoneID == share.recordID.zoneID)
    do {
      _ = try await alice.require().share([RowID(entity: 0, number: 999_999)], to: nil)
      Issue.record("an object that is not saved can't be shared")
    } catch {
      let error = error as NSError
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == 134060)
      #expect(error.localizedFailureReason != nil)
    }
  }

  @Test("an object of one share can't move to another; the mirroring continues [mirror-14]")
  func otherShare() async throws {
    let post = try fill()
    let first = try await share(post)
    let second = try await share(try alice.insert("Cover", "C"))
    do {
      _ = try await alice.require().share([post], to: second)
      Issue.record("it moved")
    } catch {
      let error = error as NSError
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == 134060)
      #expect(error.localizedFailureReason?.contains("another share") == true)
    }
    #expect(try alice.require().recordID(for: post)?.zoneID == first.recordID.zoneID)
    // Sharing an object with its own share succeeds and moves nothing.
    #expect(try await alice.require().share([post], to: first).objects.count == 3)
    try await join(second)
    try alice.insert("Post", "later")
    await alice.drain()
    await bob.drain()
    #expect(try bob.lines() == ["Cover C"] && alice.errors(.export).isEmpty)
  }

  @Test("a sent tag linked to a shared post waits until the tag is shared [mirror-12] [mirror-27]")
  func sentTag() async throws {
    let post = try alice.insert("Post", "A")
    let tag = try alice.insert("Tag", "T")
    let share = try await share(post)
    try await join(share)
    try alice.link(post, "tags", to: tag)
    try alice.set(post, "content", .string("of today"))
    await alice.drain()
    let error = try #require(alice.errors(.export).last)
    #expect(error.code == 134060)
    #expect(error.localizedFailureReason?.hasPrefix("Object graph corruption detected.") == true)
    let shared = try await alice.require().share([tag], to: share)
    #expect(shared.objects == [post, tag])
    let count = alice.errors(.export).count
    await alice.drain()
    await bob.drain()
    #expect(alice.errors(.export).count == count)
    #expect(try bob.lines() == alice.lines() && bob.titles("Tag") == ["T"])
  }

  @Test("related objects of two shares are not exported [mirror-12]")
  func severalZones() async throws {
    let post = try fill()
    let first = try await share(post)
    let other = try alice.insert("Attachment", "other")
    let second = try await share(other)
    try alice.relate(other, "post", to: post)
    await alice.drain()
    let error = try #require(alice.errors(.export).last)
    #expect(error.code == 134060)
    let reason = try #require(error.localizedFailureReason)
    #expect(
      reason.hasPrefix(
        "Object graph corruption detected. Objects related to '<x-coredata://\(alice.store.identifier)/Attachment/"
          + "p\(other.number)>' are assigned to multiple zones: {("))
    for share in [first, second] { #expect(reason.contains("\(share.recordID.zoneID)"), "\(share.recordID.zoneID)") }
    try alice.relate(other, "post", to: nil)
    let count = alice.errors(.export).count
    await alice.drain()
    #expect(alice.errors(.export).count == count)
  }

  @Test("a participant's object must be related to a shared object or be added to a share [mirror-12]")
  func participantsObjectMustBeRelated() async throws {
    let share = try await share(try fill())
    try await join(share)
    let lonely = try bob.insert("Tag", "lonely")
    await bob.drain()
    let error = try #require(bob.errors(.export).last)
    #expect(error.code == 134060)
    #expect(error.localizedFailureReason?.hasPrefix("Failed to assign an object to a record zone") == true)
    let theirs = try #require(try bob.require().shares().first)
    #expect(try await bob.require().share([lonely], to: theirs).objects == [lonely])
    await bob.drain()
    await alice.drain()
    #expect(try alice.titles("Tag") == ["T", "lonely"])
    await #expect(throws: (any Error).self) { try await bob.require().share([lonely], to: nil) }
  }

  @Test("participants are looked up, invited and removed")
  func participantsAreLookedUpInvitedAndRemoved() async throws {
    let post = try fill()
    let engine = try alice.require()
    let share = try await engine.share([post], to: nil).share
    let found = try await engine.fetchParticipants(matching: [.init(emailAddress: "bob@example.com")])
    let participant = try #require(found.first)
    participant.permission = .readOnly
    share.addParticipant(participant)
    let saved = try await engine.persist(share)
    await alice.drain()
    try await join(saved)
    #expect(try bob.titles("Post") == ["A"])

    let current = try #require(try engine.shares().first)
    let person = try #require(current.participants.first { $0 != current.owner })
    current.removeParticipant(person)
    _ = try await engine.persist(current)
    try await eventually("the objects are gone") { try bob.lines().isEmpty }
    #expect(try alice.titles("Post") == ["A"])
  }

  @Test("leaving a share removes its objects from this store; deleting its zone removes them everywhere [mirror-15]")
  func leavingAShareRemovesItsObjects() async throws {
    let post = try fill()
    let share = try await share(post)
    try await join(share)
    let zoneID = try #require(try bob.require().shares().first?.recordID.zoneID)
    try await bob.require().purge(zoneID)
    #expect(try bob.lines().isEmpty && bob.require().shares().isEmpty)
    await alice.drain()
    #expect(try alice.titles("Post") == ["A"])
    try await join(share)
    #expect(try bob.titles("Post") == ["A"])

    try await alice.require().purge(share.recordID.zoneID)
    #expect(try alice.lines().isEmpty)
    try await eventually("they are gone there as well") { try bob.lines().isEmpty }
  }

  @Test("an object that is shared again stays in its zone")
  func sharedAgain() async throws {
    let post = try fill()
    let share = try await share(post)
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.deleteRecord(withID: share.recordID)
    await alice.drain()
    #expect(try alice.require().shares().isEmpty && alice.titles("Post") == ["A"])
    let again = try await alice.require().share([post], to: nil).share
    #expect(again.recordID == share.recordID)
    await alice.drain()
    try alice.insert("Attachment", "Y", toOnes: ["post": post])
    await alice.drain()
    #expect(alice.errors(.export).isEmpty)
  }

  @Test("only stores of the shared database accept invitations; a share must be of the store's own zones")
  func onlyStoresOfTheSharedDatabaseAccept() async throws {
    let share = try await share(try fill())
    let url = try #require(share.url)
    let metadata = try await bob.require().container.shareMetadata(for: url)
    await #expect(throws: (any Error).self) { try await alice.require().accept([metadata]) }
    let foreign = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Home"))
    await #expect(throws: (any Error).self) { try await alice.require().persist(foreign) }
    await #expect(throws: (any Error).self) { try await alice.require().share([], to: foreign) }
  }
}
