import CloudModel
import CloudService
import CloudStore
import Storage

extension AttackKind {
  static let records: [AttackKind] = [
    AttackKind("save") { try $0.modify([$0.note("new", "1")]) },
    AttackKind("batch") { people in
      try people.modify((0..<5).map { people.note(ExactName("n\($0)"), "1") })
    },
    AttackKind("schema growth") { people in
      let place = RecordIdentifier(name: "grown", zone: AttackPeople.zone)
      try people.modify([RecordSave(id: place, type: "Fresh", fields: ["size": .double(1.5)])])
    },
    AttackKind("save of many blocks") { people in
      try people.modify([people.note("long", String(repeating: "0123456789", count: 2000))])
    },
    AttackKind("long-lived save") { try $0.modifyLongLived([$0.note("new", "1"), $0.note("child", "2")]) },
    AttackKind("save and delete in public") { people in
      try people.modify([people.note("new", "1", zone: .default)], delete: ["old"], scope: .public, zone: .default)
    },
    AttackKind("overwrite") { try $0.modify([$0.note("child", "2"), $0.note("root", "2")]) },
    AttackKind("delete with cascade") { try $0.modify([], delete: ["target"]) },
  ]

  /// The stage's `album` holds `one` and `two`, its `frame` holds `one` alone.
  static let assets: [AttackKind] = [
    AttackKind("upload") { try $0.saveAlbum("new", ["three"]) },
    AttackKind("upload of what is there") { try $0.saveAlbum("new", ["one", "three", "one"]) },
    AttackKind("replace assets") { try $0.saveAlbum("album", ["two", "three"]) },
    AttackKind("last holder") { try $0.modify([], delete: ["album"]) },
    AttackKind("change of holder") { try $0.saveAlbum("new", ["two"], delete: ["album"]) },
    AttackKind("many uploads") { try $0.saveAlbum("new", (0..<10).map { "number \($0)" }) },
    AttackKind("after a dead upload") { people in
      try people.leaveUpload("lost")
      try people.modify([people.note("new", "1")])
    },
    AttackKind("checkpoint of an upload", limits: limits { $0.checkpointBytes = 1 }) {
      try $0.saveAlbum("album", ["three"])
    },
    AttackKind("participant's upload") { people in
      try people.saveAlbum("child", ["one", "three"], by: "bob", scope: .shared, zone: people.sharedZone())
    },
  ]

  static let sharing: [AttackKind] = [
    AttackKind("move out of a share") { try $0.modify([$0.note("child", "2", parent: .clear)]) },
    AttackKind("move into a share") { try $0.modify([$0.note("loner", "2", parent: .set("root", zone: nil))]) },
    AttackKind("share") { try $0.modify([$0.note("other", "1"), $0.share("other", as: "second share")]) },
    AttackKind("link for one person") { try $0.addLink() },
    AttackKind("accept") { try $0.accept(by: "carol") },
    AttackKind("leave") { try $0.modify([], delete: ["share"], by: "bob", scope: .shared, zone: $0.sharedZone()) },
    AttackKind("stop") { try $0.modify([], delete: ["share"]) },
    AttackKind("share a whole zone") { try $0.modify([$0.shareWhole(AttackPeople.plain)]) },
    AttackKind("stop sharing a whole zone") { people in
      try people.modify([], delete: [Record.zoneWideShareName], zone: AttackPeople.whole)
    },
    AttackKind("participant's write") { people in
      let zone = try people.sharedZone()
      try people.modify([people.note("child", "Bob's", zone: zone)], by: "bob", scope: .shared)
    },
  ]

  /// With keys: those of the zone, of people and of shares.
  static let keys: [AttackKind] = [
    AttackKind("first encrypted value") { try $0.modify([$0.secret("child", "2", zone: AttackPeople.zone)]) },
    AttackKind("first encrypted value of a participant") { people in
      try people.modify([people.secret("child", "2", zone: people.sharedZone())], by: "bob", scope: .shared)
    },
    AttackKind("encrypted value") { try $0.modify([$0.secret("root", "2")]) },
    AttackKind("move with keys") { try $0.modify([$0.secret("child", "2", parent: .clear)]) },
    AttackKind("removal with keys") { try $0.removeBob() },
    AttackKind("leave with keys") { people in
      let zone = try people.sharedZone(AttackPeople.sealed)
      try people.modify([], delete: ["share"], by: "bob", scope: .shared, zone: zone)
    },
    AttackKind("accept with keys") { try $0.accept(by: "carol", in: AttackPeople.sealed) },
    AttackKind("reset of keys", isStepwise: true) { people in
      _ = try people.service.keys.resetKeys(of: "alice", container: TemporaryCloud.container)
    },
    AttackKind("reset of a participant's keys", isStepwise: true) { people in
      _ = try people.service.keys.resetKeys(of: "bob", container: TemporaryCloud.container)
    },
  ]

