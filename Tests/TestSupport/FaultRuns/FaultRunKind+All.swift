import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

extension FaultRunKind {
  static let records: [FaultRunKind] = [
    FaultRunKind("save") { try $0.modify([$0.note("new", "1")]) },
    FaultRunKind("batch") { people in
      try people.modify((0..<5).map { people.note(ExactName("n\($0)"), "1") })
    },
    FaultRunKind("schema growth") { people in
      let grown = RecordIdentifier(name: "grown", zone: FaultRunPeople.zone)
      try people.modify([RecordSave(id: grown, type: "Fresh", fields: ["size": .double(1.5)])])
    },
    FaultRunKind("save of many blocks") { people in
      try people.modify([people.note("long", String(repeating: "0123456789", count: 2000))])
    },
    FaultRunKind("long-lived save") { try $0.modifyLongLived([$0.note("new", "1"), $0.note("child", "2")]) },
    FaultRunKind("save and delete in public") { people in
      try people.modify([people.note("new", "1", zone: .default)], delete: ["old"], scope: .public, zone: .default)
    },
    FaultRunKind("overwrite") { try $0.modify([$0.note("child", "2"), $0.note("root", "2")]) },
    FaultRunKind("delete with cascade") { try $0.modify([], delete: ["target"]) },
  ]

  /// In the stage, `album` holds the assets `one` and `two`, and `frame` holds only `one`.
  static let assets: [FaultRunKind] = [
    FaultRunKind("upload") { try $0.saveAlbum("new", ["three"]) },
    FaultRunKind("upload of what is there") { try $0.saveAlbum("new", ["one", "three", "one"]) },
    FaultRunKind("replace assets") { try $0.saveAlbum("album", ["two", "three"]) },
    FaultRunKind("last holder") { try $0.modify([], delete: ["album"]) },
    FaultRunKind("change of holder") { try $0.saveAlbum("new", ["two"], delete: ["album"]) },
    FaultRunKind("many uploads") { try $0.saveAlbum("new", (0..<10).map { "number \($0)" }) },
    FaultRunKind("after a dead upload") { people in
      try people.leaveUpload("lost")
      try people.modify([people.note("new", "1")])
    },
    FaultRunKind("checkpoint of an upload", limits: limits { $0.checkpointBytes = 1 }) {
      try $0.saveAlbum("album", ["three"])
    },
    FaultRunKind("participant's upload") { people in
      try people.saveAlbum("child", ["one", "three"], by: "bob", scope: .shared, zone: people.sharedZone())
    },
  ]

  static let sharing: [FaultRunKind] = [
    FaultRunKind("move out of a share") { try $0.modify([$0.note("child", "2", parent: .clear)]) },
    FaultRunKind("move into a share") { try $0.modify([$0.note("loner", "2", parent: .set("root", zone: nil))]) },
    FaultRunKind("share") { try $0.modify([$0.note("other", "1"), $0.share("other", as: "second share")]) },
    FaultRunKind("link for one person") { try $0.addLink() },
    FaultRunKind("accept") { try $0.accept(by: "carol") },
    FaultRunKind("leave") { try $0.modify([], delete: ["share"], by: "bob", scope: .shared, zone: $0.sharedZone()) },
    FaultRunKind("stop") { try $0.modify([], delete: ["share"]) },
    FaultRunKind("share a whole zone") { try $0.modify([$0.shareWhole(FaultRunPeople.plain)]) },
    FaultRunKind("stop sharing a whole zone") { people in
      try people.modify([], delete: [Record.zoneWideShareName], zone: FaultRunPeople.whole)
    },
    FaultRunKind("participant's write") { people in
      let zone = try people.sharedZone()
      try people.modify([people.note("child", "Bob's", zone: zone)], by: "bob", scope: .shared)
    },
  ]

  /// Commits that change the keys of the zone, of people and of shares.
  static let keys: [FaultRunKind] = [
    FaultRunKind("first encrypted value") { try $0.modify([$0.secret("child", "2", zone: FaultRunPeople.zone)]) },
    FaultRunKind("first encrypted value of a participant") { people in
      try people.modify([people.secret("child", "2", zone: people.sharedZone())], by: "bob", scope: .shared)
    },
    FaultRunKind("encrypted value") { try $0.modify([$0.secret("root", "2")]) },
    FaultRunKind("move with keys") { try $0.modify([$0.secret("child", "2", parent: .clear)]) },
    FaultRunKind("removal with keys") { try $0.removeBob() },
    FaultRunKind("leave with keys") { people in
      let zone = try people.sharedZone(FaultRunPeople.sealed)
      try people.modify([], delete: ["share"], by: "bob", scope: .shared, zone: zone)
    },
    FaultRunKind("accept with keys") { try $0.accept(by: "carol", in: FaultRunPeople.sealed) },
    FaultRunKind("reset of keys", isStepwise: true) { people in
      _ = try people.service.keys.resetKeys(of: "alice", container: TemporaryCloud.container)
    },
    FaultRunKind("reset of a participant's keys", isStepwise: true) { people in
      _ = try people.service.keys.resetKeys(of: "bob", container: TemporaryCloud.container)
    },
  ]

