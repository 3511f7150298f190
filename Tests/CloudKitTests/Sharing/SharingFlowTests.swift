import CloudKit
import Foundation
import LocalCloud
import LocalCloudStorage
import Testing

@Suite("Sharing between people")
struct SharingFlowTests {
  let cloud: TestCloud
  let alice: CKContainer
  let bob: CKContainer

  init() throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    bob = try cloud.container(of: "bob")
  }

  /// Alice's list with an item. The list is shared with Bob. He has not accepted.
  private func share(_ permission: CKShare.ParticipantPermission = .readWrite) async throws -> (CKRecord, CKShare) {
    let database = alice.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let root = note("list", "Groceries")
    let child = note("item", "Milk")
    child.setParent(root)
    try await database.modifyRecords(saving: [child, root])
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "Our list"
    let participant = try await alice.shareParticipant(forEmailAddress: "bob@example.com")
    #expect(participant.acceptanceStatus == .unknown)
    #expect(participant.userIdentity.hasiCloudAccount)
    participant.permission = permission
    share.addParticipant(participant)
    let (results, _) = try await database.modifyRecords(saving: [root, share])
    let saved = try #require(results[share.recordID]?.value as? CKShare)
    #expect(saved !== share)
    #expect(saved.url == share.url)
    #expect(share.url != nil)
    #expect(root.share?.recordID == share.recordID)
    #expect(share.recordChangeTag != nil)
    #expect(share.participants.map(\.acceptanceStatus) == [.accepted, .pending])
    #expect(share.participants[1] === participant)
    #expect(share.owner.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(share.currentUserParticipant === share.owner)
    #expect(saved.participants[1] !== participant)
    #expect(saved.participants[1] == participant)
    return (root, share)
  }

  @Test func fromInvitationToLeaving() async throws {
    let (root, share) = try await share()
    let url = try #require(share.url)
    let before = try await bob.sharedCloudDatabase.databaseChanges(since: nil)
    #expect(before.modifications.isEmpty)

    let metadata = try await bob.shareMetadata(for: url)
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readWrite)
    #expect(metadata.containerIdentifier == "iCloud.test")
    #expect(metadata.rootRecord == nil)
    #expect(metadata.hierarchicalRootRecordID?.recordName == "list")
    let kept = try archived(metadata)
    let joined = try await bob.accept(try #require(kept))
    #expect(joined.currentUserParticipant?.acceptanceStatus == .accepted)
    #expect(joined.currentUserParticipant?.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(joined[CKShare.SystemFieldKey.title] as? String == "Our list")

    let database = bob.sharedCloudDatabase
    let changes = try await database.databaseChanges(since: before.changeToken)
    let zoneID = try #require(changes.modifications.first?.zoneID)
    let owner = try await alice.userRecordID().recordName
    #expect(zoneID.zoneName == "Home")
    #expect(zoneID.ownerName == owner)
    #expect(try await database.allRecordZones().map(\.zoneID) == [zoneID])
    let records = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil)
    #expect(Set(records.modificationResultsByID.keys.map(\.recordName)) == ["list", "item", share.recordID.recordName])
    let seen = try await database.record(for: CKRecord.ID(recordName: "item", zoneID: zoneID))
    #expect(seen.parent?.recordID == CKRecord.ID(recordName: "list", zoneID: zoneID))
    #expect(seen.creatorUserRecordID?.recordName == owner)

    seen["title"] = "Oat milk"
    try await database.save(seen)
    let bobsName = try await bob.userRecordID().recordName
    let atAlice = try await alice.privateCloudDatabase.record(for: note("item").recordID)
    #expect(atAlice["title"] as? String == "Oat milk")
    #expect(atAlice.lastModifiedUserRecordID?.recordName == bobsName)
    #expect(atAlice.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
    let own = note("bobs", "Bread", in: zoneID)
    #expect(await code { _ = try await database.save(own) } == .permissionFailure)
    own.setParent(CKRecord.ID(recordName: "list", zoneID: zoneID))
    try await database.save(own)
    #expect(own.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)

    // Deleting the root in the shared database leaves the share.
    try await database.deleteRecord(withID: CKRecord.ID(recordName: "list", zoneID: zoneID))
    let gone = try await database.databaseChanges(since: changes.changeToken)
    #expect(gone.deletions.map(\.zoneID) == [zoneID])
    let left = try await alice.privateCloudDatabase.record(for: root.recordID)
    #expect(left.share?.recordID == share.recordID)
  }

  @Test func stopping() async throws {
    let (root, share) = try await share()
    try await bob.accept(try await bob.shareMetadata(for: try #require(share.url)))
    let token = try await bob.sharedCloudDatabase.databaseChanges(since: nil).changeToken
    let fresh = try await alice.privateCloudDatabase.record(for: root.recordID)
    try await alice.privateCloudDatabase.modifyRecords(saving: [fresh], deleting: [share.recordID])
    #expect(fresh.share == nil)
    #expect(try await bob.sharedCloudDatabase.databaseChanges(since: token).deletions.count == 1)
    #expect(await code { _ = try await bob.shareMetadata(for: try #require(share.url)) } == .unknownItem)
  }

  @Test(
    "a conflict of an archived share has an ancestor, also for an archive of its system fields",
    arguments: [true, false])
  func archivedShare(isWhole: Bool) async throws {
    let (_, share) = try await share(.readOnly)
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    if isWhole { share.encode(with: coder) } else { share.encodeSystemFields(with: coder) }
    let copy = CKShare(coder: try NSKeyedUnarchiver(forReadingFrom: coder.encodedData))
    _ = try await bob.accept(try await bob.shareMetadata(for: try #require(share.url)))
    copy.publicPermission = .readWrite
    do {
      try await alice.privateCloudDatabase.save(copy)
      Issue.record("no conflict")
    } catch let error as CKError {
      #expect(error.code == .serverRecordChanged)
      let ancestor = try #require(error.ancestorRecord as? CKShare)
      #expect(ancestor.publicPermission == .none)
      #expect(ancestor.participants.map(\.permission) == [.readWrite, .readOnly])
      #expect((error.clientRecord as? CKShare)?.publicPermission == .readWrite)
    }
  }

  @Test func editingAShare() async throws {
    let (_, share) = try await share(.readOnly)
    let database = alice.privateCloudDatabase
    let url = try #require(share.url)
    let joined = try await bob.accept(try await bob.shareMetadata(for: url))
    let zoneID = joined.recordID.zoneID
    let item = try await bob.sharedCloudDatabase.record(for: CKRecord.ID(recordName: "item", zoneID: zoneID))
    item["title"] = "no"
    #expect(await code { _ = try await bob.sharedCloudDatabase.save(item) } == .permissionFailure)

    // The share has changed since then, because Bob has joined.
    share.participants[1].permission = .readWrite
    do {
      try await database.save(share)
      Issue.record("no conflict")
    } catch let error as CKError {
      #expect(error.code == .serverRecordChanged)
      #expect((error.ancestorRecord as? CKShare)?.participants[1].permission == .readOnly)
      #expect((error.clientRecord as? CKShare)?.participants[1].permission == .readWrite)
      #expect((error.serverRecord as? CKShare)?.participants[1].acceptanceStatus == .accepted)
    }
    let fresh = try #require(try await database.record(for: share.recordID) as? CKShare)
    #expect(fresh.participants[1].acceptanceStatus == .accepted)
    fresh.participants[1].permission = .readWrite
    try await database.save(fresh)
    try await bob.sharedCloudDatabase.save(item)
    fresh.removeParticipant(fresh.participants[1])
    try await database.save(fresh)
    #expect(await code { _ = try await bob.sharedCloudDatabase.record(for: item.recordID) } == .zoneNotFound)
    #expect(fresh.participants.count == 1)

    fresh.publicPermission = .readOnly
    try await database.save(fresh)
    let carol = try cloud.container(of: "carol")
    let metadata = try await carol.shareMetadata(for: url)
    #expect(metadata.participantRole == .publicUser)
    #expect(metadata.participantPermission == .readOnly)
    let results = try await carol.accept([metadata])
    #expect(results[metadata]?.value?.currentUserParticipant?.role == .publicUser)
  }

  @Test func refusals() async throws {
    let (root, share) = try await share()
    let url = try #require(share.url)
    let carol = try cloud.container(of: "carol")
    #expect(await code { _ = try await carol.shareMetadata(for: url) } == .unknownItem)
    let own = try await alice.shareMetadata(for: url)
    #expect(own.participantRole == .owner)
    #expect(own.share.recordID == share.recordID)
    #expect(await code { _ = try await alice.accept(own) } == .invalidArguments)
    let bobs = try await bob.shareMetadata(for: url)
    #expect(await code { _ = try await carol.accept(bobs) } == .permissionFailure)
    let elsewhere = try LocalContainer.make(cloud, "bob", "iCloud.other")
    #expect(await code { _ = try await elsewhere.accept(bobs) } == .badContainer)
    #expect(try await elsewhere.shareMetadata(for: url).containerIdentifier == "iCloud.test")
    let nobody = try cloud.container(of: nil)
    #expect(await code { _ = try await nobody.shareMetadata(for: url) } == .notAuthenticated)
    let second = CKShare(rootRecord: root)
    #expect(await code { _ = try await alice.privateCloudDatabase.save(second) } == .invalidArguments)
    let results = try await alice.privateCloudDatabase.modifyRecords(saving: [root, second]).saveResults
    #expect(results[second.recordID]?.code == .alreadyShared)
  }

  @Test func leavingByTheListOfParticipants() async throws {
    let (_, share) = try await share()
    let joined = try await bob.accept(try await bob.shareMetadata(for: try #require(share.url)))
    joined.removeParticipant(try #require(joined.currentUserParticipant))
    try await bob.sharedCloudDatabase.save(joined)
    #expect(try await bob.sharedCloudDatabase.allRecordZones().isEmpty)
    let fresh = try await alice.privateCloudDatabase.record(for: share.recordID) as? CKShare
    #expect(fresh?.participants.map(\.acceptanceStatus) == [.accepted, .pending])
  }

  @available(*, deprecated)
  @Test func operations() async throws {
    let (_, share) = try await share()
    let url = try #require(share.url)
    let dead = try #require(URL(string: "https://www.icloud.com/share/0dead"))
    let journal = Journal()
    let found = Collector<CKShare.Metadata>()
    let fetch = CKFetchShareMetadataOperation(shareURLs: [url, dead])
    fetch.shouldFetchRootRecord = true
    fetch.rootRecordDesiredKeys = ["title"]
    fetch.perShareMetadataBlock = { url, metadata, error in
      journal.write(
        "\(metadata?.rootRecord?["title"] as? String ?? "none") \((error as? CKError)?.code == .unknownItem)")
      if let metadata { found.append(metadata) }
    }
    fetch.fetchShareMetadataResultBlock = { journal.write("\($0.value != nil)") }
    fetch.fetchShareMetadataCompletionBlock = { error in
      journal.write("\((error as? CKError)?.partialErrorsByItemID?[dead] != nil)")
    }
    await withCheckedContinuation { done in
      fetch.completionBlock = { done.resume() }
      bob.add(fetch)
    }
    #expect(journal.lines == ["Groceries false", "none true", "true", "true"])
    let accept = CKAcceptSharesOperation(shareMetadatas: found.values)
    accept.perShareCompletionBlock = { _, share, error in journal.write("\(share != nil) \(error == nil)") }
    accept.acceptSharesCompletionBlock = { error in journal.write("\(error == nil)") }
    await withCheckedContinuation { done in
      accept.completionBlock = { done.resume() }
      bob.add(accept)
    }
    #expect(journal.lines.suffix(2) == ["true true", "true"])
    let people = CKFetchShareParticipantsOperation(userIdentityLookupInfos: [
      CKUserIdentity.LookupInfo(emailAddress: "carol@example.com"), CKUserIdentity.LookupInfo(emailAddress: "carol"),
    ])
    people.shareParticipantFetchedBlock = { journal.write($0.userIdentity.nameComponents?.givenName ?? "") }
    people.fetchShareParticipantsCompletionBlock = { error in
      journal.write("\((error as? CKError)?.code == .partialFailure)")
    }
    await withCheckedContinuation { done in
      people.completionBlock = { done.resume() }
      alice.add(people)
    }
    #expect(journal.lines.suffix(2) == ["Carol", "true"])
  }

  @Test func people() async throws {
    let unknown = try await alice.shareParticipant(forEmailAddress: "zoe@example.com")
    #expect(!unknown.userIdentity.hasiCloudAccount)
    #expect(unknown.userIdentity.userRecordID == nil)
    #expect(unknown.userIdentity.lookupInfo?.emailAddress == "zoe@example.com")
    #expect(await code { _ = try await alice.shareParticipant(forEmailAddress: "zoe") } == .invalidArguments)
    let bobsID = try await bob.userRecordID()
    let bob = try await alice.shareParticipant(forUserRecordID: bobsID)
    #expect(bob.userIdentity.userRecordID == bobsID)
    #expect(bob.userIdentity.nameComponents?.givenName == "Bob")
    let nobody = CKRecord.ID(recordName: "_0")
    let both = try await alice.shareParticipants(forUserRecordIDs: [bobsID, nobody])
    #expect(both[bobsID]?.value == bob)
    #expect(both[nobody]?.code == .unknownItem)
    let numbers = try await alice.shareParticipants(forPhoneNumbers: ["417-555-9311", "x"])
    #expect(numbers["417-555-9311"]?.value != nil)
    #expect(numbers["x"]?.code == .invalidArguments)
    let me = try await alice.shareParticipant(forEmailAddress: "alice@example.com")
    #expect(me.role == .owner)
    #expect(me.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
    let found = await withCheckedContinuation { done in
      alice.fetchShareParticipant(withEmailAddress: "bob@example.com") { person, _ in done.resume(returning: person) }
    }
    #expect(found == bob)
  }
}

private enum LocalContainer {
  static func make(_ cloud: TestCloud, _ account: String, _ name: String) throws -> CKContainer {
    try LocalCloud.acting(as: account, root: cloud.cloud.path) { CKContainer(identifier: name) }
  }
}
