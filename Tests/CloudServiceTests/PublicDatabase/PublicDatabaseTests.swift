import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The public database: permissions for reading and writing")
struct PublicDatabaseTests {
  private let cloud: TemporaryCloud
  private let alice: Person
  private let bob: Person
  private let nobody: Person

  init() throws {
    let cloud = try TemporaryCloud()
    func person(_ account: String?) -> Person {
      var person = Person(cloud, account)
      (person.scope, person.zone) = (.public, .default)
      return person
    }
    self.cloud = cloud
    (alice, bob, nobody) = (person("alice"), person("bob"), person(nil))
  }

  private func failure<Value>(_ result: Result<Value, ServiceError>) -> String? {
    guard case .failure(let error) = result else { return nil }
    return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
  }

  private let write = "10/2007 WRITE operation not permitted"
  private let create = "10/2007 CREATE operation not permitted"

  @Test(
    "_world reads, _icloud creates, _creator writes and deletes; each item is permitted by itself ([record-public-2])")
  func worldReadsIcloudCreatesCreatorWrites() throws {
    try alice.save(alice.note("hers", "1"))
    try bob.save(bob.note("his", "1"))
    #expect(try nobody.fetch("hers").fields["text"] == .string("1"))
    let tag = try bob.fetch("hers").changeTag
    // The public zone is never atomic, also if the request asks for it: the permitted items are saved.
    let response = try bob.modify(
      [
        bob.note("hers", "mine", tag: tag), bob.note("his", "2", tag: try bob.fetch("his").changeTag),
        bob.note("new", "1"),
      ])
    #expect(response.saves.map(failure) == [write, nil, nil])
    for policy in [SavePolicy.changedKeys, .allKeys] {
      #expect(failure(try bob.modify([bob.note("hers", "mine")], policy: policy).saves[0]) == write)
    }
    // Creating a record with an existing name would change the existing record.
    #expect(failure(try bob.modify([bob.note("hers", "mine")]).saves[0]) == write)
    let deletes = try bob.modify(delete: ["hers", "new", "absent"]).deletes
    #expect(deletes.map(failure) == [write, nil, nil])
    #expect(try nobody.fetch("hers").fields["text"] == .string("1"))
    #expect(try nobody.fetch("his").fields["text"] == .string("2"))
    try alice.modify(delete: ["hers"]).deletes[0].get()
    #expect(code { try nobody.fetch("hers") } == .unknownItem)
    // The name is free now. The next user who saves it becomes the creator.
    try bob.save(bob.note("hers", "Bob's"))
    #expect(failure(try alice.modify([alice.note("hers", "2")], policy: .allKeys).saves[0]) == write)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a write needs an account, also without items; a read needs none ([record-public-3])")
  func writeNeedsAnAccountAlsoWithoutItems() throws {
    try alice.save(alice.note("hers", "1"))
    #expect(code { try nobody.modify() } == .notAuthenticated)
    #expect(code { try nobody.modify(delete: ["hers"]) } == .notAuthenticated)
    let query = QueryRecordsRequest(scope: .public, zone: nil, recordType: "Note")
    #expect(try cloud.service.queries.queryRecords(query, by: nobody.caller).records.map(\.id.name) == ["hers"])
    #expect(
      try cloud.service.zones.list(nil, in: .public, by: nobody.caller).map { try $0.get().id.name } == ["_defaultZone"]
    )
  }

  @Test("records show their creator's name, and the default zone has the default owner ([record-public-6])")
  func recordsShowTheirCreatorsName() throws {
    try alice.save(alice.note("hers", "1"))
    for person in [alice, bob, nobody] {
      let record = try person.fetch("hers")
      #expect(record.created.userRecordName == (try cloud.service.accounts.account("alice").userRecordName))
      #expect(record.id.zone == ZoneIdentifier(name: "_defaultZone", owner: "__defaultOwner__"))
    }
    // A zone ID with another owner refers to the same zone.
    var named = bob
    named.zone.owner = try cloud.service.accounts.account("alice").userRecordName
    #expect(try named.fetch("hers").id.zone.owner == "__defaultOwner__")
  }

