import CloudKit
import LocalCloud
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

@Suite("A container's three databases, and the public one with several users")
struct PublicDatabaseTests {
  private let cloud: TestCloud
  private let id = CKRecord.ID(recordName: "post")

  init() throws { cloud = try TestCloud() }

  private func post(_ text: String, _ name: String = "post") -> CKRecord {
    let record = CKRecord(recordType: "Post", recordID: CKRecord.ID(recordName: name))
    record["text"] = text
    return record
  }

  /// The form in logs: `10/2007` and the server's words.
  private func failure(_ error: (any Error)?) -> String? {
    guard let error = error as? CKError else { return nil }
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    return "\(error.errorCode)/\(underlying?.code ?? 0) \(error.userInfo["ServerErrorDescription"] as? String ?? "")"
  }

  // [record-name-4]
  @Test("a container has one public, one private and one shared database with separate records")
  func containerHasOnePublicOnePrivate() async throws {
    try await cloud.acting(as: "alice") { container in
      let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
      #expect(scopes.map(\.rawValue) == [1, 2, 3])
      #expect(scopes.map { container.database(with: $0).databaseScope } == scopes)
      #expect(container.database(with: .public) === container.publicCloudDatabase)
      try await container.publicCloudDatabase.save(post("public"))
      try await container.privateCloudDatabase.save(post("private"))
      #expect(try await container.publicCloudDatabase.record(for: id)["text"] as? String == "public")
      #expect(try await container.privateCloudDatabase.record(for: id)["text"] as? String == "private")
      #expect(try await container.sharedCloudDatabase.allRecordZones().isEmpty)
    }
    try await cloud.acting(as: "bob") { container in
      let found = try await container.publicCloudDatabase.record(for: id)
      #expect(found["text"] as? String == "public")
      #expect(await code { _ = try await container.privateCloudDatabase.record(for: id) } == .unknownItem)
    }
  }

