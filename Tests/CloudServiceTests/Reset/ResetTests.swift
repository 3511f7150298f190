import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Alice's shared zone in development, her zone in production, and her zone in another container.
@Suite("Resets: the deleted data and the data that stays")
struct ResetTests: OnNotesStage {
  let stage: NotesStage
  private let production: Person
  private let other: Caller
  private static let container = TemporaryCloud.container

  init() throws {
    stage = try NotesStage()
    production = Person(stage.cloud, "alice", environment: .production)
    other = Caller(account: "alice", container: "iCloud.other")
    try alice.save(alice.note("root", "r"))
    try bob.accept(try alice.share("root", with: ["bob"]))
    try production.makeZone()
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: other)
  }

  @discardableResult
  private func reset(_ target: ResetTarget, _ extras: ResetExtras = []) throws -> ResetResult {
    try cloud.service.resets.reset(target, extras, by: alice.caller)
  }

  private func hasNotes(_ caller: Caller) throws -> Bool {
    try cloud.service.zones.list(nil, in: .private, by: caller).contains { try $0.get().id.name == "Notes" }
  }

  private func inDefaultZone(_ person: Person) -> Person {
    var copy = person
    copy.zone = .default
    return copy
  }

  // [reset-scope-1]
  @Test(
    "a reset of the cloud, a container or an environment deletes the data of all users there, and no other data",
    arguments: [
      ResetTarget.all, .container(TemporaryCloud.container),
      .environment(.development, of: TemporaryCloud.container),
    ])
  func deletesTheDataOfAllUsers(target: ResetTarget) throws {
    let (loose, open, carols) = (inDefaultZone(alice), alice.inPublic(), Person(cloud, "carol"))
    try loose.save(loose.note("note", "1"))
    try open.save(open.note("open", "1"))
    try carols.makeZone()
    try carols.save(carols.note("hers", "1"))
    let url = try alice.fetch("Share-1").shareDetails?.url
    let preview = try cloud.service.resets.preview(target, by: alice.caller)
    #expect(try alice.fetch("root").fields["text"] == .string("r"))

    let result = try reset(target)
    #expect(result == preview)
    #expect(result.records >= 4)
    #expect(code { try alice.fetch("root") } == .zoneNotFound)
    #expect(code { try carols.fetch("hers") } == .zoneNotFound)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(code { try bob.metadata(url) } == .unknownItem)
    #expect(code { try loose.fetch("note") } == .unknownItem)
    #expect(code { try open.fetch("open") } == .unknownItem)
    let isEnvironment = target == .environment(.development, of: Self.container)
    #expect(try hasNotes(production.caller) == isEnvironment)
    #expect(result.zones.contains { $0.environment == .production } != isEnvironment)
    #expect(try hasNotes(other) == (target != .all))
    #expect(result.zones.contains { $0.container == "iCloud.other" } == (target == .all))
    #expect(try cloud.service.checks.check() == [])
    #expect(try reset(target).isEmpty)
    // New zones can use the old names.
    try alice.makeZone()
    try alice.save(alice.note("root", "again"))
    #expect(try cloud.service.checks.check() == [])
  }

  // [reset-scope-2]
  @Test("a reset of an account deletes its zones and subscriptions in all containers; all other data stays")
  func ofAnAccount() throws {
    let (carols, open) = (Person(cloud, "carol"), alice.inPublic())
    try carols.makeZone()
    try carols.save(carols.note("root", "c"))
    let guest = try alice.inShared(zoneOf: carols)
    try guest.accept(try carols.share("root", with: ["alice"]))
    try open.save(open.note("open", "1"))
    try alice.subscribe(Subscription(id: "own", kind: .database))
    try carols.subscribe(Subscription(id: "hers", kind: .database))
    try bob.subscribe(Subscription(id: "shared", kind: .database))
    let result = try reset(.account("alice"))
    #expect(
      result.zones.filter { $0.zone.name == "Notes" }.map { "\($0.container) \($0.environment.rawValue)" } == [
        "iCloud.other development", "iCloud.test development", "iCloud.test production",
      ])
    #expect(result.subscriptions == 1)
    #expect(code { try alice.fetch("root") } == .zoneNotFound)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try alice.subscriptions().isEmpty)
    #expect(try carols.fetch("root").fields["text"] == .string("c"))
    #expect(try guest.fetch("root").fields["text"] == .string("c"))
    #expect(try open.fetch("open").fields["text"] == .string("1"))
    #expect(try carols.subscriptions().map(\.id) == ["hers"])
    // The participant's subscription fires, as for any deletion.
    #expect(try bob.receivedPushes().last == "shared changed")
    #expect(try cloud.service.accounts.account("alice").name == "alice")
    #expect(code { try reset(.account("dave")) } == .notAuthenticated)
    #expect(try cloud.service.checks.check() == [])
  }

  // [reset-scope-3]
  @Test("a reset of a zone deletes one zone of the caller, or all records of the default zone")
  func ofAZone() throws {
    let loose = inDefaultZone(alice)
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    try second.save(second.note("a", "1"))
    try loose.save(loose.note("note", "1"))
    let user = ExactName(try cloud.service.accounts.userRecordName(by: alice.caller))
    _ = try loose.fetch(user)
    try alice.subscribe(Subscription(id: "all", kind: .database))
    let result = try reset(.zone("Second"))
    #expect(result.zones.map(\.zone.name) == ["Second"])
    #expect(result.records == 1)
    #expect(code { try second.fetch("a") } == .zoneNotFound)
    #expect(code { try reset(.zone("Second")) } == .zoneNotFound)
    #expect(code { try cloud.service.resets.preview(.zone("Second"), by: alice.caller) } == .zoneNotFound)
    #expect(try reset(.zone(ZoneIdentifier.defaultName)).records == 2)
    #expect(try reset(.zone(ZoneIdentifier.defaultName)).isEmpty)
    #expect(code { try loose.fetch("note") } == .unknownItem)
    #expect(try alice.fetch("root").fields["text"] == .string("r"))
    #expect(try alice.subscriptions().map(\.id) == ["all"])
    #expect(try cloud.service.checks.check() == [])
  }

  // [reset-scope-4]
  @Test("feeds list the zones as deleted, also purged ones, and removed subscriptions get no push")
  func feedsAndPushes() throws {
    let phone = try alice.signedIn(on: "phone")
    try alice.subscribe(Subscription(id: "all", kind: .database))
    try bob.subscribe(Subscription(id: "shared", kind: .database))
    let (own, others) = (try alice.databaseChanges().token, try bob.databaseChanges().token)
    let result = try reset(.environment(.development, of: Self.container))
    #expect(result.subscriptions == 2)
    // A push that the deletion had sent would have been removed, and counted.
    #expect(result.pushes == 0)
    #expect(try alice.databaseChanges(since: own).deleted.map(\.zone.name) == ["Notes"])
    #expect(try bob.databaseChanges(since: others).deleted.map(\.zone) == [bob.zone])
    #expect(try phone.receivedPushes() == [])
    #expect(try bob.receivedPushes() == [])
    _ = try cloud.service.zones.purgeData(of: "alice", container: Self.container)
    #expect(code { try production.changes() } == .userDeletedZone)
    try reset(.container(Self.container))
    #expect(code { try production.changes() } == .zoneNotFound)
  }

  // [reset-scope-5]
  @Test("accounts and schemas stay unless they are named, and only scopes that have them can name them")
  func accountsAndSchemas() throws {
    func types() throws -> Schema { try cloud.service.schemas.schema(by: alice.caller) }
    _ = try cloud.service.devices.signIn("alice", on: "phone")
    let before = try types()
    try reset(.all)
    #expect(try types() == before)
    #expect(try cloud.service.accounts.listAccounts().accounts.count == 3)
    #expect(code { try reset(.container(Self.container), .accounts) } == .invalidArguments)
    #expect(code { try reset(.account("alice"), .schema) } == .invalidArguments)
    #expect(code { try reset(.zone("Notes"), .schema) } == .invalidArguments)
    let result = try reset(.all, [.accounts, .schema])
    #expect(result.accounts == ["alice", "bob", "carol"])
    #expect(result.schemas.map(\.environment) == [.development])
    #expect(result.changes.map(\.text).contains("- type Note"))
    #expect(try types() == .initial)
    #expect(try cloud.service.accounts.listAccounts().accounts.isEmpty)
    #expect(try cloud.service.devices.device("phone")?.account == nil)
    #expect(try cloud.service.checks.check() == [])
  }

  // [reset-scope-6]
  @Test("an interrupted reset is an error, and a second one does the rest")
  func interrupted() throws {
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    try second.save(second.note("left", "1"))
    let file = try cloud.directory("containers/\(Self.container)/development/private/alice/zones/Second")
    let good = try #require(try file.contents("zone.json"))
    try file.writeStaged("zone.json", Array("{".utf8))
    let error = failure { try reset(.container(Self.container)) }
    #expect(error?.code == .serverResponseLost)
    #expect(error?.message.hasPrefix("The reset is done only in part") == true)
    #expect(error?.hint == "Reset it again: that does the rest.")
    #expect(code { try alice.fetch("root") } == .zoneNotFound)
    try file.writeStaged("zone.json", good)
    #expect(try second.fetch("left").fields["text"] == .string("1"))
    #expect(
      try reset(.container(Self.container)).zones.map { "\($0.zone.name) \($0.environment.rawValue)" } == [
        "Second development", "Notes production",
      ])
    #expect(try cloud.service.checks.check() == [])
  }
}
