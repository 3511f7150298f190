import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

@Suite("Pushes: the dictionary for the app")
struct PushPayloadTests {
  private let stage: PushStage
  private var alice: Person { stage.alice }

  init() throws { stage = try PushStage() }

  private var user: JSONValue {
    get throws { .string(try alice.service.accounts.userRecordName(by: alice.caller)) }
  }

  private func last() throws -> JSONValue {
    .object(try #require(try stage.phone.pushes().last).userInfo)
  }

  @Test(
    "the dictionary has qry, fet or met, by the kind of subscription ([push-payload-1], [push-payload-3])"
  )
  func dictionaryHasQryFetOrMet() throws {
    try alice.subscribe()
    try alice.save(alice.note("a", "1"))
    let query = try last()
    #expect(query["aps"] == ["content-available": 1])
    #expect(query["ck"]?["ce"] == 2)
    #expect(query["ck"]?["cid"] == "iCloud.test")
    #expect(query["ck"]?["aux"] == [:])
    #expect(try query["ck"]?["ckuserid"] == user)
    #expect(query["ck"]?["nid"]?.string?.wholeMatch(of: #/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#) != nil)
    #expect(
      try query["ck"]?["qry"] == ["dbs": 1, "fo": 1, "rid": "a", "sid": "query", "zid": "Notes", "zoid": user])
    try alice.unsubscribe("query")
    try alice.subscribeToZone()
    try alice.save(alice.note("b"))
    let zone = try last()
    #expect(try zone["ck"]?["fet"] == ["dbs": 1, "sid": "zone", "zid": "Notes", "zoid": user])
    #expect(zone["ck"]?["nid"] != query["ck"]?["nid"])
    try alice.unsubscribe("zone")
    try alice.subscribeToDatabase()
    try alice.save(alice.note("c"))
    #expect(try last()["ck"]?["met"] == ["dbs": 1, "sid": "database", "zid": "Notes", "zoid": user])
    let guest = try stage.join()
    try guest.subscribeToDatabase(id: "shared")
    try alice.save(alice.note("root", "2"), policy: .allKeys)
    let shared = try #require(try guest.pushes().last).userInfo["ck"]?["met"]
    #expect(try shared == ["dbs": 3, "sid": "shared", "zid": "Notes", "zoid": user])
  }