  static let schemas: [AttackKind] = [
    AttackKind("import that removes a type", isDocument: true, isStepwise: true) { people in
      try people.importSchema { $0.types["Note"] = nil }
    },
    AttackKind("import that removes fields", isDocument: true, isStepwise: true) { people in
      try people.importSchema { schema in
        for key in ["text", "target", "pictures", "secret"] { schema.types["Note"]?.fields[key] = nil }
      }
    },
  ]

  static let zones: [AttackKind] = [
    AttackKind("create zone") { try $0.makeZone(ZoneIdentifier(name: "Second")) },
    AttackKind("create zone again") { try $0.makeZone(ZoneIdentifier(name: "Old")) },
    AttackKind("delete zone") { try $0.deleteZone() },
    AttackKind("purge", isStepwise: true) { people in
      _ = try people.service.zones.purgeData(of: "alice", container: TemporaryCloud.container)
    },
    AttackKind("reset of development", isDocument: true, isStepwise: true) { people in
      _ = try people.service.schemas.resetDevelopment(by: people.caller("alice"))
    },
  ]

  static let pushes: [AttackKind] = [
    AttackKind("save that several are told of") { try $0.modify([$0.note("inside", "3", zone: AttackPeople.told)]) },
    AttackKind("participant's write that two devices are told of") { people in
      let zone = try people.sharedZone(AttackPeople.told)
      try people.modify([people.note("theirs", "1", zone: zone)], by: "frank", scope: .shared)
    },
    AttackKind("save that ends a subscription") { people in
      let tale = RecordIdentifier(name: "tale", zone: AttackPeople.told)
      try people.modify([RecordSave(id: tale, type: "Tale")])
    },
    AttackKind("create zone that somebody is told of") { try $0.makeZone(ZoneIdentifier(name: "New"), by: "gina") },
    AttackKind("delete zone with its subscriptions") { try $0.deleteZone(AttackPeople.told) },
  ]

