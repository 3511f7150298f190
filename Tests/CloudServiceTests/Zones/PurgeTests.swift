import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Purge of an app's data in Settings")
struct PurgeTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("root", "r"))
    try bob.accept(try alice.share("root", with: ["bob"]))
  }

  @discardableResult
  private func purge(_ account: String = "alice") throws -> [EnvironmentZone] {
    try cloud.service.zones.purgeData(of: account, container: TemporaryCloud.container)
  }

  private func delete() throws {
    try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
      .deletes[0].get()
  }

  // [zone-purge-1]
  @Test(
    "after a purge every request to the account's own zones fails with userDeletedZone, and the zones are not listed")
  func afterAPurgeEveryRequest() throws {
    #expect(try purge().map(\.zone.name) == ["Notes"])
    #expect(code { try alice.fetch("root") } == .userDeletedZone)
    #expect(code { try alice.save(alice.note("new", "1")) } == .userDeletedZone)
    #expect(code { try alice.modify(delete: ["root"]).deletes[0].get() } == .userDeletedZone)
    #expect(code { try alice.changes() } == .userDeletedZone)
    #expect(
      code { try cloud.service.zones.list([alice.zone], in: .private, by: alice.caller)[0].get() } == .userDeletedZone)
    let query = QueryRecordsRequest(scope: .private, zone: alice.zone, recordType: "Note")
    #expect(code { try cloud.service.queries.queryRecords(query, by: alice.caller) } == .userDeletedZone)
    #expect(
      try cloud.service.zones.list(nil, in: .private, by: alice.caller).map { try $0.get().id.name } == ["_defaultZone"]
    )
    let error = failure { try alice.fetch("root") }
    #expect(error?.isEncryptedDataReset == false)
    #expect(error?.hint?.contains("save it again") == true)
    #expect(try cloud.service.checks.check() == [])
    #expect(try purge().isEmpty)
    #expect(code { try alice.fetch("root") } == .userDeletedZone)
  }

  // [change-database-3]
  @Test(
    "the owner's database changes have the purge as reason; participants see an ordinary deletion, and links are dead")
  func ownersDatabaseChangesHaveThePurge() throws {
    let url = try alice.fetch("Share-1").shareDetails?.url
    let (own, others) = (try alice.databaseChanges().token, try bob.databaseChanges().token)
    try purge()
    let changes = try alice.databaseChanges(since: own)
    #expect(changes.deleted.map(\.reason) == [.purged])
    #expect(changes.deleted.map(\.zone.name) == ["Notes"])
    #expect(changes.changed.isEmpty)
    #expect(try alice.databaseChanges().changed.isEmpty)
    let seen = try bob.databaseChanges(since: others)
    #expect(seen.deleted.map(\.reason) == [.deleted])
    #expect(seen.deleted.map(\.zone) == [bob.zone])
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(code { try bob.metadata(url) } == .unknownItem)
  }

  @Test(
    "a purged zone can be deleted once or created again, and is then an ordinary zone ([zone-purge-2])",
    arguments: [true, false])
  func startingOver(deleting: Bool) throws {
    let token = try alice.changes().token
    let tag = try alice.fetch("root").changeTag
    try purge()
    if deleting {
      try delete()
      #expect(code { try alice.fetch("root") } == .zoneNotFound)
      #expect(code { try delete() } == .zoneNotFound)
    }
    try alice.makeZone()
    #expect(code { try alice.changes(since: token) } == .changeTokenExpired)
    #expect(code { try alice.save(alice.note("root", "2", tag: tag)) } == .unknownItem)
    #expect(try alice.changes().changed.isEmpty)
    try alice.save(alice.note("root", "again"))
    try bob.accept(try alice.share("root", with: ["bob"]))
    #expect(try bob.fetch("root").fields["text"] == .string("again"))
    try delete()
    #expect(code { try alice.fetch("root") } == .zoneNotFound)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("the default zone stays, its feed reports deletions, and the user's own record stays ([zone-purge-3])")
  func defaultZone() throws {
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    try inDefaultZone.save(inDefaultZone.note("note", "1"))
    let user = ExactName(try cloud.service.accounts.userRecordName(by: alice.caller))
    _ = try inDefaultZone.fetch(user)
    #expect(try purge().map(\.zone.name) == ["Notes", "_defaultZone"])
    #expect(code { try inDefaultZone.fetch("note") } == .unknownItem)
    #expect(try inDefaultZone.fetch(user).type == Record.userType)
    try inDefaultZone.save(inDefaultZone.note("note", "2"))
    #expect(try purge().map(\.zone.name) == ["_defaultZone"])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "a purge covers both environments of one container, but no shared zones and no other people ([zone-purge-4])"
  )
  func purgeCoversBothEnvironmentsOfOneContainer() throws {
    var caller = alice.caller
    _ = try cloud.service.schemas.deploySchema(by: caller)
    caller.environment = .production
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: caller)
    var other = alice.caller
    other.container = "iCloud.other"
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: other)
    let everybodys = Person(cloud, "alice").inPublic()
    try everybodys.save(everybodys.note("open", "1"))
    // Bob's own data is deleted, not his access to Alice's zone.
    #expect(try purge("bob").isEmpty)
    #expect(try bob.fetch("root").fields["text"] == .string("r"))
    #expect(try purge().map(\.environment) == [.development, .production])
    let zones = try cloud.service.zones.list([alice.zone], in: .private, by: caller)
    #expect(code { try zones[0].get() } == .userDeletedZone)
    #expect(try cloud.service.zones.list([alice.zone], in: .private, by: other)[0].get().id.name == "Notes")
    #expect(try everybodys.fetch("open").fields["text"] == .string("1"))
    #expect(code { try purge("nobody") } == .notAuthenticated)
  }

  @Test("an interrupted purge is an error, and can be repeated")
  func halfDone() throws {
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    let folder = "containers/\(TemporaryCloud.container)/development/private/alice/zones/Second"
    let file = try cloud.directory(folder)
    let good = try #require(try file.contents("zone.json"))
    try file.writeStaged("zone.json", Array("{".utf8))
    let error = failure { try purge() }
    #expect(error?.code == .serverResponseLost)
    #expect(error?.cause == .damage)
    #expect(error?.message.hasPrefix("The data of alice is purged only in part") == true)
    #expect(error?.hint == "Purge it again: that does the rest.")
    #expect(code { try alice.fetch("root") } == .userDeletedZone)
    try file.writeStaged("zone.json", good)
    #expect(try purge().map(\.zone.name) == ["Second"])
    #expect(code { try second.changes() } == .userDeletedZone)
    #expect(try cloud.service.checks.check() == [])
  }
}

extension Person {
  func inPublic() -> Person {
    var copy = self
    copy.scope = .public
    copy.zone = .default
    return copy
  }
}
