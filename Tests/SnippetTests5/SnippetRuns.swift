import CloudKit
import LocalCloud
import TestSupport
import Testing

/// Runs Apple's samples with several people in one process.
@Suite("Apple's samples")
struct SnippetRuns {
  let cloud: TemporaryCloud

  init() throws {
    cloud = try TemporaryCloud()
  }

  private func container(of account: String) throws -> CKContainer {
    try LocalCloud.acting(as: account, root: cloud.path) { CKContainer(identifier: "iCloud.test") }
  }

  @Test func sharingContacts() async throws {
    let alice = SharingApp(try container(of: "alice"))
    let bob = SharingApp(try container(of: "bob"))
    try await alice.privateCloudDatabase.save(alice.recordZone)
    try await alice.addContact(name: "Ada", phoneNumber: "1815")
    let page = try await alice.privateCloudDatabase.recordZoneChanges(inZoneWith: alice.recordZone.zoneID, since: nil)
    let contact = try #require(page.modificationResultsByID.values.first).get().record
    let share = try await alice.createShare(contactRecord: contact)
    let number = try await alice.searchByPhoneNumber()
    #expect(!number.userIdentity.hasiCloudAccount)
    let address = try await alice.searchByEmailAddress()
    #expect(address.userIdentity.lookupInfo?.emailAddress == "dave_knox@icloud.com")
    let participant = try await alice.search(byUserRecordID: try await bob.container.userRecordID())
    try await alice.addParticipant(participant, to: share)
    try await bob.confirmShareParticipation(from: try #require(share.url))
    let zones = try await bob.sharedCloudDatabase.allRecordZones()
    try await bob.fetchSharedContacts(in: try #require(zones.first))
    #expect(bob.contacts.contains { $0["name"] as? String == "Ada" && $0["phoneNumber"] as? String == "1815" })
  }

  @Test func acceptingAnInvitation() async throws {
    let alice = SharingApp(try container(of: "alice"))
    try await alice.privateCloudDatabase.save(alice.recordZone)
    let contact = CKRecord(recordType: "Contact", recordID: CKRecord.ID(zoneID: alice.recordZone.zoneID))
    let share = try await alice.createShare(contactRecord: contact)
    let address = try await alice.container.shareParticipant(forEmailAddress: "bob@example.com")
    try await alice.addParticipant(address, to: share)
    try await LocalCloud.acting(as: "bob", root: cloud.path) {
      let bob = SharingApp(CKContainer(identifier: "iCloud.test"))
      let metadata = try await bob.container.shareMetadata(for: try #require(share.url))
      bob.application(UIApplication(), userDidAcceptCloudKitShareWith: metadata)
      while try await bob.sharedCloudDatabase.allRecordZones().isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  @Test func deletingPeople() async throws {
    let database = try container(of: "alice").privateCloudDatabase
    let handlers = PeopleWithHandlers(database)
    try await handlers.addPeople()
    let result = await withCheckedContinuation { done in
      handlers.deleteLastPerson { done.resume(returning: $0) }
    }
    if case .failure(let error) = result { Issue.record(error) }
    try await PeopleWithFunctions(database).deleteLastPerson()
    try await PeopleWithSingleFunctions(database).deleteLastPerson()
    let functions = PeopleWithFunctions(database)
    try await functions.deleteLastPeople()
    #expect(functions.reportedErrors.isEmpty)
    let left = try await database.records(for: [functions.lastPersonRecordId, functions.penultimatePersonRecordId])
    #expect(left.values.allSatisfy { (try? $0.get()) == nil })
  }

  @Test func sharingAHierarchy() async throws {
    let people = PeopleWithFunctions(try container(of: "alice").privateCloudDatabase)
    let hierarchy = people.setUpHierarchy()
    try await people.database.save(hierarchy.zone)
    _ = try await people.database.modifyRecords(saving: hierarchy.records, deleting: [])
    let share = await people.shareHierarchy(of: hierarchy.folder)
    #expect(share.url != nil)
    #expect(people.useEncryptedValues(of: hierarchy.folder) == "Sensitive value")
  }

  @Test func blocksOfAnOperation() async throws {
    let people = PeopleWithFunctions(try container(of: "alice").privateCloudDatabase)
    let operation = CKFetchRecordsOperation(recordIDs: [people.lastPersonRecordId])
    people.reportErrorsInCompletionBlocks(of: operation)
    people.reportErrorsInResultBlocks(of: operation)
    await withCheckedContinuation { done in
      operation.completionBlock = { done.resume() }
      people.database.add(operation)
    }
    #expect(operation.isFinished)
  }
}
