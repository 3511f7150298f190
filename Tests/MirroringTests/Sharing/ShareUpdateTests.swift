import CloudKit
import Foundation
import LocalCloud
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Creation, updates and removal of shares")
struct ShareUpdateTests {
  private let stage: MirrorStage
  private let alice: Device
  private let bob: Device

  init() throws {
    stage = try MirrorStage()
    alice = try stage.device("alice", "phone")
    bob = try stage.device("bob", "bobs", .shared)
  }

  private func share(_ id: RowID, _ permission: CKShare.ParticipantPermission = .readWrite) async throws -> CKShare {
    let engine = try alice.require()
    let share = try await engine.share([id], to: nil).share
    share.publicPermission = permission
    let saved = try await engine.persist(share)
    await alice.drain()
    return saved
  }

  private func join(_ share: CKShare) async throws {
    let metadata = try await bob.require().container.shareMetadata(for: try #require(share.url))
    _ = try await bob.require().accept([metadata])
    await bob.drain()
  }

  private func zones() async throws -> Set<String> {
    let zones = try await stage.container(of: "alice").privateCloudDatabase.allRecordZones()
    return Set(zones.map(\.zoneID.zoneName))
  }

  @Test("persisting a stale copy retains an acceptance since then [mirror-24]")
  func staleCopy() async throws {
    let copy = try await share(try alice.insert("Post", "A"))
    try await join(copy)
    copy[CKShare.SystemFieldKey.title] = "New"
    let saved = try await alice.require().persist(copy)
    #expect(saved[CKShare.SystemFieldKey.title] as? String == "New")
    #expect(saved.publicPermission == .readWrite)
    #expect(saved.participants.count == 2)
    #expect(saved.participants.allSatisfy { $0.acceptanceStatus == .accepted })
    #expect(try alice.require().shares().first?.participants.count == 2)
    await bob.drain()
    #expect(try bob.require().shares().first?[CKShare.SystemFieldKey.title] as? String == "New")
  }

  @Test("persisting a stale copy of the store's share retains an acceptance since then [mirror-24]")
  func staleStored() async throws {
    let saved = try await share(try alice.insert("Post", "A"), .readOnly)
    let copy = try #require(try alice.require().shares().first)
    #expect(copy.recordChangeTag == saved.recordChangeTag)
    try await join(saved)
    copy.publicPermission = .readWrite
    let result = try await alice.require().persist(copy)
    #expect(result.publicPermission == .readWrite)
    #expect(result.participants.count == 2)
    #expect(result.participants.allSatisfy { $0.permission == .readWrite && $0.acceptanceStatus == .accepted })
    await bob.drain()
    let post = try #require(try bob.find("Post", "A"))
    #expect(try bob.require().canUpdate(post))
  }

  @Test("participant lists changed on both sides are merged [mirror-24]")
  func stalePeople() async throws {
    let engine = try alice.require()
    let share = try await engine.share([try alice.insert("Post", "A")], to: nil).share
    let bobs = try #require(
      try await engine.fetchParticipants(matching: [.init(emailAddress: "bob@example.com")]).first)
    bobs.permission = .readWrite
    share.addParticipant(bobs)
    let copy = try await engine.persist(share)
    await alice.drain()
    try await join(copy)
    let carol = try #require(
      try await engine.fetchParticipants(matching: [.init(emailAddress: "carol@example.com")]).first)
    copy.addParticipant(carol)
    let saved = try await engine.persist(copy)
    #expect(saved.participants.count == 3)
    #expect(saved.participants.filter { $0.acceptanceStatus == .accepted }.count == 2)
    let person = try #require(saved.participants.first { $0.role != .owner && $0.acceptanceStatus == .accepted })
    saved.removeParticipant(person)
    #expect(try await engine.persist(saved).participants.count == 2)
  }

  @Test(
    "a process killed while it creates a share leaves no empty zone [mirror-24]",
    arguments: [MirroringStep.zoneMade, .shareMade])
  func processKilledWhileItCreatesAShare(_ step: MirroringStep) async throws {
    let post = try alice.insert("Post", "A")
    await alice.drain()
    alice.stop()
    try alice.start(step: { if $0 == step { throw MirroringStopped() } })
    await #expect(throws: (any Error).self) { try await alice.require().share([post], to: nil) }
    #expect(try await zones().count == 3)
    try alice.start()
    await alice.drain()
    #expect(try await zones() == ["_defaultZone", RecordNames.privateZone])
    #expect(try alice.require().shares().isEmpty && alice.titles("Post") == ["A"])
    #expect(try alice.require().recordID(for: post)?.zoneID == ZoneLocation.private.zoneID)
  }

  @Test("a refused share leaves no zone [mirror-24]")
  func refusedShareLeavesNoZone() async throws {
    let post = try alice.insert("Post", "A")
    await alice.drain()
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) { try LocalCloud.signOut() }
    try await eventually("the setup fails") { alice.errors(.setup).last?.code == 134400 }
    await #expect(throws: (any Error).self) { try await alice.require().share([post], to: nil) }
    #expect(try await zones() == ["_defaultZone", RecordNames.privateZone])
    // Signing out removed the objects.
    #expect(try alice.titles("Post").isEmpty)
  }

  @Test("a share that has ended or is read-only accepts no objects [mirror-24]")
  func shareThatHasEndedOrIsRead() async throws {
    let ended = try await share(try alice.insert("Post", "A"), .readOnly)
    try await join(ended)
    let bobs = try bob.insert("Post", "B")
    let known = try #require(try bob.require().shares().first)
    await #expect(throws: (any Error).self) { try await bob.require().share([bobs], to: known) }
    let database = try stage.container(of: "alice").privateCloudDatabase
    _ = try await database.deleteRecord(withID: ended.recordID)
    await alice.drain()
    let other = try alice.insert("Post", "C")
    await #expect(throws: (any Error).self) { try await alice.require().share([other], to: ended) }
    await alice.drain()
    #expect(try alice.require().recordID(for: other)?.zoneID == ZoneLocation.private.zoneID)
  }

  @Test("a zone that is not mirrored is not purged; the owner can purge a zone by a participant's zone ID [mirror-15]")
  func zoneThatIsNotMirrored() async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    try await database.save(CKRecordZone(zoneName: "Mine"))
    await #expect(throws: (any Error).self) {
      try await alice.require().purge(CKRecordZone.ID(zoneName: "Mine", ownerName: CKCurrentUserDefaultName))
    }
    #expect(try await zones().contains("Mine"))
    let share = try await share(try alice.insert("Post", "A"))
    try await join(share)
    let zoneID = try #require(try bob.require().shares().first?.recordID.zoneID)
    // Bob's ID of the zone has Alice's user record name as its owner: Alice's store purges its own zone.
    try await alice.require().purge(zoneID)
    #expect(try alice.titles("Post").isEmpty)
    try await eventually("bob's went with it") { try bob.lines().isEmpty }
  }

  @Test("a purge accepts the user's own zone with the user's record name as its owner [mirror-15]")
  func ownName() async throws {
    let share = try await share(try alice.insert("Post", "A"))
    let user = try await alice.require().container.userRecordID()
    let zoneID = CKRecordZone.ID(zoneName: share.recordID.zoneID.zoneName, ownerName: user.recordName)
    try await alice.require().purge(zoneID)
    #expect(try alice.titles("Post").isEmpty && alice.require().shares().isEmpty)
    #expect(try await zones() == ["_defaultZone", RecordNames.privateZone])
  }

  @Test("participants are found in the order of the addresses; errors name unknown ones [mirror-24]")
  func lookUp() async throws {
    let engine = try alice.require()
    let names = ["carol", "bob"]
    let people = try await engine.fetchParticipants(matching: names.map { .init(emailAddress: "\($0)@example.com") })
    #expect(
      people.map(\.userIdentity.lookupInfo?.emailAddress) == names.map { "\($0)@example.com" })
    #expect(people.allSatisfy { $0.acceptanceStatus != .accepted && $0.role == .privateUser })
    let wrong = CKUserIdentity.LookupInfo(emailAddress: "no address")
    do {
      _ = try await engine.fetchParticipants(matching: [wrong])
      Issue.record("it was found")
    } catch {
      #expect((error as? CKError)?.code == .invalidArguments)
    }
    do {
      _ = try await engine.fetchParticipants(matching: [.init(emailAddress: "bob@example.com"), wrong])
      Issue.record("both were found")
    } catch {
      let error = try #require(error as? CKError)
      #expect(error.code == .partialFailure)
      #expect(error.partialErrorsByItemID?.keys.map { $0 as? CKUserIdentity.LookupInfo } == [wrong])
    }
    // The failed lookup stores nothing.
    #expect(try engine.shares().isEmpty)
  }

  @Test("a participant can't manage participants; the stored copy is unchanged [mirror-24]")
  func participantManages() async throws {
    try await join(try await share(try alice.insert("Post", "A")))
    let engine = try bob.require()
    let copy = try #require(try engine.shares().first)
    copy.publicPermission = .readOnly
    do {
      _ = try await engine.persist(copy)
      Issue.record("it was saved")
    } catch {
      #expect((error as? CKError)?.code == .permissionFailure)
    }
    #expect(try engine.shares().first?.publicPermission == .readWrite)
    await alice.drain()
    #expect(try alice.require().shares().first?.publicPermission == .readWrite)
  }

  @Test("a second acceptance changes nothing; own shares and dead links are errors [mirror-24]")
  func acceptAgain() async throws {
    let share = try await share(try alice.insert("Post", "A"))
    let url = try #require(share.url)
    let metadata = try await bob.require().container.shareMetadata(for: url)
    for _ in 0..<2 {
      #expect(try await bob.require().accept([metadata]).count == 1)
      await bob.drain()
      #expect(try bob.titles("Post") == ["A"] && bob.require().shares().count == 1)
    }
    let own = try stage.device("alice", "pad", .shared)
    let ownMetadata = try await own.require().container.shareMetadata(for: url)
    await #expect(throws: CKError.self) { try await own.require().accept([ownMetadata]) }
    try await alice.require().purge(share.recordID.zoneID)
    try await eventually("it is gone") { try bob.lines().isEmpty }
    await #expect(throws: CKError.self) { try await bob.require().accept([metadata]) }
  }

  @Test(
    "after the owner deletes only the share, objects stay with the owner only [mirror-15]")
  func endedShare() async throws {
    let post = try alice.insert("Post", "A")
    let cover = try alice.insert("Cover", "C")
    let share = try await share(post)
    _ = try await alice.require().share([cover], to: share)
    await alice.drain()
    try await join(share)
    #expect(try bob.lines() == ["Cover C", "Post A"])
    let database = try stage.container(of: "alice").privateCloudDatabase
    _ = try await database.deleteRecord(withID: share.recordID)
    try await eventually("bob has nothing") { try bob.lines().isEmpty }
    await alice.drain()
    #expect(try alice.lines() == ["Cover C", "Post A"] && alice.require().shares(matching: [post]).isEmpty)
    #expect(try alice.require().recordID(for: post)?.zoneID == share.recordID.zoneID)
    // Sharing a part of the zone's graph creates a new zone; the other objects stay in the old one.
    let again = try await alice.require().share([post], to: nil).share
    #expect(again.recordID.zoneID != share.recordID.zoneID)
    await alice.drain()
    #expect(try alice.require().recordID(for: post)?.zoneID == again.recordID.zoneID)
    #expect(try alice.require().recordID(for: cover)?.zoneID == share.recordID.zoneID)
    #expect(alice.errors(.export).isEmpty)
  }

  @Test("a purge of the private zone removes all unshared objects, also unsent ones [mirror-15]")
  func purgeOfPrivate() async throws {
    let shared = try alice.insert("Post", "shared")
    try alice.insert("Post", "sent")
    _ = try await share(shared)
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      try LocalCloud.setStorageFull(true, of: "alice")
    }
    try alice.insert("Attachment", "of the shared", toOnes: ["post": shared])
    try alice.insert("Tag", "unsent")
    try await alice.require().purge(ZoneLocation.private.zoneID)
    let rest = ["Attachment of the shared post=[\"shared\"]", "Post shared attachments=[\"of the shared\"]"]
    #expect(try alice.lines() == rest)
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      try LocalCloud.setStorageFull(false, of: "alice")
    }
    let pad = try stage.device("alice", "pad")
    try await eventually("the rest is sent") {
      await alice.drain()
      await pad.drain()
      return try pad.lines() == rest
    }
    // The next save creates the zone again.
    try alice.insert("Post", "new")
    await alice.drain()
    await pad.drain()
    try expectSame(pad, alice)
  }

  @Test("only shares of mirrored zones are accepted; a failed acceptance joins none [mirror-24]")
  func onlySharesOfMirroredZonesAreAccepted() async throws {
    let database = try stage.container(of: "alice").privateCloudDatabase
    let zone = try await database.save(CKRecordZone(zoneName: "Mine"))
    let foreign = CKShare(recordZoneID: zone.zoneID)
    foreign.publicPermission = .readWrite
    let saved = try #require(try await database.save(foreign) as? CKShare)
    let good = try await share(try alice.insert("Post", "A"))
    let container = try bob.require().container
    var metadatas: [CKShare.Metadata] = []
    for url in [good.url, saved.url] { metadatas.append(try await container.shareMetadata(for: try #require(url))) }
    let both = metadatas
    await #expect(throws: (any Error).self) { try await bob.require().accept(both) }
    #expect(try await container.sharedCloudDatabase.allRecordZones().isEmpty)
    #expect(try await bob.require().accept([both[0]]).count == 1)
  }
}