  @Test("a record's creator has the default name for themselves and the real name for others ([record-system-4])")
  func recordsCreatorHasTheDefaultName() async throws {
    let names = try await ["alice", "bob"].asyncMap { name in
      try await cloud.acting(as: name) { try await $0.userRecordID().recordName }
    }
    try await cloud.acting(as: "alice") { container in
      let saved = try await container.publicCloudDatabase.save(post("1"))
      #expect(saved.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
      #expect(saved.lastModifiedUserRecordID?.recordName == CKCurrentUserDefaultName)
    }
    for (person, name) in [("bob", names[0]), (nil, names[0]), ("alice", CKCurrentUserDefaultName)] {
      try await cloud.acting(as: person) { container in
        let record = try await container.publicCloudDatabase.record(for: id)
        #expect(record.creatorUserRecordID?.recordName == name)
        #expect(record.lastModifiedUserRecordID?.recordName == name)
        #expect(record.recordID == id)
        #expect(record.recordID.zoneID.ownerName == CKCurrentUserDefaultName)
        let zones = try await container.publicCloudDatabase.allRecordZones()
        #expect(zones.map(\.zoneID) == [.default])
        #expect(zones[0].capabilities == [])
      }
    }
    // The creator's user record can be fetched by the name that others see.
    try await cloud.acting(as: "bob") { container in
      let user = try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: names[0]))
      #expect(user.recordType == CKRecord.SystemType.userRecord)
    }
  }

  @Test(
    "a user can't change or delete other users' records in the public database; the other items of a batch are saved")
  func userCannotChangeOrDeleteOtherUsers() async throws {
    try await cloud.acting(as: "alice") { _ = try await $0.publicCloudDatabase.save(post("hers")) }
    try await cloud.acting(as: "bob") { container in
      let database = container.publicCloudDatabase
      let hers = try await database.record(for: id)
      hers["text"] = "mine"
      for policy in [CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
        let (saves, deletes) = try await database.modifyRecords(
          saving: [hers, post("new", "\(policy.rawValue)")], deleting: [CKRecord.ID(recordName: "absent")],
          savePolicy: policy, atomically: true)
        #expect(failure(saves[id]?.failure) == "10/2007 WRITE operation not permitted")
        #expect(saves[CKRecord.ID(recordName: "\(policy.rawValue)")]?.value != nil)
        #expect(deletes.values.allSatisfy { $0.code == nil })
      }
      let (_, deletes) = try await database.modifyRecords(saving: [], deleting: [id])
      #expect(failure(deletes[id]?.failure) == "10/2007 WRITE operation not permitted")
      let stranger = CKRecord(recordType: "Users", recordID: CKRecord.ID(recordName: "somebody"))
      let (saves, _) = try await database.modifyRecords(saving: [stranger], deleting: [])
      #expect(failure(saves[stranger.recordID]?.failure) == "10/2007 CREATE operation not permitted")
      let query = CKQuery(recordType: "Post", predicate: NSPredicate(value: true))
      #expect(try await database.records(matching: query).matchResults.count == 4)
      let users = CKQuery(recordType: "Users", predicate: NSPredicate(value: true))
      #expect(await code { _ = try await database.records(matching: users) } == .permissionFailure)
    }
    try await cloud.acting(as: "alice") { _ = try await $0.publicCloudDatabase.deleteRecord(withID: id) }
  }

  @Test("LocalCloud adds an account to a role of the schema, and removes it ([record-role-1], [record-role-3])")
  func roles() async throws {
    _ = try cloud.cloud.service.schemas.importSchema(
      "DEFINE SCHEMA CREATE ROLE Editors; RECORD TYPE Post (text STRING, GRANT CREATE TO Editors);",
      by: cloud.cloud.caller("alice"))
    func administer(_ body: () throws -> Void) throws {
      try LocalCloud.acting(as: nil, root: cloud.cloud.path, container: "iCloud.test", body)
    }
    func saving(_ name: String) async throws -> CKError.Code? {
      try await cloud.acting(as: "bob") { container in
        await code { try await container.publicCloudDatabase.save(post("1", name)) }
      }
    }
    #expect(try await saving("a") == .permissionFailure)
    try administer { try LocalCloud.addRole("Editors", to: "bob") }
    #expect(try await saving("a") == nil)
    try administer { try LocalCloud.removeRole("Editors", from: "bob") }
    #expect(try await saving("b") == .permissionFailure)
    #expect(await code { try administer { try LocalCloud.addRole("Writers", to: "bob") } } == .unknownItem)
    #expect(await code { try administer { try LocalCloud.addRole("Editors", to: "dave") } } == .notAuthenticated)
  }

  @Test("the public database refuses custom zones, feeds, shares and parents")
  func nothingElse() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.publicCloudDatabase
      let custom = CKRecordZone.ID(zoneName: "Custom")
      try await database.save(post("1"))
      let child = post("2", "child")
      child.setParent(CKRecord.ID(recordName: "post"))
      #expect(await code { try await database.save(child) } == .invalidArguments)
      let root = try await database.record(for: id)
      let (saves, _) = try await database.modifyRecords(saving: [root, CKShare(rootRecord: root)], deleting: [])
      #expect(saves.values.contains { $0.code == .badDatabase })
      #expect(await code { try await database.save(CKRecordZone(zoneID: custom)) } == .badDatabase)
      #expect(await code { try await database.deleteRecordZone(withID: .default) } == .badDatabase)
      #expect(await code { _ = try await database.recordZone(for: custom) } == .badDatabase)
      #expect(await code { try await database.save(note("n", in: custom)) } == .badDatabase)
      #expect(await code { _ = try await database.databaseChanges(since: nil) } == .badDatabase)
      #expect(
        await code { _ = try await database.recordZoneChanges(inZoneWith: .default, since: nil) }
          == .serverRejectedRequest)
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var result: [Value] = []
    for element in self { result.append(try await transform(element)) }
    return result
  }
}