  @Test("zones, feeds, shares and parents are refused ([record-public-4], [record-public-5], [zone-save-4])")
  func nothingElse() throws {
    try alice.save(alice.note("root", "1"))
    let service = cloud.service
    var custom = alice
    custom.zone = ZoneIdentifier(name: "Custom")
    #expect(code { try custom.makeZone() } == .badDatabase)
    for zone in [custom.zone, .default] {
      let request = ModifyZonesRequest(scope: .public, deletes: [zone])
      #expect(code { try service.zones.modifyZones(request, by: alice.caller) } == .badDatabase)
    }
    #expect(code { try custom.save(custom.note("n", "1")) } == .badDatabase)
    #expect(code { try custom.fetch("n") } == .badDatabase)
    #expect(code { try alice.databaseChanges() } == .badDatabase)
    #expect(code { try nobody.databaseChanges() } == .badDatabase)
    #expect(code { try alice.changes() } == .serverRejectedRequest)
    #expect(code { try nobody.changes() } == .serverRejectedRequest)
    #expect(code { try custom.changes() } == .badDatabase)
    let share = RecordSave(id: alice.id("Share"), type: Record.shareType, share: ShareSave(root: "root"))
    let root = alice.note("root", "2", tag: try alice.fetch("root").changeTag)
    #expect(try alice.modify([root, share]).saves.map { failure($0)?.prefix(3) } == ["24/", "24/"])
    #expect(
      failure(try alice.modify([alice.note("child", "1", parent: .set("root", zone: nil))]).saves[0])?.prefix(3)
        == "12/")
    // A reference is allowed, also an owning one.
    var referring = bob.note("referring")
    referring.fields["to"] = .reference(ReferenceValue(record: "root", action: .deleteSelf))
    try bob.save(referring)
    try alice.modify(delete: ["root"]).deletes[0].get()
    #expect(code { try bob.fetch("referring") } == .unknownItem)
    #expect(try service.zones.list(nil, in: .public, by: alice.caller).map { try $0.get().capabilities } == [0])
  }

  // [record-user-1], [record-user-2]
  @Test(
    "Users: every user can read each user's public record, only its own user can change it, and it can't be deleted")
  func usersEveryUserCanReadEachUsers() throws {
    let (ada, bobs) = (
      try cloud.service.accounts.account("alice").userRecordName,
      try cloud.service.accounts.account("bob").userRecordName
    )
    for person in [alice, bob, nobody] {
      let record = try person.fetch(ExactName(ada))
      #expect(record.type == "Users")
      #expect(record.fields.isEmpty)
    }
    func user(_ name: String, by person: Person, tag: String? = nil, _ fields: [String: FieldValue?] = [:])
      -> RecordSave
    {
      RecordSave(id: person.id(ExactName(name)), type: "Users", changeTag: tag, fields: fields)
    }
    let tag = try alice.fetch(ExactName(ada)).changeTag
    try alice.save(user(ada, by: alice, tag: tag, ["nickname": .string("Ada")]))
    #expect(try nobody.fetch(ExactName(ada)).fields["nickname"] == .string("Ada"))
    for policy in [SavePolicy.ifServerRecordUnchanged, .allKeys] {
      let save = user(ada, by: bob, tag: tag, ["nickname": .string("Mine")])
      #expect(failure(try bob.modify([save], policy: policy).saves[0]) == write)
    }
    for name in ["_0123456789abcdef0123456789abcdef", "plain"] {
      #expect(failure(try bob.modify([user(name, by: bob)], policy: .allKeys).saves[0]) == create)
    }
    #expect(failure(try alice.modify(delete: [ExactName(ada)]).deletes[0]) == write)
    #expect(failure(try bob.modify(delete: [ExactName(ada)]).deletes[0]) == write)
    for person in [alice, nobody] {
      let query = QueryRecordsRequest(scope: .public, zone: nil, recordType: "Users")
      let error = #expect(throws: ServiceError.self) {
        try cloud.service.queries.queryRecords(query, by: person.caller)
      }
      #expect(error?.code == .permissionFailure)
      #expect(error?.message == "Can't query system types")
    }
    // In the private database each user has only their own user record.
    var own = alice
    own.scope = .private
    #expect(try own.fetch(ExactName(ada)).fields.isEmpty)
    #expect(code { try own.fetch(ExactName(bobs)) } == .unknownItem)
    #expect(failure(try own.modify([user(bobs, by: own)]).saves[0]) == create)
    #expect(failure(try own.modify(delete: [ExactName(ada)]).deletes[0]) == write)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a schema grant gives its permission to one role on one record type ([record-public-1])")
  func schemaGrantGivesItsPermission() throws {
    var closed = SchemaRecordType()
    closed.grants = [SchemaRecordType.creator: [.read]]
    let record = StoredRecord(["created": ["userRecordName": .string("_a")], "recordName": "r", "recordType": "T"])
    let (creator, other) = (
      Account(name: "a", userRecordName: "_a", created: 0), Account(name: "b", userRecordName: "_b", created: 0)
    )
    #expect(closed.allows(.read, to: creator, on: record))
    #expect(!closed.allows(.read, to: other, on: record))
    #expect(!closed.allows(.read, to: nil, on: record))
    #expect(!closed.allows(.write, to: creator, on: record))
    #expect(!closed.allows(.create, to: creator, on: nil))
    closed.grants = [:]
    #expect(!closed.allows(.read, to: creator, on: record))
    closed.grants = [SchemaRecordType.signedIn: [.write], SchemaRecordType.world: [.read]]
    #expect(closed.allows(.write, to: other, on: record))
    #expect(!closed.allows(.write, to: nil, on: record))
    #expect(!SchemaRecordType.justInTime.allows(.create, to: nil, on: nil))
  }

  // [record-public-1]
  @Test("the schema's grants apply to read, create, write and delete for each role, but not in private databases")
  func schemaGrants() throws {
    _ = try cloud.service.schemas.importSchema(
      """
      DEFINE SCHEMA
        CREATE ROLE Editors;
        RECORD TYPE Diary (text STRING, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
        RECORD TYPE Wiki (text STRING, GRANT READ, CREATE, WRITE TO "_icloud");
        RECORD TYPE Notice (text STRING, GRANT READ TO "_world", GRANT CREATE, WRITE TO "Editors");
        RECORD TYPE Dead (text STRING);
      """, by: alice.caller)
    func save(_ type: String, _ name: ExactName, by person: Person, tag: String? = nil) throws -> String? {
      let save = RecordSave(id: person.id(name), type: type, changeTag: tag, fields: ["text": .string("t")])
      return failure(try person.modify([save]).saves[0])
    }
    let read = "10/2007 READ operation not permitted"
    func reading(_ name: ExactName, by person: Person) throws -> String? {
      failure(
        try cloud.service.records.fetchRecords(
          FetchRecordsRequest(scope: .public, records: [person.id(name)]), by: person.caller)[0])
    }
    func names(_ type: String, by person: Person) throws -> [String] {
      try cloud.service.queries.queryRecords(
        QueryRecordsRequest(scope: .public, zone: nil, recordType: type), by: person.caller
      ).records.map(\.id.name.string)
    }

    #expect(try save("Diary", "d", by: alice) == nil && save("Wiki", "w", by: alice) == nil)
    #expect(try [alice, bob, nobody].map { try reading("d", by: $0) } == [nil, read, read])
    #expect(try [alice, bob, nobody].map { try names("Diary", by: $0) } == [["d"], [], []])
    #expect(try [alice, bob, nobody].map { try reading("w", by: $0) } == [nil, nil, read])
    #expect(try [alice, bob, nobody].map { try names("Wiki", by: $0) } == [["w"], ["w"], []])
    #expect(try save("Diary", "d", by: bob, tag: try alice.fetch("d").changeTag) == write)
    #expect(try save("Wiki", "w", by: bob, tag: try bob.fetch("w").changeTag) == nil)
    #expect(failure(try bob.modify(delete: ["d"]).deletes[0]) == write)
    try bob.modify(delete: ["w"]).deletes[0].get()
    // No account has that role.
    #expect(try save("Notice", "n", by: alice) == create)
    // A type without grants can't be used in the public database, and can be used in others.
    #expect(try save("Dead", "x", by: alice) == create)
    var own = alice
    own.scope = .private
    #expect(try save("Dead", "x", by: own) == nil && save("Notice", "n", by: own) == nil)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("concurrent writers with services of their own do not change each other's records")
  func concurrentWritersWithServices() async throws {
    let root = cloud.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["alice", "bob", "carol"] {
        group.addTask {
          // These services share only the files.
          let service = try CloudService.open(root: root)
          let caller = Caller(account: name, container: TemporaryCloud.container)
          for round in 0..<20 {
            let saves = ["\(name)-\(round)", "same-\(round)"].map {
              RecordSave(
                id: RecordIdentifier(name: ExactName($0)), type: "Note", fields: ["text": .string(name)])
            }
            let request = ModifyRecordsRequest(scope: .public, saves: saves, policy: .allKeys)
            _ = try service.records.modifyRecords(request, by: caller).saves[0].get()
          }
        }
      }
      try await group.waitForAll()
    }
    for round in 0..<20 {
      let record = try nobody.fetch(ExactName("same-\(round)"))
      let creator = try #require(
        try cloud.service.accounts.listAccounts().accounts.first { $0.userRecordName == record.created.userRecordName })
      #expect(record.fields["text"] == .string(creator.name))
      for name in ["alice", "bob", "carol"] {
        #expect(try nobody.fetch(ExactName("\(name)-\(round)")).fields["text"] == .string(name))
      }
    }
    #expect(try cloud.service.checks.check() == [])
  }
}
