import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Subscriptions: rules for saving, fetching and deleting")
struct SubscriptionRuleTests {
  private let stage: PushStage
  private var alice: Person { stage.alice }

  init() throws { stage = try PushStage() }

  private func inScope(_ scope: DatabaseScope) -> Person {
    var person = alice
    person.scope = scope
    return person
  }

  @Test(
    "each database allows certain kinds of subscriptions ([subscription-save-1])",
    arguments: [
      (DatabaseScope.public, ["query"]), (.private, ["query", "zone", "database"]), (.shared, ["database"]),
    ])
  func eachDatabaseAllowsCertainKinds(_ scope: DatabaseScope, _ allowed: [String]) throws {
    let person = inScope(scope)
    let kinds: [Subscription.Kind] = [
      .query(SubscriptionQuery(recordType: "Note", fires: .changes)), .zone(alice.zone), .database,
    ]
    for kind in kinds {
      let subscription = Subscription(id: "s", kind: kind)
      let failure = error { try person.subscribe(subscription) }
      if allowed.contains(subscription.typeName) {
        #expect(failure == nil, "\(subscription.typeName)")
        try person.unsubscribe("s")
      } else {
        #expect(failure?.code == .invalidArguments, "\(subscription.typeName)")
      }
    }
    #expect(try person.subscriptions() == [])
  }

  // [subscription-save-2], [subscription-json-1]
  @Test("a new subscription is visible on all devices of its user, and to no other user")
  func newSubscriptionIsVisibleOnAllDevices() throws {
    var info = NotificationInfo()
    info.alert = NotificationInfo.Text(key: "NEW", arguments: ["text"])
    (info.title.plain, info.sound, info.badges) = ("T", "default", true)
    let saved = try alice.subscribe(fires: [.creation, .once], info)
    #expect(try stage.phone.subscriptions() == [saved])
    #expect(try alice.service.subscriptions.list(["query"], in: .private, by: alice.caller)[0].get() == saved)
    #expect(try stage.bob.subscriptions() == [])
    #expect(try alice.service.checks.check() == [])
    // The names of keys in the file, for users of tools such as jq.
    let folder = try Directory.open(
      path: "\(stage.cloud.path)/containers/iCloud.test/development/private/alice/subscriptions", in: FileSystem())
    let object = try JSONValue(parsing: folder.contents("query.json") ?? [])
    #expect(object["firesOn"] == ["create"])
    #expect(object["firesOnce"] == true)
    #expect(object["zoneWide"] == true)
    #expect(object["query"] == ["recordType": "Note"])
    #expect(object["notificationInfo"]?["alertLocalizationArgs"] == ["text"])
    #expect(object["notificationInfo"]?["shouldBadge"] == true)
  }

  // [subscription-save-3]
  @Test("saving an equal subscription again succeeds without a change, and other content replaces it")
  func savingAnEqualSubscriptionAgainSucceeds() throws {
    let first = try alice.subscribe()
    let file = {
      try alice.service.cloud.containerFile(
        "iCloud.test", ["development", "private", "alice", "subscriptions", "query.json"])
    }
    let before = try file()
    #expect(try alice.subscribe() == first)
    #expect(try file() == before)
    let second = try alice.subscribe(fires: .deletion)
    #expect(second != first)
    #expect(try alice.subscriptions() == [second])
    #expect(try file() != before)
  }

  // [subscription-save-4]
  @Test("a second subscription with equal content fails with serverRejectedRequest, 15/2032")
  func secondSubscriptionWithEqualContentFails() throws {
    var info = NotificationInfo()
    info.alert.plain = "Another text"
    try alice.subscribe()
    try alice.subscribeToZone()
    try alice.subscribeToDatabase()
    let failures = [
      error { try alice.subscribe(id: "second", info) }, error { try alice.subscribeToZone(id: "second", info) },
      error { try alice.subscribeToDatabase(id: "second") },
    ]
    #expect(failures.map { $0?.code } == [.serverRejectedRequest, .serverRejectedRequest, .serverRejectedRequest])
    #expect(failures.map { $0?.internalCode } == [2032, 2032, 2032])
    // A query with another zone, type or option is different, and so is another user's.
    try alice.subscribe(id: "in a zone", in: alice.zone)
    try alice.subscribe(id: "once", fires: [.creation, .update, .deletion, .once])
    try alice.subscribe(toType: "Tale", id: "tales")
    try alice.subscribeToZone(id: "notes", type: "Note")
    try inScope(.public).subscribe()
    var bob = stage.bob
    bob.scope = .public
    try bob.subscribe()
    #expect(try alice.subscriptions().count == 7)
    #expect(try bob.subscriptions().count == 1)
    #expect(try alice.service.checks.check() == [])
  }

