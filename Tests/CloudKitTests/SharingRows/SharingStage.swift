import CloudKit
import Foundation
import LocalCloud
import LocalCloudService
import TestSupport
import Testing

/// The stage of the sharing rules: Alice's zone with a list and its child item. Bob and Carol have no access at first.
struct SharingStage {
  let cloud: TestCloud
  let alice: CKContainer
  let bob: CKContainer
  let carol: CKContainer
  /// Alice's zone, as other people name it.
  let theirs: CKRecordZone.ID

  init() async throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    bob = try cloud.container(of: "bob")
    carol = try cloud.container(of: "carol")
    theirs = CKRecordZone.ID(zoneName: testZoneID.zoneName, ownerName: try await alice.userRecordID().recordName)
    try await mine.save(CKRecordZone(zoneID: testZoneID))
    let list = note("list", "Groceries")
    _ = try await mine.modifyRecords(saving: [list, child("item", "Milk", of: "list")])
  }

  /// Alice's database.
  var mine: CKDatabase { alice.privateCloudDatabase }

  // MARK: Records

  func child(
    _ name: String, _ title: String? = nil, of parent: String, in zoneID: CKRecordZone.ID = testZoneID
  ) -> CKRecord {
    let record = note(name, title, in: zoneID)
    record.setParent(CKRecord.ID(recordName: parent, zoneID: zoneID))
    return record
  }

  /// The current state of a record of Alice's.
  func record(_ name: String) async throws -> CKRecord { try await mine.record(for: note(name).recordID) }

  /// The current state of a record of Alice's, as another person sees it.
  func record(_ name: String, seenBy person: CKContainer) async throws -> CKRecord {
    try await person.sharedCloudDatabase.record(for: there(name))
  }

  /// The ID of a record of Alice's for other people.
  func there(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: theirs) }

  /// The error code of another person's save of a title; nil for success.
  func writing(_ name: String, by person: CKContainer) async -> CKError.Code? {
    await code {
      let record = try await record(name, seenBy: person)
      record["title"] = "By somebody else"
      try await person.sharedCloudDatabase.save(record)
    }
  }

  // MARK: Shares

  func invitation(
    _ name: String, _ permission: CKShare.ParticipantPermission = .readWrite
  ) async throws -> CKShare.Participant {
    let participant = try await alice.shareParticipant(forEmailAddress: "\(name)@example.com")
    participant.permission = permission
    return participant
  }

  /// Alice shares a record and its descendants.
  @discardableResult
  func share(
    _ name: String = "list", with people: [String] = [], _ permission: CKShare.ParticipantPermission = .readWrite,
    open publicPermission: CKShare.ParticipantPermission = .none
  ) async throws -> CKShare {
    let root = try await record(name)
    let share = CKShare(rootRecord: root)
    share.publicPermission = publicPermission
    for person in people { share.addParticipant(try await invitation(person, permission)) }
    let (saves, _) = try await mine.modifyRecords(saving: [root, share])
    _ = try saves[root.recordID]?.get()
    return try #require(try saves[share.recordID]?.get() as? CKShare)
  }

  /// Alice shares the whole zone.
  func shareZone(open publicPermission: CKShare.ParticipantPermission) async throws -> CKShare {
    let share = CKShare(recordZoneID: testZoneID)
    share.publicPermission = publicPermission
    return try #require(try await mine.save(share) as? CKShare)
  }

  /// The person accepts the share. Returns the share as that person sees it.
  @discardableResult
  func join(_ person: CKContainer, _ share: CKShare) async throws -> CKShare {
    try await person.accept(try await metadata(share, for: person))
  }

  func metadata(_ share: CKShare, for person: CKContainer) async throws -> CKShare.Metadata {
    try await person.shareMetadata(for: try #require(share.url))
  }

  /// The current state of a share of Alice's.
  func current(_ share: CKShare) async throws -> CKShare {
    try #require(try await record(share.recordID.recordName) as? CKShare)
  }

  /// The current state of a share of Alice's, as another person sees it.
  func current(_ share: CKShare, seenBy person: CKContainer) async throws -> CKShare {
    try #require(try await record(share.recordID.recordName, seenBy: person) as? CKShare)
  }

  /// Alice changes a share.
  @discardableResult
  func edit(_ share: CKShare, _ change: (CKShare) async throws -> Void) async throws -> CKShare {
    let current = try await current(share)
    try await change(current)
    try await mine.save(current)
    return current
  }

  /// Adds an address to an account, as after a verification.
  func verify(_ address: String, of account: String) throws {
    var changes = AccountChanges()
    changes.emails = ["\(account)@example.com", address]
    _ = try cloud.cloud.service.accounts.setAccount(account, changes)
  }

  // MARK: Feeds

  /// A person's changes in Alice's zone, by record names.
  struct Changes {
    var changed: Set<String>
    var deleted: [String: CKRecord.RecordType]
    var token: CKServerChangeToken
  }

  func changes(for person: CKContainer, since token: CKServerChangeToken? = nil) async throws -> Changes {
    try await changes(person.sharedCloudDatabase, theirs, token)
  }

  func changesForAlice(since token: CKServerChangeToken? = nil) async throws -> Changes {
    try await changes(mine, testZoneID, token)
  }

  private func changes(
    _ database: CKDatabase, _ zoneID: CKRecordZone.ID, _ token: CKServerChangeToken?
  ) async throws -> Changes {
    let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
    return Changes(
      changed: Set(page.modificationResultsByID.keys.map(\.recordName)),
      deleted: Dictionary(
        page.deletions.map { ($0.recordID.recordName, $0.recordType) }, uniquingKeysWith: { first, _ in first }),
      token: page.changeToken)
  }
}

extension CKShare {
  /// The participants' roles. They are the same in each run.
  var roles: [CKShare.ParticipantRole] { participants.map(\.role) }
  var statuses: [CKShare.ParticipantAcceptanceStatus] { participants.map(\.acceptanceStatus) }
}
