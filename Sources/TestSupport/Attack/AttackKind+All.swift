import CloudService
import CloudStore

extension AttackKind {
  static let records: [AttackKind] = [
    AttackKind("save") { try $0.modify([$0.note("new", "1")]) },
    AttackKind("batch") { people in
      try people.modify((0..<5).map { people.note(ExactName("n\($0)"), "1") })
    },
    AttackKind("save of many blocks") { people in
      try people.modify([people.note("long", String(repeating: "0123456789", count: 2000))])
    },
    AttackKind("overwrite") { try $0.modify([$0.note("child", "2"), $0.note("root", "2")]) },
    AttackKind("delete with cascade") { try $0.modify([], delete: ["target"]) },
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

  static let zones: [AttackKind] = [
    AttackKind("create zone") { try $0.makeZone(ZoneIdentifier(name: "Second")) },
    AttackKind("create zone again") { try $0.makeZone(ZoneIdentifier(name: "Old")) },
    AttackKind("delete zone") { try $0.deleteZone() },
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
    // The service's own limit for it takes ten thousand commits to reach.
    AttackKind("database log compaction", isVisible: false) { people in
      let path = DatabasePath(
        container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"])
      guard let folder = try people.service.cloud.database(path) else { return }
      try LeafLog(in: folder.directory, limits: limits { $0.retainedChanges = 2 }).append(
        [(AttackPeople.zone.name, nil, [:])], all: { try folder.mentionable() }, LockPatience())
    },
  ]

  static let documents: [AttackKind] = [
    AttackKind("add account", isDocument: true) { _ = try $0.service.addAccount("erin", AccountChanges()) },
    AttackKind("change account", isDocument: true) { people in
      var changes = AccountChanges()
      changes.emails = ["dora@example.org"]
      changes.givenName = "Theodora"
      _ = try people.service.setAccount("dora", changes)
    },
    AttackKind("remove account", isDocument: true) { try $0.service.removeAccount("dora") },
    AttackKind("device document", isDocument: true) { people in
      try people.service.cloud.withFolder("devices", LockPatience()) { folder in
        let next = (try folder.read("phone", "identifiers.json")?["drawn"]?.integer ?? 0) + 1
        try folder.write(["drawn": .integer(next)], "phone", "identifiers.json")
      }
    },
    AttackKind("new device", isDocument: true) { people in
      try people.service.cloud.withFolder("devices", LockPatience()) { folder in
        try folder.write(["account": "alice", "name": "watch"], "watch", "device.json")
      }
    },
    AttackKind("open link", isDocument: true) { try $0.open(by: "carol") },
    AttackKind("take link", isDocument: true) { try $0.take(by: "bob") },
  ]

  private static func limits(_ change: (inout StoreLimits) -> Void) -> StoreLimits {
    var limits = StoreLimits()
    change(&limits)
    return limits
  }
}