  static let schemas: [FaultRunKind] = [
    FaultRunKind("import that removes a type", isDocument: true, isStepwise: true) { people in
      try people.importSchema { $0.types["Note"] = nil }
    },
    FaultRunKind("import that removes fields", isDocument: true, isStepwise: true) { people in
      try people.importSchema { schema in
        for key in ["text", "target", "pictures", "secret"] { schema.types["Note"]?.fields[key] = nil }
      }
    },
  ]

  static let zones: [FaultRunKind] = [
    FaultRunKind("create zone") { try $0.makeZone(ZoneIdentifier(name: "Second")) },
    FaultRunKind("create zone again") { try $0.makeZone(ZoneIdentifier(name: "Old")) },
    FaultRunKind("delete zone") { try $0.deleteZone() },
    FaultRunKind("purge", isStepwise: true) { people in
      _ = try people.service.zones.purgeData(of: "alice", container: TemporaryCloud.container)
    },
    FaultRunKind("reset of development", isDocument: true, isStepwise: true) { people in
      _ = try people.service.schemas.resetDevelopment(by: people.caller("alice"))
    },
    FaultRunKind("reset of a container", isDocument: true, isStepwise: true) { people in
      let caller = people.caller("alice")
      _ = try people.service.resets.reset(.container(caller.container), .schema, by: caller)
    },
    FaultRunKind("reset of an account", isDocument: true, isStepwise: true) { people in
      _ = try people.service.resets.reset(.account("alice"), by: people.caller("alice"))
    },
  ]

  static let pushes: [FaultRunKind] = [
    FaultRunKind("save that several are told of") {
      try $0.modify([$0.note("inside", "3", zone: FaultRunPeople.notified)])
    },
    FaultRunKind("participant's write that two devices are told of") { people in
      let zone = try people.sharedZone(FaultRunPeople.notified)
      try people.modify([people.note("theirs", "1", zone: zone)], by: "frank", scope: .shared)
    },
    FaultRunKind("save that ends a subscription") { people in
      let tale = RecordIdentifier(name: "tale", zone: FaultRunPeople.notified)
      try people.modify([RecordSave(id: tale, type: "Tale")])
    },
    FaultRunKind("create zone that somebody is told of") { try $0.makeZone(ZoneIdentifier(name: "New"), by: "gina") },
    FaultRunKind("delete zone with its subscriptions") { try $0.deleteZone(FaultRunPeople.notified) },
  ]

