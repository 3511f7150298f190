import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Custom roles: members and their permissions in the public database")
struct RoleTests {
  private let cloud: TemporaryCloud
  private let bob: Person
  /// In all roles of development.
  private let carol: Person
  private let nobody: Person
  private static let schema = """
    DEFINE SCHEMA
      CREATE ROLE Editors; CREATE ROLE Readers; CREATE ROLE Writers;
      RECORD TYPE Diary (text STRING, GRANT READ, WRITE TO "_creator", GRANT CREATE TO Writers);
      RECORD TYPE Notice (text STRING, GRANT READ TO Readers, GRANT CREATE TO Writers, GRANT WRITE TO Editors);
    """
  private static let roles: Set<String> = ["Editors", "Readers", "Writers"]

  init() throws {
    cloud = try TemporaryCloud()
    bob = Person(cloud, "bob").inPublic()
    carol = Person(cloud, "carol").inPublic()
    nobody = Person(cloud, nil).inPublic()
    _ = try cloud.service.schemas.importSchema(Self.schema, by: carol.caller)
    for role in Self.roles { try set(role, of: carol) }
  }

  @discardableResult
  private func set(_ role: String, of person: Person, _ isMember: Bool = true) throws -> Set<String> {
    let name = try #require(person.caller.account)
    return try cloud.service.accounts.setMembership(of: name, in: role, isMember, by: person.caller)[
      rolesIn: person.caller]
  }

  private func roles(of person: Person) throws -> Set<String> {
    try cloud.service.accounts.account(#require(person.caller.account))[rolesIn: person.caller]
  }

  private func save(_ name: String, type: String = "Notice", of person: Person) -> RecordSave {
    RecordSave(id: person.id(ExactName(name)), type: type, fields: ["text": .string(name)])
  }

  /// The operations that are permitted to the person, tried on a new record of Carol's.
  private func permitted(_ person: Person, _ name: String, type: String = "Notice") throws -> [String] {
    try carol.save(save(name, type: type, of: carol))
    let record = ExactName(name)
    let query = QueryRecordsRequest(scope: .public, zone: nil, recordType: type)
    let list = ListRecordsRequest(scope: .public, zone: .default, type: type)
    var permitted: [String] = []
    func attempt(_ operation: String, _ body: () throws -> some Any) {
      let refusal = code(body)
      if refusal == nil { permitted.append(operation) }
      #expect(refusal == nil || refusal == .permissionFailure || refusal == .notAuthenticated, "\(operation)")
    }
    attempt("fetch") { try person.fetch(record) }
    if try cloud.service.queries.queryRecords(query, by: person.caller).records.map(\.id.name).contains(record) {
      permitted.append("query")
    }
    if try cloud.service.records.listRecords(list, by: person.caller).records.map(\.id.name).contains(record) {
      permitted.append("list")
    }
    attempt("create") { try person.save(save(name + "-new", type: type, of: person)) }
    attempt("write") { try person.save(save(name, type: type, of: person), policy: .allKeys) }
    attempt("delete") { try person.modify(delete: [record]).deletes[0].get() }
    return permitted
  }

  @Test(
    "a role's permissions belong to its members alone, and end with the membership ([record-role-1])",
    arguments: [
      ("Readers", ["fetch", "query", "list"]), ("Writers", ["create"]), ("Editors", ["write", "delete"]),
    ])
  func permissions(role: String, operations: [String]) throws {
    #expect(try permitted(bob, "before") == [])
    #expect(try set(role, of: bob) == [role])
    #expect(try permitted(bob, "member") == operations)
    #expect(try permitted(nobody, "nobody") == [])
    #expect(try permitted(Person(cloud, "alice").inPublic(), "alice") == [])
    #expect(try set(role, of: bob, false) == [])
    #expect(try permitted(bob, "after") == [])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("several roles add up, also with the creator's permissions ([record-role-1])")
  func severalRoles() throws {
    try set("Readers", of: bob)
    try set("Editors", of: bob)
    #expect(try permitted(bob, "two") == ["fetch", "query", "list", "write", "delete"])
    #expect(try set("Writers", of: bob) == Self.roles)
    #expect(try permitted(bob, "three") == ["fetch", "query", "list", "create", "write", "delete"])
    try set("Readers", of: bob, false)
    #expect(try permitted(bob, "others") == ["create", "write", "delete"])
    // What a member of Writers creates is the member's own; the role gives nothing on another creator's record.
    #expect(try permitted(bob, "diary", type: "Diary") == ["create"])
    #expect(try bob.fetch("diary-new").fields["text"] == .string("diary-new"))
    try bob.save(save("diary-new", type: "Diary", of: bob), policy: .allKeys)
    try set("Writers", of: bob, false)
    #expect(code { try bob.save(save("other", type: "Diary", of: bob)) } == .permissionFailure)
    try bob.modify(delete: ["diary-new"]).deletes[0].get()
  }

  @Test("private databases ignore roles ([record-role-1])")
  func privateDatabase() throws {
    var own = bob
    own.scope = .private
    try own.save(save("own", of: own))
    #expect(try own.fetch("own").type == "Notice")
    try own.modify(delete: ["own"]).deletes[0].get()
  }

  @Test("a membership holds for one container and one environment, and is not deployed ([record-role-2])")
  func containersAndEnvironments() throws {
    let production = Person(cloud, "bob", environment: .production).inPublic()
    for role in Self.roles { try set(role, of: bob) }
    #expect(error { try set("Writers", of: production) }?.code == .unknownItem)
    _ = try cloud.service.schemas.deploySchema(by: bob.caller)
    #expect(code { try production.save(save("n", of: production)) } == .permissionFailure)
    #expect(try roles(of: production) == [])
    try set("Writers", of: production)
    try production.save(save("n", of: production))
    #expect(code { try production.fetch("n") } == .permissionFailure)

    var other = bob.caller
    other.container = "iCloud.other"
    _ = try cloud.service.schemas.importSchema(Self.schema, by: other)
    let request = ModifyRecordsRequest(scope: .public, saves: [save("n", of: bob)])
    #expect(
      code { try cloud.service.records.modifyRecords(request, by: other).saves[0].get() } == .permissionFailure)
    _ = try cloud.service.accounts.setMembership(of: "bob", in: "Writers", true, by: other)
    _ = try cloud.service.records.modifyRecords(request, by: other).saves[0].get()

    try set("Writers", of: bob, false)
    let account = try cloud.service.accounts.account("bob")
    #expect(
      account.object["roles"] == [
        "iCloud.other": ["development": ["Writers"]],
        "iCloud.test": ["development": ["Editors", "Readers"], "production": ["Writers"]],
      ])
    try production.save(save("n2", of: production))
  }

