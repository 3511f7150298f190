import CloudKit
import Foundation
import Testing

/// Forged requests through Apple's types. Bob may read the shared `root`. Carol is invited to nothing. Each
/// forged request must fail as the corresponding honest one.
@Suite("Attacks by apps")
struct AppAttackerTests {
  let cloud: TestCloud
  let alice: CKContainer
  let bob: CKContainer
  let carol: CKContainer
  let url: URL
  let zoneID: CKRecordZone.ID

  init() async throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    bob = try cloud.container(of: "bob")
    carol = try cloud.container(of: "carol")
    let database = alice.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let root = note("root", "1")
    try await database.save(root)
    try await database.save(note("hidden", "1"))
    let share = CKShare(rootRecord: root)
    share.addParticipant(try await alice.shareParticipant(forEmailAddress: "bob@example.com"))
    try await database.modifyRecords(saving: [root, share])
    url = try #require(share.url)
    zoneID = try await bob.accept(try await bob.shareMetadata(for: url)).recordID.zoneID
  }

  private func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zoneID) }

  private func shareID() async throws -> CKRecord.ID {
    id(try #require(try await bob.sharedCloudDatabase.record(for: id("root")).share).recordID.recordName)
  }

  /// All texts of an error, without the given name and without the IDs of the operation and the request.
  private func words(
    forgetting name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async -> [String] {
    do {
      try await body()
      return ["it was done"]
    } catch {
      let error = error as NSError
      let numbers = ["RequestUUID", "OperationID"]
      let info = error.userInfo.filter { !numbers.contains($0.key) }.map { "\($0.key) = \($0.value)" }.sorted()
      return ([error.domain, "\(error.code)", error.localizedDescription] + info).map {
        name.isEmpty ? $0 : $0.replacingOccurrences(of: name, with: "…")
      }
    }
  }

  private func alike(
    _ code: CKError.Code, there: String, missing: String, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (String) async throws -> Void
  ) async {
    let texts = await words(forgetting: there) { try await body(there) }
    #expect(texts == (await words(forgetting: missing) { try await body(missing) }), sourceLocation: sourceLocation)
    #expect(texts.dropFirst().first == "\(code.rawValue)", sourceLocation: sourceLocation)
  }

  @Test func forgedShares() async throws {
    let database = bob.sharedCloudDatabase
    let shareID = try await shareID()
    let forgeries: [(CKShare) -> Void] = [
      { $0.publicPermission = .readWrite },
      { $0.currentUserParticipant?.permission = .readWrite },
      { $0.currentUserParticipant?.role = .owner },
      { $0[CKShare.SystemFieldKey.title] = "Mine" },
      { $0["shortGUID"] = "0mine" },
      { $0.owner.permission = .readOnly },
    ]
    for (index, forgery) in forgeries.enumerated() {
      let share = try #require(try await database.record(for: shareID) as? CKShare)
      forgery(share)
      #expect(await code { try await database.save(share) } == .permissionFailure, "\(index)")
    }
    // Values that Apple's API can't set, set in the internal state.
    let states: [(inout ShareState) -> Void] = [
      {
        var state = $0.participants[1].state
        state.participantID = $0.participants[0].participantID
        $0.participants[1] = CKShareParticipant(state: state)
      },
      {
        var state = $0.participants[1].state
        (state.role, state.permission) = (.owner, .readWrite)
        $0.participants = [CKShareParticipant(state: state)]
      },
      { $0.participants.append(participant("carol@example.com", status: .accepted, permission: .readWrite)) },
      { $0.participants = [$0.participants[1]] },
    ]
    for (index, forgery) in states.enumerated() {
      var state = try await database.record(for: shareID).state
      var list = try #require(state.shareState)
      forgery(&list)
      state.shareState = list
      let forged = CKShare(state: state)
      #expect(await code { try await database.save(forged) } == .permissionFailure, "\(index)")
    }
    let after = try #require(try await alice.privateCloudDatabase.record(for: inTestZone(shareID)) as? CKShare)
    #expect(after.participants.map(\.permission) == [.readWrite, .readOnly])
    #expect(after.publicPermission == .none)
    #expect(after.url == url)
    #expect(after[CKShare.SystemFieldKey.title] == nil)
    #expect(await code { _ = try await carol.shareMetadata(for: url) } == .unknownItem)
  }

  private func inTestZone(_ recordID: CKRecord.ID) -> CKRecord.ID {
    CKRecord.ID(recordName: recordID.recordName, zoneID: testZoneID)
  }

  @Test func sharesOfOtherPeoplesRecords() async throws {
    let database = bob.sharedCloudDatabase
    let root = try await database.record(for: id("root"))
    var state = root.state
    state.share = nil
    let copy = CKRecord.make(state: state)
    let share = CKShare(rootRecord: copy)
    share.publicPermission = .readWrite
    let (results, _) = try await database.modifyRecords(saving: [copy, share])
    #expect(results[share.recordID]?.code == .permissionFailure)
    #expect(await code { try await database.save(CKShare(recordZoneID: zoneID)) } == .permissionFailure)
    #expect(try await alice.privateCloudDatabase.recordZone(for: testZoneID).share == nil)
  }

  // [record-system-2]
  @Test func forgedSystemFields() async throws {
    // In the public database a record's creator decides about write permission.
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "open"))
    try await alice.publicCloudDatabase.save(record)
    let bobsName = try await bob.userRecordID().recordName
    var state = try await bob.publicCloudDatabase.record(for: record.recordID).state
    state.creator = CKRecord.ID(recordName: CKCurrentUserDefaultName)
    state.lastModifier = CKRecord.ID(recordName: bobsName)
    state.creationDate = .distantPast
    state.set(.string("mine"), forKey: "title")
    let forged = CKRecord.make(state: state)
    for policy in [CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
      let (results, _) = try await bob.publicCloudDatabase.modifyRecords(
        saving: [forged], deleting: [], savePolicy: policy)
      #expect(results[record.recordID]?.code == .permissionFailure)
    }

    // Forged system fields of the user's own record are ignored.
    let own = note("own", "1")
    try await alice.privateCloudDatabase.save(own)
    var later = own.state
    later.creator = CKRecord.ID(recordName: bobsName)
    later.lastModifier = CKRecord.ID(recordName: bobsName)
    later.creationDate = .distantFuture
    later.modificationDate = .distantPast
    later.share = CKRecord.Reference(
      recordID: CKRecord.ID(recordName: "root", zoneID: testZoneID), action: .none)
    later.set(.string("2"), forKey: "title")
    try await alice.privateCloudDatabase.save(CKRecord.make(state: later))
    let saved = try await alice.privateCloudDatabase.record(for: own.recordID)
    #expect(saved["title"] as? String == "2")
    #expect(saved.share == nil)
    #expect(saved.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(saved.lastModifiedUserRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(saved.creationDate == own.creationDate)
    #expect(saved.modificationDate != .distantPast)
    for tag in ["zz", "", "1", String(repeating: "z", count: 10_000)] {
      var state = saved.state
      state.changeTag = tag
      let stale = CKRecord.make(state: state)
      #expect(
        await code { try await alice.privateCloudDatabase.save(stale) } == .serverRecordChanged, "\(tag.prefix(20))")
    }
  }

  @Test func forgedMetadata() async throws {
    let metadata = try await bob.shareMetadata(for: url)
    func forged(_ container: String = "iCloud.test", url: URL? = nil) -> CKShare.Metadata {
      var state = metadata.share.state
      if let url { state.shareState?.url = url }
      return CKShareMetadata(
        containerIdentifier: container, share: CKShare(state: state), hierarchicalRootRecordID: id("hidden"),
        rootRecord: nil, participantRole: .owner, participantStatus: .accepted, participantPermission: .readWrite,
        ownerIdentity: metadata.ownerIdentity)
    }
    #expect(await code { try await carol.accept(forged()) } == .permissionFailure)
    let elsewhere = try await cloud.acting(as: "carol") { _ in CKContainer(identifier: "iCloud.elsewhere") }
    #expect(await code { try await elsewhere.accept(forged("iCloud.elsewhere")) } == .badContainer)
    for text in ["https://www.icloud.com/share/../../cloud", "https://www.icloud.com/share/", "file:///etc/passwd"] {
      #expect(await code { try await bob.accept(forged(url: URL(string: text))) } == .unknownItem)
    }
    // Forged metadata gives no write permission to a read-only participant.
    try await bob.accept(forged())
    let record = try await bob.sharedCloudDatabase.record(for: id("root"))
    record["title"] = "2"
    #expect(await code { try await bob.sharedCloudDatabase.save(record) } == .permissionFailure)
    #expect(await code { _ = try await bob.sharedCloudDatabase.record(for: id("hidden")) } == .unknownItem)
    #expect(try await carol.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test func linksSayTheSameDeadOrAlive() async {
    let never = "https://www.icloud.com/share/0never"
    await alike(.unknownItem, there: url.absoluteString, missing: never) { text in
      _ = try await carol.shareMetadata(for: try #require(URL(string: text)))
    }
    for end in ["x", "/", "/..", "%2F..", ".json"] {
      await alike(.unknownItem, there: url.absoluteString + end, missing: never) { text in
        _ = try await bob.shareMetadata(for: try #require(URL(string: text)))
      }
    }
  }

  @Test func recordsAndZonesSayTheSameThereOrNot() async throws {
    let database = bob.sharedCloudDatabase
    let tag = try await alice.privateCloudDatabase.record(for: note("hidden").recordID).recordChangeTag
    await alike(.unknownItem, there: "hidden", missing: "nothing") { _ = try await database.record(for: id($0)) }
    await alike(.unknownItem, there: "hidden", missing: "nothing") { name in
      var state = note(name, "2", in: zoneID).state
      state.changeTag = tag
      try await database.save(CKRecord.make(state: state))
    }
    await alike(.permissionFailure, there: "hidden", missing: "nothing") {
      try await database.save(note($0, "2", in: zoneID))
    }
    await alike(.permissionFailure, there: "hidden", missing: "nothing") { name in
      let child = note("new", in: zoneID)
      child.setParent(id(name))
      try await database.save(child)
    }
    for name in ["hidden", "nothing"] { try await database.deleteRecord(withID: id(name)) }
    let strangers = carol.sharedCloudDatabase
    let owner = zoneID.ownerName
    await alike(.zoneNotFound, there: "Home", missing: "Nowhere") { name in
      let zoneID = CKRecordZone.ID(zoneName: name, ownerName: owner)
      _ = try await strangers.record(for: CKRecord.ID(recordName: "root", zoneID: zoneID))
    }
    await alike(.zoneNotFound, there: "Home", missing: "Nowhere") { name in
      _ = try await strangers.recordZone(for: CKRecordZone.ID(zoneName: name, ownerName: owner))
    }
    await alike(.zoneNotFound, there: owner, missing: "_nobody") { name in
      let zoneID = CKRecordZone.ID(zoneName: "Home", ownerName: name)
      _ = try await strangers.recordZoneChanges(inZoneWith: zoneID, since: nil)
    }
    await alike(.invalidArguments, there: owner, missing: "_nobody") { name in
      let zoneID = CKRecordZone.ID(zoneName: "Home", ownerName: name)
      _ = try await carol.privateCloudDatabase.record(for: CKRecord.ID(recordName: "root", zoneID: zoneID))
    }
    #expect(try await alice.privateCloudDatabase.record(for: note("hidden").recordID)["title"] as? String == "1")
  }
}
