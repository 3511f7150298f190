import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

/// It is uncertain how the real service lists former participants: the reference (sharing 9.3) lists them as invited
/// again, and so does this implementation.
@Suite("Participants leaving a share (sharing 9.3)")
struct LeavingTests {
  private let stage: MirrorStage
  private let alice: Device
  private let bob: Device
  private let post: RowID

  init() throws {
    stage = try MirrorStage()
    alice = try stage.device("alice", "phone")
    bob = try stage.device("bob", "bobs", .shared)
    post = try alice.insert("Post", "A")
  }

  /// The ways for a program with Core Data to leave a share.
  enum Way: CaseIterable {
    case purge, deleteShare, deleteZone, removeOneself
  }

  private func leave(_ way: Way) async throws {
    let engine = try bob.require()
    let share = try #require(try engine.shares().first)
    let database = try stage.container(of: "bob").sharedCloudDatabase
    switch way {
    case .purge: try await engine.purge(share.recordID.zoneID)
    case .deleteShare: _ = try await database.deleteRecord(withID: share.recordID)
    case .deleteZone: _ = try await database.deleteRecordZone(withID: share.recordID.zoneID)
    case .removeOneself:
      let current = try #require(try await database.record(for: share.recordID) as? CKShare)
      current.removeParticipant(try #require(current.currentUserParticipant))
      _ = try await database.save(current)
    }
    await bob.drain()
    #expect(try bob.lines().isEmpty && engine.shares().isEmpty)
  }

  private func accept(_ share: CKShare) async throws {
    let metadata = try await bob.require().container.shareMetadata(for: try #require(share.url))
    _ = try await bob.require().accept([metadata])
    await bob.drain()
    #expect(try bob.titles("Post") == ["A"])
  }

  /// Imports and returns the share of the owner's store.
  private func known() async throws -> CKShare {
    await alice.drain()
    return try #require(try alice.require().shares(matching: [post])[post])
  }

  @Test(
    "an invited participant that leaves is invited again, can return by the link, and can be removed [share-leave-2]",
    arguments: Way.allCases)
  func invitedParticipantThatLeavesIsInvitedAgain(way: Way) async throws {
    let engine = try alice.require()
    let share = try await engine.share([post], to: nil).share
    let person = try #require(
      try await engine.fetchParticipants(matching: [.init(emailAddress: "bob@example.com")]).first)
    person.permission = .readWrite
    share.addParticipant(person)
    let saved = try await engine.persist(share)
    await alice.drain()
    try await accept(saved)
    #expect(try await known().participants.map(\.acceptanceStatus) == [.accepted, .accepted])
    try await leave(way)
    let left = try await known()
    let bobs = try #require(left.participants.last)
    #expect(left.participants.count == 2)
    #expect(bobs.acceptanceStatus == .pending)
    #expect(bobs.role == .privateUser)
    #expect(bobs.permission == .readWrite)
    #expect(bobs.userIdentity.lookupInfo?.emailAddress == "bob@example.com")
    #expect(try alice.titles("Post") == ["A"])
    try await accept(left)
    #expect(try await known().participants.map(\.acceptanceStatus) == [.accepted, .accepted])
    try await leave(way)
    let last = try await known()
    last.removeParticipant(try #require(last.participants.last))
    #expect(try await engine.persist(last).participants.count == 1)
    #expect(try await known().participants.map(\.role) == [.owner])
  }

  // A participant can't be removed from the list of a public share: that raises an exception.
  @Test(
    "a participant by public link that leaves is removed from the list, and can join again [share-leave-2]",
    arguments: [Way.purge, .deleteShare, .deleteZone])
  func byLink(way: Way) async throws {
    let engine = try alice.require()
    let share = try await engine.share([post], to: nil).share
    share.publicPermission = .readWrite
    let saved = try await engine.persist(share)
    await alice.drain()
    for _ in 0..<2 {
      try await accept(saved)
      #expect(try await known().participants.map(\.role) == [.owner, .publicUser])
      try await leave(way)
      #expect(try await known().participants.map(\.role) == [.owner])
    }
  }
}