  static let tidying: [FaultRunKind] = [
    FaultRunKind("checkpoint", limits: limits { $0.checkpointBytes = 1 }) { try $0.modify([$0.note("child", "2")]) },
    FaultRunKind(
      "compaction",
      limits: limits {
        $0.checkpointBytes = 1
        $0.retainedChanges = 2
      }
    ) { try $0.modify([$0.note("child", "2")]) },
    FaultRunKind("compaction beside others", limits: limits { $0.retainedChanges = 1 }, isVisible: false) {
      try $0.compactedBesideOthers {}
    },
    FaultRunKind("save beside a compaction", limits: limits { $0.retainedChanges = 1 }) { people in
      try people.compactedBesideOthers { try people.modify([people.note("child", "2")]) }
    },
    FaultRunKind("save that is left beside a compaction", limits: limits { $0.retainedChanges = 1 }) { people in
      try people.compactedBesideOthers {
        try people.runQueued([.init { try people.modify([people.note("child", "2")]) }])
      }
    },
    // The service's own limit takes ten thousand commits to reach.
    FaultRunKind("database log compaction", isVisible: false) { people in
      let path = DatabasePath(
        container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"])
      guard let folder = try people.service.cloud.database(path) else { return }
      try DatabaseChangeLog(in: folder.directory, limits: limits { $0.retainedChanges = 2 }).append(
        [(FaultRunPeople.zone.name, nil, [:])], all: { try folder.mentionable() }, LockWaitPolicy())
    },
  ]

  /// Commits with an index of the field that the queries of all kinds use.
  static let queries: [FaultRunKind] = [
    FaultRunKind("first query by a field", isVisible: false) { people in
      let target = FieldValue.reference(ReferenceValue(record: "target"))
      let condition = QueryCondition([QueryFilter("target", .equals, target)])
      try people.names(Query(recordType: "Note", condition: condition))
    },
    FaultRunKind("batch that moves records within an index") { people in
      try people.modify(
        [people.note("child", "19"), people.note("loner", "0"), people.note("new", "10")], delete: ["target"])
    },
  ]

  /// Commits that append an entry to the journal for the process with the commit lease.
  package static let joinedCommits: [FaultRunKind] = [
    FaultRunKind("save that is left") { people in
      try people.runQueued([.init { try people.modify([people.note("new", "1")]) }])
    },
    FaultRunKind("delete with cascade that is left") { people in
      try people.runQueued([.init { try people.modify([], delete: ["target"]) }])
    },
    FaultRunKind("participant's write that is left") { people in
      let zone = try people.sharedZone()
      try people.runQueued([
        .init { try people.modify([people.note("child", "Bob's", zone: zone)], by: "bob", scope: .shared) }
      ])
    },
    FaultRunKind("save that is left and that several are told of") { people in
      try people.runQueued(
        [.init { try people.modify([people.note("inside", "3", zone: FaultRunPeople.notified)]) }],
        in: FaultRunPeople.notified)
    },
    FaultRunKind("three commits by one sync", isStepwise: true) { people in
      let zone = try people.sharedZone()
      try people.runQueued([
        .init(unless: people.text(of: "child") == "2") {
          try people.modify([people.note("child", "2"), people.note("new", "1", parent: .set("root", zone: nil))])
        },
        .init(unless: people.text(of: "new") == "Bob's") {
          try people.modify([people.note("new", "Bob's", zone: zone)], by: "bob", scope: .shared)
        },
        .init(unless: people.text(of: "loner") == "2") {
          try people.modify([people.note("loner", "2", parent: .set("new", zone: nil))], delete: ["target"])
        },
      ])
    },
    FaultRunKind("upload after a commit that was left", isStepwise: true) { people in
      try people.runQueued([
        .init(unless: people.text(of: "new") != nil) { try people.modify([people.note("new", "1")]) },
        .init(unless: people.text(of: "new") == "three") { try people.saveAlbum("new", ["three"]) },
      ])
    },
  ]

  static let documents: [FaultRunKind] = [
    FaultRunKind("add account", isDocument: true) { _ = try $0.service.accounts.addAccount("erin", AccountChanges()) },
    FaultRunKind("change account", isDocument: true) { people in
      var changes = AccountChanges()
      changes.emails = ["dora@example.org"]
      changes.givenName = "Theodora"
      _ = try people.service.accounts.setAccount("dora", changes)
    },
    FaultRunKind("remove account", isDocument: true, isStepwise: true) {
      try $0.service.accounts.removeAccount("dora")
    },
    FaultRunKind("device document", isDocument: true) { people in
      try people.service.cloud.withFolder("devices", LockWaitPolicy()) { folder in
        let next = (try folder.read("phone", "identifiers.json")?["drawn"]?.integer ?? 0) + 1
        try folder.write(["drawn": .integer(next)], "phone", "identifiers.json")
      }
    },
    FaultRunKind("new device", isDocument: true) { _ = try $0.service.devices.signIn("alice", on: "watch") },
    FaultRunKind("sign out", isDocument: true) { _ = try $0.service.devices.signOut("alice-device") },
    FaultRunKind("sign out with an operation", isDocument: true, isStepwise: true) { people in
      _ = try people.service.devices.signOut("bob-device")
    },
    FaultRunKind("switch", isDocument: true) { _ = try $0.service.devices.signIn("carol", on: "tablet") },
    FaultRunKind("application permission", isDocument: true) { people in
      _ = try people.service.accounts.requestPermission(by: people.caller("carol"))
    },
    FaultRunKind("web token", isDocument: true) { people in
      _ = try people.service.accounts.webAuthToken(apiToken: "key", by: people.caller("carol"))
    },
    FaultRunKind("open link", isDocument: true) { try $0.open(by: "carol") },
    FaultRunKind("subscribe", isDocument: true) { people in
      let query = SubscriptionQuery(recordType: "Note", fires: .update)
      try people.subscribe(Subscription(id: "notes", kind: .query(query)))
    },
    FaultRunKind("subscribe to a zone", isDocument: true) { people in
      try people.subscribe(Subscription(id: "plain", kind: .zone(FaultRunPeople.plain)))
    },
    FaultRunKind("subscribe for the first time", isDocument: true) { people in
      try people.subscribe(Subscription(id: "all", kind: .database), by: "carol", scope: .shared)
    },
    FaultRunKind("change a subscription", isDocument: true) { people in
      try people.subscribe(Subscription(id: "told", kind: .zone(FaultRunPeople.notified), recordType: "Note"))
    },
    FaultRunKind("unsubscribe", isDocument: true) { try $0.unsubscribe("told") },
    FaultRunKind("take push", isDocument: true) { try $0.takePush() },
    FaultRunKind("take link", isDocument: true) { try $0.take(by: "bob") },
    FaultRunKind("keep operation", isDocument: true) { try $0.keepOperation(by: "carol") },
    FaultRunKind("keep sealed operation", isDocument: true) { try $0.keepOperation(by: "carol", isSecret: true) },
    FaultRunKind("finish operation", isDocument: true) { try $0.finishOperation(by: "bob") },
    FaultRunKind("finish sealed operation", isDocument: true) { try $0.finishOperation(by: "bob", isSecret: true) },
    FaultRunKind("forget operation", isDocument: true) { try $0.forgetOperation(by: "dora") },
  ]

  private static func limits(_ change: (inout StorageLimits) -> Void) -> StorageLimits {
    var limits = StorageLimits()
    change(&limits)
    return limits
  }
}