  @Test("only a role of the schema can be given, and only to an account of the cloud ([record-role-3])")
  func unknownRoles() throws {
    for role in ["editors", "Editor", "", "_icloud", "_world"] {
      let failure = error { try set(role, of: bob) }
      #expect(failure?.code == .unknownItem, "\(role)")
      #expect(failure?.message == "There is no role '\(role)' in the schema of iCloud.test, development.")
      #expect(failure?.hint == "Its roles are Editors, Readers, Writers.")
      #expect(error { try set(role, of: bob, false) }?.code == .unknownItem, "\(role)")
    }
    let production = Person(cloud, "bob", environment: .production)
    #expect(error { try set("Editors", of: production) }?.hint?.hasPrefix("It has no roles. `CREATE ROLE") == true)
    let stranger = error {
      try cloud.service.accounts.setMembership(of: "dave", in: "Editors", true, by: bob.caller)
    }
    #expect(stranger?.cause == .unknownAccount)
    var wrong = bob.caller
    wrong.container = "other"
    #expect(
      code { try cloud.service.accounts.setMembership(of: "bob", in: "Editors", true, by: wrong) } == .badContainer)
    // An account that is in the role already, or is not in it, stays as it is.
    #expect(try set("Editors", of: bob, false) == [])
    #expect(try cloud.service.accounts.account("bob").object["roles"] == nil)
    #expect(try set("Editors", of: bob) == ["Editors"])
    #expect(try set("Editors", of: bob) == ["Editors"])
    // An account's file without roles has no key for them.
    try set("Editors", of: bob, false)
    let folder = try Directory.open(path: cloud.path + "/accounts", in: FileSystem())
    let stored = try JSONValue(parsing: try #require(try folder.contents("bob.json")))
    #expect(stored["roles"] == nil)
  }

  @Test("an import without a role removes its members, who are not in a later role of that name ([record-role-4])")
  func importWithoutARole() throws {
    for role in Self.roles { try set(role, of: bob) }
    let less = Self.schema.replacing("CREATE ROLE Writers;", with: "").replacing(", GRANT CREATE TO Writers", with: "")
    _ = try cloud.service.schemas.validate(schema: less, by: bob.caller)
    #expect(try roles(of: bob) == Self.roles)
    _ = try cloud.service.schemas.importSchema(less, by: bob.caller)
    #expect(code { try bob.save(save("n", of: bob)) } == .permissionFailure)
    #expect(try [bob, carol].map { try roles(of: $0) } == [["Editors", "Readers"], ["Editors", "Readers"]])
    _ = try cloud.service.schemas.importSchema(Self.schema, by: bob.caller)
    #expect(code { try bob.save(save("n", of: bob)) } == .permissionFailure)
    try set("Writers", of: bob)
    try bob.save(save("n", of: bob))
    // Bob's other roles have stayed.
    #expect(try bob.fetch("n").type == "Notice")
  }

  @Test("a reset of development removes the members of its roles, and production keeps its own ([record-role-4])")
  func reset() throws {
    _ = try cloud.service.schemas.deploySchema(by: bob.caller)
    let production = Person(cloud, "bob", environment: .production).inPublic()
    for person in [bob, production] { try set("Writers", of: person) }
    _ = try cloud.service.schemas.resetDevelopment(by: bob.caller)
    #expect(try [bob, carol].map { try roles(of: $0) } == [[], []])
    #expect(code { try bob.save(save("n", of: bob)) } == .permissionFailure)
    try production.save(save("n", of: production))
    try set("Writers", of: bob)
    try bob.save(save("n", of: bob))
  }

  @Test("a query subscription fires only for records that its user may read ([record-public-7])")
  func subscriptions() throws {
    for type in ["Notice", "Diary"] { try bob.subscribe(toType: type, id: type) }
    try carol.save(save("a", of: carol))
    try carol.save(save("d", type: "Diary", of: carol))
    #expect(try bob.receivedPushes() == [])
    try set("Readers", of: bob)
    try carol.save(save("b", of: carol))
    try carol.modify(delete: ["a"]).deletes[0].get()
    #expect(try bob.receivedPushes() == ["Notice created b", "Notice deleted a"])
    try carol.save(save("e", type: "Diary", of: carol))
    try set("Readers", of: bob, false)
    try carol.modify(delete: ["b"]).deletes[0].get()
    #expect(try bob.receivedPushes().count == 2)
  }
}