  // [subscription-save-5]
  @Test("a zone subscription is refused for a missing zone, the default zone and zones of other users")
  func zoneSubscriptionIsRefusedForAMissing() throws {
    var nowhere = alice
    nowhere.zone = ZoneIdentifier(name: "Nowhere")
    #expect(error { try nowhere.subscribeToZone() }?.code == .zoneNotFound)
    nowhere.zone = .default
    #expect(error { try nowhere.subscribeToZone() }?.code == .invalidArguments)
    nowhere.zone = ZoneIdentifier(
      name: "Notes", owner: try stage.cloud.service.accounts.userRecordName(by: stage.bob.caller))
    #expect(error { try nowhere.subscribeToZone() }?.code == .invalidArguments)
    #expect(try alice.subscriptions() == [])
  }

  @Test("desired keys are allowed for query subscriptions only, and at most three ([subscription-save-6])")
  func desiredKeys() throws {
    var info = NotificationInfo()
    info.desiredKeys = ["text"]
    let failure = error { try alice.subscribeToZone(info) }
    #expect(failure?.code == .invalidArguments)
    #expect(failure?.internalCode == 2006)
    #expect(failure?.message == "cannot add additionalFields to this subscription type")
    try alice.subscribe(info)
    info.desiredKeys = ["a", "b", "c", "d"]
    #expect(error { try alice.subscribe(info) }?.code == .invalidArguments)
    info.desiredKeys = []
    try alice.subscribeToZone(info)
  }

