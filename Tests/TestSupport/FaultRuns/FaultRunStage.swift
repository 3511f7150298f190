import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The cloud for all faults. It is created once and cached in memory.
package struct FaultRunStage: Sendable {
  package let image: FolderImage

  private static let made = Result { try FaultRunStage() }
  package static var shared: FaultRunStage { get throws { try made.get() } }

  /// Creates the cloud. Alice shares a tree with Bob and Carol, and another tree with encrypted values; Bob accepts,
  /// Carol does not. Alice has deleted a zone, and shares a whole zone with Bob. She shares one more with Frank; both
  /// get pushes about it on several devices. Gina gets pushes about her database.
  private init() throws {
    let cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dora", "frank", "gina"])
    let people = FaultRunPeople(cloud.service)
    try people.makeZone()
    try people.makeZone(ZoneIdentifier(name: "Old"))
    try people.deleteZone(ZoneIdentifier(name: "Old"))
    let invited = try cloud.service.sharing.participants(
      for: [.email("bob@example.com"), .email("carol@example.com")], by: cloud.caller("alice")
    ).map { result in
      var participant = try result.get()
      participant.permission = .readWrite
      return participant
    }
    try people.modify([
      people.note("root", "1"), people.note("child", "1", parent: .set("root", zone: nil)),
      people.share("root", as: "share", with: invited), people.note("target", "1"), people.note("loner", "1"),
    ])
    try people.modify([
      RecordSave(
        id: RecordIdentifier(name: "owned", zone: FaultRunPeople.zone), type: "Note",
        fields: ["target": .reference(ReferenceValue(record: "target", action: .deleteSelf))])
    ])
    // These contents existed before and were removed. A run saves them again, and the journal contains all of it.
    try people.saveAlbum("album", ["three"])
    try people.saveAlbum("album", ["one", "two"])
    try people.saveAlbum("frame", ["one"])
    try people.accept(by: "bob")
    try people.open(by: "bob")
    for zone in [FaultRunPeople.plain, FaultRunPeople.whole] {
      try people.makeZone(zone)
      try people.modify([people.note("inside", "1", zone: zone)])
    }
    try people.modify([people.shareWhole(with: Array(invited.prefix(1)))])
    try people.accept(by: "bob", Record.zoneWideShareName, in: FaultRunPeople.whole)
    try people.modify([people.note("old", "1", zone: .default)], scope: .public)
    _ = try cloud.service.devices.signIn("dora", on: "tablet")
    try Self.subscribe(people)
    try people.makeZone(FaultRunPeople.sealed)
    try people.modify([
      people.secret("root", "1"), people.secret("child", "1", parent: .set("root", zone: nil)),
      people.share("root", as: "share", with: invited, in: FaultRunPeople.sealed),
    ])
    try people.accept(by: "bob", in: FaultRunPeople.sealed)
    try cloud.service.cloud.withFolder("devices", LockWaitPolicy()) { folder in
      try folder.write(["drawn": 7], "phone", "identifiers.json")
    }
    for account in ["bob", "dora"] { try people.keepOperation(by: account) }
    try people.finishOperation(by: "dora")
    // The first read creates some files, so it is done here.
    _ = try FaultRunScenario(people)
    image = try withExtendedLifetime(cloud) { try FolderImage(of: cloud.path) }
  }

  private static func subscribe(_ people: FaultRunPeople) throws {
    for (device, account) in [("tablet", "alice"), ("pad", "gina")] {
      try people.service.cloud.withFolder("devices", LockWaitPolicy()) { folder in
        try folder.write(["account": .string(account), "name": .string(device)], device, "device.json")
      }
    }
    let zone = FaultRunPeople.notified
    try people.makeZone(zone)
    try people.modify([people.note("inside", "1", zone: zone)])
    var frank = try people.service.sharing.participants(for: [.email("frank@example.com")], by: people.caller("alice"))[
      0
    ].get()
    frank.permission = .readWrite
    try people.modify([people.shareWhole(zone, with: [frank])])
    try people.accept(by: "frank", Record.zoneWideShareName, in: zone)
    try people.subscribe(Subscription(id: "told", kind: .zone(zone)))
    let query = SubscriptionQuery(recordType: "Tale", fires: [.creation, .once])
    try people.subscribe(Subscription(id: "first", kind: .query(query)))
    try people.subscribe(Subscription(id: "shared", kind: .database), by: "frank", scope: .shared)
    try people.subscribe(Subscription(id: "all", kind: .database), by: "gina")
    try people.modify([people.note("inside", "2", zone: zone)])
  }
}