  static let tidying: [AttackKind] = [
    AttackKind("checkpoint", limits: limits { $0.checkpointBytes = 1 }) { try $0.modify([$0.note("child", "2")]) },
    AttackKind(
      "compaction",
      limits: limits {
        $0.checkpointBytes = 1
        $0.retainedChanges = 2
      }
    ) { try $0.modify([$0.note("child", "2")]) },
    AttackKind("compaction beside others", limits: limits { $0.retainedChanges = 1 }, isVisible: false) {
      try $0.compactedBesideOthers {}
    },
    AttackKind("save beside a compaction", limits: limits { $0.retainedChanges = 1 }) { people in
      try people.compactedBesideOthers { try people.modify([people.note("child", "2")]) }
    },
    AttackKind("save that is left beside a compaction", limits: limits { $0.retainedChanges = 1 }) { people in
      try people.compactedBesideOthers {
        try people.crowded([.init { try people.modify([people.note("child", "2")]) }])
      }
    },
    // The service's own limit for it takes ten thousand commits to reach.
    AttackKind("database log compaction", isVisible: false) { people in
      let path = DatabasePath(
        container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"])
      guard let folder = try people.service.cloud.database(path) else { return }
      try DatabaseChangeLog(in: folder.directory, limits: limits { $0.retainedChanges = 2 }).append(
        [(AttackPeople.zone.name, nil, [:])], all: { try folder.mentionable() }, LockWaitPolicy())
    },
  ]

  /// With an index of the field that the stories of all kinds search by.
  static let queries: [AttackKind] = [
    AttackKind("first query by a field", isVisible: false) { people in
      let target = FieldValue.reference(ReferenceValue(record: "target"))
      let condition = QueryCondition([QueryFilter("target", .equals, target)])
      try people.names(Query(recordType: "Note", condition: condition))
    },
    AttackKind("batch that moves records within an index") { people in
      try people.modify(
        [people.note("child", "19"), people.note("loner", "0"), people.note("new", "10")], delete: ["target"])
    },
  ]

  /// Left in the journal for whoever has the turn to commit.
  package static let crowds: [AttackKind] = [
    AttackKind("save that is left") { people in
      try people.crowded([.init { try people.modify([people.note("new", "1")]) }])
    },
    AttackKind("delete with cascade that is left") { people in
      try people.crowded([.init { try people.modify([], delete: ["target"]) }])
    },
    AttackKind("participant's write that is left") { people in
      let zone = try people.sharedZone()
      try people.crowded([
        .init { try people.modify([people.note("child", "Bob's", zone: zone)], by: "bob", scope: .shared) }
      ])
    },
    AttackKind("save that is left and that several are told of") { people in
      try people.crowded(
        [.init { try people.modify([people.note("inside", "3", zone: AttackPeople.told)]) }], in: AttackPeople.told)
    },
    AttackKind("three commits by one sync", isStepwise: true) { people in
      let zone = try people.sharedZone()
      try people.crowded([
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
    AttackKind("upload after a commit that was left", isStepwise: true) { people in
      try people.crowded([
        .init(unless: people.text(of: "new") != nil) { try people.modify([people.note("new", "1")]) },
        .init(unless: people.text(of: "new") == "three") { try people.saveAlbum("new", ["three"]) },
      ])
    },
  ]

  static let documents: [AttackKind] = [
    AttackKind("add account", isDocument: true) { _ = try $0.service.accounts.addAccount("erin", AccountChanges()) },
    AttackKind("change account", isDocument: true) { people in
      var changes = AccountChanges()
      changes.emails = ["dora@example.org"]
      changes.givenName = "Theodora"
      _ = try people.service.accounts.setAccount("dora", changes)
    },
    AttackKind("remove account", isDocument: true, isStepwise: true) { try $0.service.accounts.removeAccount("dora") },
    AttackKind("device document", isDocument: true) { people in
      try people.service.cloud.withFolder("devices", LockWaitPolicy()) { folder in
        let next = (try folder.read("phone", "identifiers.json")?["drawn"]?.integer ?? 0) + 1
        try folder.write(["drawn": .integer(next)], "phone", "identifiers.json")
      }
    },
    AttackKind("new device", isDocument: true) { _ = try $0.service.devices.signIn("alice", on: "watch") },
    AttackKind("sign out", isDocument: true) { _ = try $0.service.devices.signOut("alice-device") },
    AttackKind("switch", isDocument: true) { _ = try $0.service.devices.signIn("carol", on: "tablet") },
    AttackKind("application permission", isDocument: true) { people in
      _ = try people.service.accounts.requestPermission(by: people.caller("carol"))
    },
    AttackKind("web token", isDocument: true) { people in
      _ = try people.service.accounts.webAuthToken(apiToken: "key", by: people.caller("carol"))
    },
    AttackKind("open link", isDocument: true) { try $0.open(by: "carol") },
    AttackKind("subscribe", isDocument: true) { people in
      let query = SubscriptionQuery(recordType: "Note", fires: .update)
      try people.subscribe(Subscription(id: "notes", kind: .query(query)))
    },
    AttackKind("subscribe to a zone", isDocument: true) { people in
      try people.subscribe(Subscription(id: "plain", kind: .zone(AttackPeople.plain)))
    },
    AttackKind("subscribe for the first time", isDocument: true) { people in
      try people.subscribe(Subscription(id: "all", kind: .database), by: "carol", scope: .shared)
    },
    AttackKind("change a subscription", isDocument: true) { people in
      try people.subscribe(Subscription(id: "told", kind: .zone(AttackPeople.told), recordType: "Note"))
    },
    AttackKind("unsubscribe", isDocument: true) { try $0.unsubscribe("told") },
    AttackKind("take push", isDocument: true) { try $0.takePush() },
    AttackKind("take link", isDocument: true) { try $0.take(by: "bob") },
    AttackKind("keep operation", isDocument: true) { try $0.keepOperation(by: "carol") },
    AttackKind("finish operation", isDocument: true) { try $0.finishOperation(by: "bob") },
    AttackKind("forget operation", isDocument: true) { try $0.forgetOperation(by: "dora") },
  ]

  private static func limits(_ change: (inout StorageLimits) -> Void) -> StorageLimits {
    var limits = StorageLimits()
    change(&limits)
    return limits
  }
}
