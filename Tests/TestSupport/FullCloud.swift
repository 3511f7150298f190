import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The contents of a cloud that contains every kind of file: three people, mutual shares, deleted zones, long names,
/// public records.
enum FullCloud {
  static let longName = String(repeating: "Größe ", count: 42)
  /// The private zones that remain, with their owners.
  static let zones: [(owner: String, zone: String)] = [("alice", "Notes"), ("alice", "Other"), ("bob", "Own")]

  /// The long-lived operations of carol's device.
  static let operations = ["00000000000000C0", "00000000000000C1"]

  /// A zone of alice's that she deleted.
  static let deletedZone = "Old"

  /// A zone of bob's with encrypted values in its records.
  static let sealedZone = "Own"

  static func fill(_ cloud: TemporaryCloud) throws {
    let service = cloud.service
    for (owner, zone) in zones + [("alice", deletedZone)] {
      let zone = ZoneIdentifier(name: ExactName(zone))
      _ = try service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: cloud.caller(owner))
        .saves[0]
        .get()
    }
    try save(cloud, "alice", "Notes", ["a", "c", "gone"])
    try save(cloud, "alice", "Notes", ["b", "b2"], parent: "a")
    try save(cloud, "alice", "Notes", ["d"], dependsOn: "c")
    try save(cloud, "alice", "Other", ["o1", "o2", longName])
    try save(cloud, "alice", deletedZone, ["x"])
    try save(cloud, "bob", "Own", ["r", "s"])
    try save(cloud, "bob", "Own", ["r1"], parent: "r")
    try share(cloud, "alice", "Notes", "a", with: "bob")
    try share(cloud, "bob", "Own", "r", with: "alice")
    for _ in 0..<3 { try save(cloud, "alice", "Notes", ["c", "b"], again: true) }
    let (notes, old) = (ZoneIdentifier(name: "Notes"), ZoneIdentifier(name: ExactName(deletedZone)))
    let deletion = ModifyRecordsRequest(
      scope: .private, deletes: [RecordIdentifier(name: "gone", zone: notes)], clientChangeTokenData: [1, 2, 3])
    _ = try service.records.modifyRecords(deletion, by: cloud.caller("alice")).deletes[0].get()
    _ = try service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [old]), by: cloud.caller("alice"))
    let carol = cloud.caller("carol")
    for (id, isOver) in zip(operations, [false, true]) {
      let content: JSONObject = ["kind": "CKFetchRecordsOperation", "inputs": [:], "databaseScope": 2]
      let held = try service.devices.storeOperation(id, content, isSecret: isOver, by: carol)
      if isOver { try service.devices.finishOperation(held, ["events": []], isSecret: true, by: carol) }
    }
    _ = try service.devices.signIn("carol", on: "tablet")
    _ = try service.accounts.setDiscoverability(
      of: "carol", in: TemporaryCloud.container, Discoverability(isGranted: true, wasAsked: true))
    try Self.leaveUpload(cloud)
    try subscribe(service)
    let publicRecord = RecordSave(
      id: RecordIdentifier(name: "p", zone: ZoneIdentifier(name: ZoneIdentifier.defaultName)), type: "Item",
      fields: ["text": .string("p")])
    _ = try service.records.modifyRecords(
      ModifyRecordsRequest(scope: .public, saves: [publicRecord]), by: cloud.caller("carol"))
  }

  private static func subscribe(_ service: CloudService) throws {
    let subscriptions: [(String, DatabaseScope, Subscription)] = [
      ("alice", .private, Subscription(id: "notes", kind: .zone(ZoneIdentifier(name: "Notes")))),
      ("bob", .shared, Subscription(id: "shared", kind: .database)),
      (
        "carol", .public,
        Subscription(id: "items", kind: .query(SubscriptionQuery(recordType: "Item", fires: .changes)))
      ),
    ]
    for (account, scope, subscription) in subscriptions {
      let request = ModifySubscriptionsRequest(
        scope: scope, saves: [ModifySubscriptionsRequest.Save(subscription)])
      _ = try service.subscriptions.modifySubscriptions(request, by: CorruptionTruth.caller(account)).saves[0].get()
    }
  }

  /// Leaves the files of an upload of a killed process.
  private static func leaveUpload(_ cloud: TemporaryCloud) throws {
    let uploads = try cloud.zoneFolder("Other").directory(".journal").directory("uploads")
    try uploads.writeStaged("dead", [])
    try uploads.writeStaged("dead.0", Array("half".utf8))
  }

  private static func save(
    _ cloud: TemporaryCloud, _ owner: String, _ zone: String, _ names: [String], parent: String? = nil,
    dependsOn: String? = nil, again: Bool = false
  ) throws {
    let zone = ZoneIdentifier(name: ExactName(zone))
    let files = try names.map { name in
      try TemporaryFile(Array(repeating: UInt8(truncatingIfNeeded: name.utf8.count), count: 5000))
    }
    let saves = zip(names, files).map { name, file in
      var fields: [String: FieldValue?] = [
        "text": .string(name), "count": .int64(42), "ratio": .double(0.5), "data": .bytes([0, 1, 2]),
        "tags": .list(.string, [.string("x"), .string("y")]),
        "place": .location(LocationValue(latitude: 1, longitude: 2)),
        "picture": .asset(AssetValue(file: file.path)),
      ]
      if let dependsOn {
        fields["owner"] = .reference(ReferenceValue(record: ExactName(dependsOn), action: .deleteSelf))
      }
      var save = RecordSave(
        id: RecordIdentifier(name: ExactName(name), zone: zone), type: "Item", fields: fields,
        parent: parent.map { .set(ExactName($0), zone: nil) } ?? .keep)
      if zone.name.string == sealedZone { save.encryptedFields = ["secret": .string(name)] }
      return save
    }
    let policy: SavePolicy = again ? .allKeys : .ifServerRecordUnchanged
    let request = ModifyRecordsRequest(scope: .private, saves: saves, policy: policy)
    try withExtendedLifetime(files) {
      for result in try cloud.service.records.modifyRecords(request, by: cloud.caller(owner)).saves {
        _ = try result.get()
      }
    }
  }

  private static func share(
    _ cloud: TemporaryCloud, _ owner: String, _ zone: String, _ root: String, with guest: String
  ) throws {
    let (service, zone) = (cloud.service, ZoneIdentifier(name: ExactName(zone)))
    let id = RecordIdentifier(name: ExactName(root), zone: zone)
    let tag = try service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: [id]), by: cloud.caller(owner))[0]
      .get().changeTag
    let guests = try [guest, "carol"].map { name in
      var person = try service.sharing.participants(for: [.email("\(name)@example.com")], by: cloud.caller(owner))[0]
        .get()
      person.permission = .readWrite
      return person
    }
    let saves = [
      RecordSave(id: id, type: "Item", changeTag: tag),
      RecordSave(
        id: RecordIdentifier(name: "Share-1", zone: zone), type: Record.shareType,
        fields: ["cloudkit.title": .string("Title")],
        share: ShareSave(root: ExactName(root), participants: guests)),
    ]
    // A program of the owner watches sharing events, so that the log is written.
    _ = try SharingLog(of: Account.defaultDevice(of: owner), in: service.cloud).watch()
    let response = try service.devices.modifyShare(
      saves[1].id, ModifyRecordsRequest(scope: .private, saves: saves), by: cloud.caller(owner), untold: { _ in })
    let url = try response.saves[1].get().shareDetails?.url ?? ""
    _ = try service.sharing.acceptShare(url: url, by: cloud.caller(guest))
    _ = try service.devices.open(url: url, by: cloud.caller("carol"))
  }
}

extension TemporaryCloud {
  /// A cloud that contains every kind of file.
  package static func full() throws -> TemporaryCloud {
    let cloud = try TemporaryCloud()
    try FullCloud.fill(cloud)
    return cloud
  }
}