  // [subscription-save-7]
  @Test("an invalid ID, a query without options and a system type are refused")
  func invalidIDAQueryWithoutOptions() throws {
    for id in ["", String(repeating: "a", count: 256), "a\u{0}"] {
      #expect(error { try alice.subscribe(id: id) }?.code == .invalidArguments, "\(id)")
    }
    #expect(error { try alice.subscribe(fires: .once) }?.code == .invalidArguments)
    #expect(error { try alice.subscribe(toType: "Users") }?.code == .permissionFailure)
    #expect(error { try alice.subscribe(toType: "cloudkit.share") }?.code == .permissionFailure)
    #expect(error { try alice.subscribe(toType: "no type") }?.code == .invalidArguments)
    let query = Subscription(id: "s", kind: .query(SubscriptionQuery(recordType: "Note", fires: .changes)))
    #expect(error { try Person(stage.cloud, nil).subscribe(query) }?.code == .notAuthenticated)
    let twice = ModifySubscriptionsRequest(
      scope: .private, saves: [ModifySubscriptionsRequest.Save(query)], deletes: ["s"])
    #expect(
      error { try alice.service.subscriptions.modifySubscriptions(twice, by: alice.caller) }?.code == .invalidArguments)
    let many = ModifySubscriptionsRequest(scope: .private, deletes: (0...400).map { "\($0)" })
    #expect(
      error { try alice.service.subscriptions.modifySubscriptions(many, by: alice.caller) }?.code == .limitExceeded)
    #expect(try alice.subscriptions() == [])
  }

  // [subscription-delete-1]
  @Test("fetching or deleting an unknown ID, or another user's, fails with unknownItem")
  func fetchingOrDeletingAnUnknownID() throws {
    #expect(error { try alice.unsubscribe("nothing") }?.code == .unknownItem)
    var (mine, theirs) = (inScope(.public), stage.bob)
    theirs.scope = .public
    try theirs.subscribe(id: "theirs")
    #expect(error { try mine.unsubscribe("theirs") }?.code == .unknownItem)
    let fetched = try mine.service.subscriptions.list(["theirs", "nothing"], in: .public, by: mine.caller)
    #expect(fetched.map { result in error { try result.get() }?.code } == [.unknownItem, .unknownItem])
    try mine.subscribe(id: "theirs")
    try mine.unsubscribe("theirs")
    #expect(try theirs.subscriptions().map(\.id) == ["theirs"])
    mine = alice
    try mine.subscribe()
    try mine.unsubscribe("query")
    #expect(error { try mine.unsubscribe("query") }?.code == .unknownItem)
  }

  @Test("each item of a request succeeds or fails by itself ([subscription-batch-1])")
  func eachItemOfARequestSucceeds() throws {
    try alice.subscribe()
    let request = ModifySubscriptionsRequest(
      scope: .private,
      saves: [
        ModifySubscriptionsRequest.Save(Subscription(id: "good", kind: .database)),
        ModifySubscriptionsRequest.Save(Subscription(id: "bad", kind: .zone(ZoneIdentifier(name: "Nowhere")))),
      ], deletes: ["nothing", "query"])
    let response = try alice.service.subscriptions.modifySubscriptions(request, by: alice.caller)
    #expect(response.saves.map { result in error { try result.get() }?.code } == [nil, .zoneNotFound])
    #expect(response.deletes.map { result in error { try result.get() }?.code } == [.unknownItem, nil])
    #expect(try alice.subscriptions().map(\.id) == ["good"])
  }

  // [subscription-delete-2]
  @Test("deleting a zone deletes its zone subscriptions, not those to queries and the database")
  func zoneDeleted() throws {
    try alice.subscribe(in: alice.zone)
    try alice.subscribeToZone()
    try alice.subscribeToDatabase()
    _ = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller
    )
    .deletes[0].get()
    #expect(try alice.subscriptions().map(\.id) == ["database", "query"])
    try alice.makeZone()
    try alice.subscribeToZone()
    #expect(try alice.service.checks.check() == [])
  }

  @Test("any text can be an ID, and different texts are different IDs ([subscription-save-2])")
  func anyTextCanBeAnID() throws {
    let ids = ["a", "A", "ä", "a\u{308}", "_a", "..", "a/b", "a b", "🎵", String(repeating: "x", count: 255), "a,b"]
    for (number, id) in ids.enumerated() { try alice.subscribe(toType: "T\(number)", id: id) }
    var inPublic = alice
    inPublic.scope = .public
    for (number, id) in ids.enumerated() { try inPublic.subscribe(toType: "T\(number)", id: id) }
    #expect(try Set(alice.subscriptions().map { ExactName($0.id) }) == Set(ids.map { ExactName($0) }))
    for id in ids {
      #expect(try alice.service.subscriptions.list([id], in: .public, by: alice.caller)[0].get().id == id)
    }
    #expect(try alice.service.checks.check() == [])
    for id in ids { try inPublic.unsubscribe(id) }
    #expect(try inPublic.subscriptions() == [])
  }

  @Test("removing an account removes its subscriptions and pushes")
  func accountGone() throws {
    var carol = Person(stage.cloud, "carol")
    carol.scope = .public
    try carol.subscribe()
    var writer = alice
    (writer.scope, writer.zone) = (.public, .default)
    try writer.save(writer.note("a"))
    #expect(try carol.receivedPushes() == ["query created a"])
    try stage.cloud.service.accounts.removeAccount("carol")
    #expect(try stage.cloud.service.checks.check() == [])
    _ = try stage.cloud.service.accounts.addAccount("carol", AccountChanges())
    try writer.save(writer.note("b"))
    #expect(try carol.subscriptions() == [])
    #expect(try carol.receivedPushes() == [])
  }

  @Test("check reports damaged subscriptions, repair sets them aside, and saves do not fail")
  func checkReportsDamagedSubscriptionsRepairSets() throws {
    try alice.subscribe()
    try alice.subscribeToZone()
    let path = "\(stage.cloud.path)/containers/iCloud.test/development/private/alice/subscriptions"
    let folder = try Directory.open(path: path, in: FileSystem())
    try folder.writeStaged("query.json", Array("{".utf8))
    try folder.writeStaged("stray.json", Array("{}".utf8))
    try folder.makeDirectory("folder.json")
    try alice.save(alice.note("a"))
    #expect(try stage.phone.receivedPushes() == ["zone changed"])
    let problems = try alice.service.checks.check().map { $0.path.split(separator: "/").last ?? "" }
    #expect(Set(problems) == ["query.json", "stray.json", "folder.json"])
    let report = try alice.service.repairs.repair()
    #expect(report.left == [])
    #expect(report.done.count == 3)
    #expect(try alice.subscriptions().map(\.id) == ["zone"])
  }

  @Test("check reports a subscription to a zone that was removed by hand, and repair sets it aside")
  func zoneGone() throws {
    try alice.subscribe()
    try alice.subscribeToZone()
    let path = "\(stage.cloud.path)/containers/iCloud.test/development/private/alice"
    try ScratchFolder.remove("\(path)/zones")
    let named = try alice.service.checks.check().map(\.path).filter { $0.contains("/subscriptions/") }
    #expect(named == ["\(path)/subscriptions/zone.json"])
    #expect(try alice.service.repairs.repair().left == [])
    #expect(try alice.subscriptions().map(\.id) == ["query"])
  }

  @Test("check reports a file at the path of the subscriptions' folder, and repair sets it aside")
  func fileInsteadOfFolder() throws {
    try alice.save(alice.note("a"))
    let path = "\(stage.cloud.path)/containers/iCloud.test/development/private/alice"
    try Directory.open(path: path, in: FileSystem()).writeStaged("subscriptions", Array("x".utf8))
    #expect(try alice.service.checks.check().map(\.path) == [path + "/subscriptions"])
    #expect(try alice.service.repairs.repair().left == [])
    #expect(try alice.service.checks.check() == [])
    try alice.subscribe()
    #expect(try alice.subscriptions().count == 1)
  }
}
