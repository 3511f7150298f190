import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Pushes: size limit, validation of log lines, and devices of an account")
struct PushPartsTests {
  private func payload(
    _ info: NotificationInfo?, _ scope: DatabaseScope = .private, owner: String? = "_o", fields: JSONObject? = nil
  ) throws -> PushPayload {
    let query = SubscriptionQuery(recordType: "Note", fires: .changes)
    var change: RecordChange?
    if let fields {
      let record = StoredRecord(["fields": .object(fields), "recordName": "a", "recordType": "Note"])
      change = try #require(RecordChange("a", before: nil, after: record))
    }
    return PushPayload(
      Subscription(id: "s", kind: .query(query), notification: info), of: "_u", container: "iCloud.test", scope: scope,
      zone: ZoneIdentifier(name: "Notes", owner: owner), change: change, notificationID: "n")
  }

  private func size(_ payload: PushPayload) -> Int { JSONValue.object(payload.object).compact().count }

  private func filler(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test(
    "a push has at most 4096 bytes, with 8 reserved for a badge; above that it first loses the container's identifier")
  func pushHasAtMost4096Bytes() throws {
    for badges in [false, true] {
      var info = NotificationInfo()
      (info.badges, info.category) = (badges, "")
      let rest = 4096 - (badges ? 8 : 0) - size(try payload(info))
      info.category = filler(rest)
      #expect(try payload(info).ck["cid"] == "iCloud.test" && size(payload(info)) == (badges ? 4088 : 4096))
      info.category = filler(rest + 1)
      #expect(try payload(info).ck["cid"] == nil)
    }
  }

  /// The removable parts that a push still has, in the order of their removal.
  private func left(_ payload: PushPayload) -> [String] {
    let (aps, ck) = (JSONValue.object(payload.aps), JSONValue.object(payload.ck))
    let alert = aps["alert"]
    func has(_ value: JSONValue?, _ keys: String...) -> Bool { keys.contains { value?[$0] != nil } }
    let isText = alert?.string != nil
    let parts: [(String, Bool)] = [
      ("cid", has(ck, "cid")), ("af", has(ck["qry"], "af")), ("qry", has(ck, "qry")), ("sound", has(aps, "sound")),
      ("launch-image", has(alert, "launch-image")), ("action", has(alert, "action-loc-key")),
      ("body", isText || has(alert, "body", "title", "subtitle")),
      ("args", has(alert, "loc-args", "title-loc-args", "subtitle-loc-args")),
      ("keys", has(alert, "loc-key", "title-loc-key", "subtitle-loc-key")), ("alert", has(aps, "alert")),
      ("badge", has(aps, "badge")), ("nid", has(ck, "nid")), ("category", has(aps, "category")),
    ]
    return parts.filter(\.1).map(\.0)
  }

  /// The successive sets of remaining parts while a push grows.
  private func steps(_ info: NotificationInfo) throws -> [[String]] {
    var (info, steps) = (info, [[String]]())
    for count in stride(from: 2400, to: 4300, by: 4) {
      info.category = filler(count)
      let left = try left(payload(info, fields: ["text": ["type": "STRING", "value": .string(filler(100))]]))
      if steps.last != left { steps.append(left) }
    }
    return steps
  }

  @Test("a push that is too large loses its parts in a fixed order", arguments: 0..<3)
  func pushThatIsTooLargeLoses(texts: Int) throws {
    var info = NotificationInfo()
    info.desiredKeys = ["text"]
    (info.sound, info.launchImage, info.actionKey, info.badges) = (filler(100), filler(100), filler(100), true)
    // The alert, the title and the subtitle: one as plain text, the other two by localization keys.
    let plain = NotificationInfo.Text(filler(100))
    let keyed = NotificationInfo.Text(key: filler(100), arguments: ["text"])
    info.alert = texts == 0 ? plain : keyed
    info.title = texts == 1 ? plain : keyed
    info.subtitle = texts == 2 ? plain : keyed
    let all = [
      "cid", "af", "qry", "sound", "launch-image", "action", "body", "args", "keys", "alert", "badge", "nid",
      "category",
    ]
    // An alert without its texts is removed with them, so one step is missing.
    let kept = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13]
    #expect(try steps(info) == kept.map { Array(all.dropFirst($0)) })
  }

