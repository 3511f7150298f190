import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Reset of the development environment")
struct DevelopmentResetTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let production: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    production = Person(cloud, "alice", environment: .production)
    try alice.makeZone()
    try alice.save(alice.note("root", "r"))
  }

  @discardableResult
  private func reset() throws -> ResetResult { try cloud.service.schemas.resetDevelopment(by: alice.caller) }

  private func schema(_ environment: CloudEnvironment) throws -> Schema {
    var caller = alice.caller
    caller.environment = environment
    return try cloud.service.schemas.schema(by: caller)
  }

  // [schema-reset-1]
  @Test("without a deployed schema a reset leaves only the type Users, and deletes all data of all users")
  func withoutADeployedSchemaAResetLeaves() throws {
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    try inDefaultZone.save(inDefaultZone.note("note", "1"))
    let carol = Person(cloud, "carol")
    try carol.makeZone()
    try carol.save(carol.note("hers", "1"))
    let open = alice.inPublic()
    try open.save(open.note("open", "1"))
    let user = ExactName(try cloud.service.accounts.userRecordName(by: alice.caller))
    _ = try (inDefaultZone.fetch(user), open.fetch(user))
    try inDefaultZone.save(
      RecordSave(id: inDefaultZone.id(user), type: Record.userType, fields: ["nick": .string("Al")]),
      policy: .changedKeys)

    let reset = try reset()
    #expect(reset.records == 6)
    #expect(reset.subscriptions == 0)
    #expect(reset.zones.map(\.zone.name.string).sorted() == ["Notes", "Notes", "_defaultZone", "_defaultZone"])
    #expect(reset.zones.allSatisfy { $0.environment == .development })
    #expect(
      reset.changes.map(\.text) == ["- type Note", "- field Users.nick STRING QUERYABLE SEARCHABLE SORTABLE"])
    #expect(try schema(.development) == .initial)
    #expect(code { try alice.fetch("root") } == .zoneNotFound)
    #expect(code { try carol.fetch("hers") } == .zoneNotFound)
    #expect(code { try inDefaultZone.fetch("note") } == .unknownItem)
    #expect(code { try open.fetch("open") } == .unknownItem)
    // The user's own record is created again by its next fetch.
    #expect(try inDefaultZone.fetch(user).fields == [:] && open.fetch(user).type == Record.userType)
    #expect(try cloud.service.checks.check() == [])
    // Zones that contain only user records are listed, but those without any records are not.
    let second = try self.reset()
    #expect(second.zones.map(\.zone.name) == ["_defaultZone", "_defaultZone"])
    #expect(second.records == 2)
    let third = try self.reset()
    #expect(third.zones.isEmpty)
    #expect(third.records == 0)
    #expect(third.changes.isEmpty)
    // New types can use the old names.
    try alice.makeZone()
    try alice.save(RecordSave(id: alice.id("root"), type: "Note", fields: ["text": .int64(1)]))
    #expect(try alice.fetch("root").fields["text"] == .int64(1))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a reset copies production's schema to development; production keeps its schema and data ([schema-reset-1])")
  func resetCopiesProductionsSchemaToDevelopment() throws {
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    try production.makeZone()
    try production.save(production.note("kept", "1"))
    try alice.save(RecordSave(id: alice.id("more"), type: "Note", fields: ["more": .int64(1)]))
    try alice.save(RecordSave(id: alice.id("other"), type: "Other", fields: ["a": .int64(1)]))
    let deployed = try schema(.production)
    #expect(
      try reset().changes.map(\.text) == ["- field Note.more INT64 QUERYABLE SORTABLE", "- type Other"])
    #expect(try schema(.development) == deployed && schema(.production) == deployed)
    #expect(try cloud.service.schemas.schemaDifferences(by: alice.caller).isEmpty)
    #expect(try production.fetch("kept").fields["text"] == .string("1"))
    let second = try reset()
    #expect(second.changes.isEmpty)
    #expect(second.zones.isEmpty)
    #expect(second.records == 0)
    #expect(second.subscriptions == 0)
    // A caller with the production environment resets development too.
    try alice.makeZone()
    _ = try cloud.service.schemas.resetDevelopment(by: production.caller)
    #expect(code { try alice.changes() } == .zoneNotFound)
    #expect(try production.fetch("kept").fields["text"] == .string("1"))
  }

  // [schema-reset-2]
  @Test("a reset ends all shares, links and subscriptions; participants see a deleted zone, and no push is sent")
  func resetEndsAllSharesLinksAndSubscriptions() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    let url = try alice.fetch("Share-1").shareDetails?.url
    try alice.subscribe(Subscription(id: "all", kind: .database))
    let phone = try alice.signedIn(on: "phone")
    _ = try phone.pushes()
    let (own, others, zone) = (
      try alice.databaseChanges().token, try bob.databaseChanges().token, try alice.changes().token
    )
    #expect(try reset().subscriptions == 1)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(code { try bob.metadata(url) } == .unknownItem)
    #expect(try alice.subscriptions().isEmpty)
    #expect(try phone.receivedPushes() == [])
    #expect(try alice.databaseChanges(since: own).deleted.map(\.zone.name) == ["Notes"])
    #expect(try bob.databaseChanges(since: others).deleted.map(\.zone) == [bob.zone])
    try alice.makeZone()
    #expect(code { try alice.changes(since: zone) } == .changeTokenExpired)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("after a reset a purged zone is an ordinary missing zone; other containers do not change")
  func afterAResetAPurgedZone() throws {
    _ = try cloud.service.zones.purgeData(of: "alice", container: TemporaryCloud.container)
    #expect(code { try alice.changes() } == .userDeletedZone)
    var other = alice.caller
    other.container = "iCloud.other"
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: other)
    try reset()
    #expect(code { try alice.changes() } == .zoneNotFound)
    #expect(try cloud.service.zones.list([alice.zone], in: .private, by: other)[0].get().id.name == "Notes")
  }

  @Test("an interrupted reset is an error, leaves the types of the remaining data in the schema, and can be repeated")
  func halfDone() throws {
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    try second.save(second.note("left", "1"))
    let folder = "containers/\(TemporaryCloud.container)/development/private/alice/zones/Second"
    let file = try cloud.directory(folder)
    let good = try #require(try file.contents("zone.json"))
    try file.writeStaged("zone.json", Array("{".utf8))
    let error = failure { try reset() }
    #expect(error?.code == .serverResponseLost)
    #expect(error?.cause == .damage)
    #expect(error?.message.hasPrefix("Development is reset only in part") == true)
    #expect(error?.hint == "Reset it again: that does the rest.")
    #expect(code { try alice.fetch("root") } == .zoneNotFound)
    try file.writeStaged("zone.json", good)
    #expect(try schema(.development).types["Note"] != nil)
    #expect(try second.fetch("left").fields["text"] == .string("1"))
    #expect(try reset().zones.map(\.zone.name) == ["Second"])
    #expect(try schema(.development) == .initial)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a record that is saved during a reset is either deleted by it, or stays together with its type")
  func savingMeanwhile() async throws {
    let person = alice
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          do {
            try person.makeZone()
            try person.save(person.note(ExactName("n\(number)"), "x", type: "T\(number % 3)"))
          } catch let error as ServiceError where error.code == .zoneNotFound {}
        }
      }
      group.addTask { _ = try person.service.schemas.resetDevelopment(by: person.caller) }
      try await group.waitForAll()
    }
    let types = try schema(.development).types.keys
    let records = code { try alice.changes() } == nil ? try alice.changes().changed : []
    for record in records { #expect(types.contains(record.type), "\(record.id.name)") }
    #expect(try cloud.service.checks.check() == [])
  }
}