  @Test("each property of NotificationInfo has its key in the dictionary ([push-payload-2])")
  func eachPropertyOfNotificationInfoHasItsKey() throws {
    var info = NotificationInfo()
    info.alert.plain = "Body"
    try alice.subscribe(info)
    try alice.save(alice.note("a", "1"))
    #expect(try last()["aps"] == ["alert": "Body"])

    (info.title.plain, info.subtitle.plain) = ("Title", "Subtitle")
    (info.actionKey, info.launchImage, info.sound, info.category) = ("ACT", "image.png", "ping", "CAT")
    (info.sendsContentAvailable, info.sendsMutableContent, info.badges) = (true, true, true)
    info.collapseID = "one"
    try alice.subscribe(info)
    try alice.save(alice.note("b", "1"))
    #expect(
      try last()["aps"] == [
        "alert": [
          "action-loc-key": "ACT", "body": "Body", "launch-image": "image.png", "subtitle": "Subtitle",
          "title": "Title",
        ], "badge": 1, "category": "CAT", "content-available": 1, "mutable-content": 1, "sound": "ping",
      ])
    let push = try #require(try stage.phone.pushes().last)
    #expect(push.collapseID == "one")
    #expect(push.object["priority"] == 10)
    try alice.save(alice.note("c", "1"))
    #expect(try last()["aps"]?["badge"] == 2)
    // Each device and container has its own badge count.
    let tablet = try alice.signedIn(on: "tablet")
    try alice.save(alice.note("d", "1"))
    #expect(try tablet.pushes().last?.userInfo["aps"]?["badge"] == 1)
    #expect(try last()["aps"]?["badge"] == 3)
  }

  @Test("localization keys take precedence over plain texts, and record fields are their arguments ([push-payload-2])")
  func localizationKeysTakePrecedenceOverPlainTexts() throws {
    var info = NotificationInfo()
    info.alert = NotificationInfo.Text(
      "unused", key: "K", arguments: ["text", "count", "half", "when", "bytes", "none"])
    info.title = NotificationInfo.Text("unused", key: "T")
    info.subtitle = NotificationInfo.Text(key: "S", arguments: ["long"])
    try alice.subscribe(fires: [.creation, .deletion], info)
    var save = alice.note("a", "Milk")
    save.fields["count"] = .int64(3)
    save.fields["half"] = .double(0.5)
    save.fields["when"] = .timestamp(Moment(secondsSince2001: 0.0001))
    save.fields["bytes"] = .bytes([1])
    save.fields["long"] = .string(String(repeating: "x", count: 300))
    try alice.save(save)
    let alert = try last()["aps"]?["alert"]
    #expect(alert?["loc-key"] == "K")
    #expect(alert?["title-loc-key"] == "T")
    #expect(alert?["subtitle-loc-key"] == "S")
    #expect(alert?["loc-args"] == ["Milk", "3", "0.5", "2001-01-01T00:00:00.0001Z", "", ""])
    #expect(alert?["title-loc-args"] == nil)
    #expect(alert?["body"] == nil)
    #expect(alert?["title"] == nil)
    #expect(alert?["subtitle-loc-args"]?.array?.first?.string?.count == 100)
    // A deleted record's last values.
    _ = try alice.modify(delete: ["a"])
    #expect(try last()["aps"]?["alert"]?["loc-args"]?.array?.first == "Milk")
  }

  @Test("a push contains the desired fields of an existing record ([push-payload-4])")
  func desiredKeys() throws {
    var info = NotificationInfo()
    info.desiredKeys = ["text", "where", "none"]
    try alice.subscribe(info)
    var save = alice.note("a", "Milk")
    save.fields["where"] = .location(LocationValue(latitude: 1, longitude: 2))
    save.fields["other"] = .string("not asked for")
    try alice.save(save)
    #expect(
      try last()["ck"]?["qry"]?["af"] == [
        "text": "Milk", "where": ["type": "LOCATION", "value": ["latitude": 1.0, "longitude": 2.0]],
      ])
    _ = try alice.modify(delete: ["a"])
    #expect(try last()["ck"]?["qry"]?["fo"] == 3)
    #expect(try last()["ck"]?["qry"]?["af"] == nil)
  }

  @Test("a push that is too large loses its parts in their order until it fits ([push-payload-5])")
  func pushThatIsTooLargeLoses() throws {
    var info = NotificationInfo()
    info.desiredKeys = ["text"]
    info.alert.plain = "Body"
    (info.sound, info.launchImage, info.badges, info.category) = ("ping", "image", true, "CAT")
    func push(_ text: Int = 0, _ change: (inout NotificationInfo) -> Void = { _ in }) throws -> JSONValue {
      var changed = info
      change(&changed)
      try alice.subscribe(changed)
      try alice.save(alice.note("a", String(repeating: "x", count: text)), policy: .allKeys)
      let value = try last()
      #expect(value.compact().count <= 4096)
      return value
    }
    let whole = try push(3000)
    #expect(whole["ck"]?["cid"] == "iCloud.test")
    #expect(whole["ck"]?["qry"]?["af"] != nil)
    // A category of a length that leaves no room for the container's identifier.
    let noContainer = try (3600..<3800).lazy.map { count in
      try push { $0.category = String(repeating: "y", count: count) }
    }.first { $0["ck"]?["cid"] == nil }
    #expect(noContainer?["ck"]?["qry"]?["af"] != nil)
    let noFields = try push(5000)
    #expect(noFields["ck"]?["qry"]?["rid"] == "a")
    #expect(noFields["ck"]?["qry"]?["af"] == nil)
    #expect(noFields["aps"]?["sound"] == "ping")
    let noQuery = try push(5000) { $0.category = String(repeating: "y", count: 3900) }
    #expect(noQuery["ck"]?["qry"] == nil)
    #expect(noQuery["aps"]?["sound"] == nil)
    #expect(noQuery["ck"]?["nid"] != nil)
    let noBody = try push { $0.alert.plain = String(repeating: "z", count: 5000) }
    #expect(noBody["aps"]?["alert"] == nil)
    #expect(noBody["aps"]?["badge"] != nil)
    #expect(noBody["ck"]?["nid"] != nil)
    let nothing = try push {
      $0.alert = NotificationInfo.Text(key: String(repeating: "k", count: 5000))
      $0.category = String(repeating: "c", count: 5000)
    }
    #expect(nothing["ck"] == ["aux": [:], "ce": 2, "ckuserid": try user])
    #expect(nothing["aps"] == [:])
  }

  @Test("equal seeds give equal notification IDs")
  func equalSeedsGiveEqualNotificationIDs() throws {
    func ids() throws -> [JSONValue?] {
      let stage = try PushStage()
      try stage.alice.subscribe()
      _ = try stage.alice.modify([stage.alice.note("a"), stage.alice.note("b")])
      return try stage.phone.pushes().map { $0.userInfo["ck"]?["nid"] }
    }
    let (first, second) = (try ids(), try ids())
    #expect(first == second)
    #expect(Set(first).count == 2)
  }
}