  @Test("an alert that consists of one text is removed together with its text") func alertThatConsistsOfOneText() throws
  {
    var info = NotificationInfo()
    info.alert.plain = filler(100)
    let steps = try steps(info)
    #expect(steps.first == ["cid", "qry", "body", "alert", "nid", "category"])
    #expect(
      Array(steps.dropFirst()) == [
        ["qry", "body", "alert", "nid", "category"], ["body", "alert", "nid", "category"], ["nid", "category"],
        ["category"], [],
      ])
  }

  @Test("a push contains the database's number, the owner's name and record fields of every supported type")
  func pushContainsTheDatabasesNumberTheOwners() throws {
    for (scope, number, owner) in [
      (DatabaseScope.private, 1, "_o"), (.public, 2, "_defaultOwner"), (.shared, 3, "_o"),
    ] as [(DatabaseScope, Int64, String)] {
      let query = try payload(nil, scope).ck["qry"]
      #expect(query?["dbs"] == .integer(number))
      #expect(query?["zoid"] == .string(owner))
      #expect(query?["fo"] == nil)
    }
    #expect(try payload(nil, owner: nil).ck["qry"]?["zoid"] == "_u")
    #expect(try payload(nil).aps == ["content-available": 1])

    let values: [String: FieldValue] = [
      "asset": .asset(AssetValue(name: ContentName(String(repeating: "0", count: 32) + "-3"))), "bytes": .bytes([1]),
      "double": .double(0.5), "int": .int64(7),
      "list": .list(.string, [.string("x")]), "place": .location(LocationValue(latitude: 1, longitude: 2)),
      "reference": .reference(ReferenceValue(record: "r")), "text": .string("x"),
      "time": .timestamp(Moment(milliseconds: 5)),
    ]
    let fields = JSONObject(values.map { ($0.key, JSONValue.object($0.value.field)) })
    var info = NotificationInfo()
    info.desiredKeys = values.keys.sorted() + ["none"]
    #expect(
      try payload(info, fields: fields).ck["qry"]?["af"] == [
        "double": 0.5, "int": 7, "place": ["type": "LOCATION", "value": ["latitude": 1.0, "longitude": 2.0]],
        "reference": ["type": "REFERENCE", "value": ["action": "NONE", "recordName": "r"]], "text": "x",
        "time": ["type": "TIMESTAMP", "value": 5],
      ])
    info.desiredKeys = ["none"]
    #expect(try payload(info, fields: fields).ck["qry"]?["af"] == [:])
    info.desiredKeys = []
    #expect(try payload(info, fields: fields).ck["qry"]?["af"] == nil)
  }

  @Test("a push is visible if it has an alert, a sound or a badge") func pushIsVisible() throws {
    var info = NotificationInfo()
    (info.sendsContentAvailable, info.sendsMutableContent, info.category) = (true, true, "c")
    #expect(try !payload(info).isShown && !payload(info).badges)
    for change: (inout NotificationInfo) -> Void in [
      { $0.alert.plain = "a" }, { $0.title.plain = "t" }, { $0.sound = "s" }, { $0.badges = true },
    ] {
      var shown = info
      change(&shown)
      #expect(try payload(shown).isShown && payload(shown).badges == shown.badges)
    }
  }

  @Test("a record change is a creation, an update or a deletion; a record that never existed has no change")
  func recordChangeIsACreationAnUpdate() throws {
    let one = StoredRecord(["recordName": "a", "recordType": "One"])
    let other = StoredRecord(["recordName": "a", "recordType": "Other"])
    let created = try #require(RecordChange("a", before: nil, after: one))
    #expect(created.reason == .created)
    #expect(created.record == one)
    #expect(created.reason.option == .creation)
    let updated = try #require(RecordChange("a", before: one, after: other))
    #expect(updated.reason == .updated)
    #expect(updated.record == other)
    #expect(updated.reason.option == .update)
    let deleted = try #require(RecordChange("a", before: one, after: nil))
    #expect(deleted.reason == .deleted)
    #expect(deleted.record == one)
    #expect(deleted.reason.option == .deletion)
    #expect(RecordChange("a", before: nil, after: nil) == nil)
  }

  // MARK: Lines

  private static let line: JSONObject = [
    "containerIdentifier": "iCloud.test", "databaseScope": "private", "environment": "development",
    "sent": "2027-01-15T08:00:00.000Z", "sequence": 1, "subscriptionID": "s", "subscriptionType": "zone",
    "userInfo": [:], "userRecordName": "_u", "zoneID": ["ownerRecordName": "_o", "zoneName": "Notes"],
  ]

  @Test("a line of a device's push log is refused if a key is missing or has a wrong value")
  func lineOfADevicesPushLog() throws {
    let push = try #require(DeliveredPush(Self.line))
    #expect(push.sequence == 1)
    #expect(push.sent == 1_800_000_000_000)
    #expect(push.object == Self.line)
    for key in Self.line.keys {
      for value: JSONValue? in [nil, ["x"], "?"] {
        var broken = Self.line
        broken[key] = value
        let isText = ["containerIdentifier", "subscriptionID", "subscriptionType", "userRecordName"].contains(key)
        #expect((DeliveredPush(broken) == nil) == !(isText && value == "?"), "\(key)")
      }
    }
  }

  @Test("pushes with the same collapse ID, or of the same subscription and zone, coalesce; those of queries do not")
  func pushesWithTheSameCollapseID() throws {
    func key(_ change: (inout JSONObject) -> Void) throws -> [String]? {
      var line = Self.line
      change(&line)
      return try #require(DeliveredPush(line)).coalescingKey
    }
    #expect(try key { _ in } == ["zone", "s", "private", "Notes", "_o"])
    #expect(try key { $0["zoneID"] = ["zoneName": "Notes"] } == ["zone", "s", "private", "Notes", ""])
    #expect(try key { $0["subscriptionType"] = "query" } == nil)
    #expect(try key { $0["collapseID"] = "c" } == ["collapse", "s", "private", "c"])
    #expect(
      try key { line in
        line["collapseID"] = "c"
        line["subscriptionType"] = "query"
      } == ["collapse", "s", "private", "c"])
  }

  @Test("the text form of the delivery options") func textFormOfTheDeliveryOptions() {
    #expect(PushDelivery().text == nil)
    for text in ["coalesced", "self", "coalesced,self"] {
      let delivery = PushDelivery(text: text)
      #expect(delivery?.text == text)
      #expect(delivery?.isCoalesced == text.hasPrefix("coalesced"))
      #expect(delivery?.reachesSender == text.hasSuffix("self"))
    }
    for text in ["", "self,", "Self", "self coalesced"] { #expect(PushDelivery(text: text) == nil, "\(text)") }
  }

  // MARK: Devices

  @Test("a repeated push is appended as the last one; an unknown sequence makes the whole request fail")
  func repeatedPushIsAppendedAsTheLast() throws {
    let stage = try PushStage()
    let (alice, phone) = (stage.alice, stage.phone)
    try alice.subscribe()
    for name in ["a", "b", "c"] as [ExactName] { try alice.save(alice.note(name)) }
    let before = try phone.pushes()
    #expect(before.map(\.sequence) == [1, 2, 3])
    let failure = error { try phone.service.pushes.repeatPushes([2, 4, 5], by: phone.caller) }
    #expect(
      failure
        == ServiceError(
          .unknownItem, "There is no push 4 on this device", internalCode: 2003,
          hint: "`localcloud push list` shows those there are."))
    #expect(try phone.pushes() == before)
    #expect(try phone.service.pushes.repeatPushes([], by: phone.caller) == [])
    let repeated = try phone.service.pushes.repeatPushes([3, 1], by: phone.caller)
    #expect(repeated == [before[2], before[0]])
    #expect(
      try phone.receivedPushes() == [
        "query created a", "query created b", "query created c", "query created c", "query created a",
      ])
    #expect(try phone.service.pushes.list(by: phone.caller).taken == 0)
    #expect(try alice.pushes() == [])
  }

  @Test(
    "an account's devices begin with its own device, if the account is signed in there; unreadable devices are omitted")
  func accountsDevicesBeginWithItsOwnDevice() throws {
    let stage = try PushStage()
    let service = stage.cloud.service
    let alice = try service.accounts.account("alice")
    _ = try service.devices.signIn("alice", on: "Tablet")
    #expect(try service.pushes.devices(of: alice) == ["alice-device", "Tablet", "phone"])
    _ = try service.devices.signIn("alice", on: "bob-device")
    _ = try service.devices.signIn("bob", on: "alice-device")
    #expect(try service.pushes.devices(of: alice) == ["Tablet", "bob-device", "phone"])
    #expect(try service.pushes.devices(of: service.accounts.account("bob")) == ["alice-device"])
    try stage.cloud.directory("devices/Tablet").writeStaged("device.json", Array("{".utf8))
    #expect(try service.pushes.devices(of: alice) == ["bob-device", "phone"])
    _ = try service.devices.signOut("phone")
    #expect(try service.pushes.devices(of: alice) == ["bob-device"])
    _ = try service.devices.signIn("alice", on: "alice-device")
    #expect(try service.pushes.devices(of: alice) == ["alice-device", "bob-device"])
  }
}
