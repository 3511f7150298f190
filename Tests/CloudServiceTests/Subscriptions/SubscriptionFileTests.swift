import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Subscription files: reading, writing and validation")
struct SubscriptionFileTests {
  private func info() -> NotificationInfo {
    var info = NotificationInfo()
    info.alert = NotificationInfo.Text("a", key: "A", arguments: ["1"])
    info.title = NotificationInfo.Text("t", key: "T", arguments: ["2"])
    info.subtitle = NotificationInfo.Text("s", key: "S", arguments: [])
    (info.actionKey, info.launchImage, info.sound) = ("act", "image", "ping")
    (info.category, info.collapseID, info.desiredKeys) = ("cat", "one", ["text"])
    return info
  }

  @Test("each kind of subscription is read back as written, with every property") func roundTrips() throws {
    let zone = ZoneIdentifier(name: "Notes", owner: "_a")
    let condition = QueryCondition([QueryFilter("text", .equals, .string("x"))])
    var subscriptions = [
      Subscription(id: "d", kind: .database), Subscription(id: "d", kind: .database, recordType: "Note"),
      Subscription(id: "z", kind: .zone(zone), recordType: "Note", notification: info()),
    ]
    for fires: FireOptions in [.creation, [.update, .once], [.deletion, .creation], .changes] {
      for queryZone in [nil, zone] {
        let query = SubscriptionQuery(recordType: "Note", zone: queryZone, fires: fires, condition: condition)
        subscriptions.append(Subscription(id: "q", kind: .query(query), notification: info()))
      }
    }
    for flag: WritableKeyPath<NotificationInfo, Bool> in [
      \.badges, \.sendsContentAvailable, \.sendsMutableContent,
    ] {
      var flagged = NotificationInfo()
      flagged[keyPath: flag] = true
      #expect(flagged.object.count == 1)
      #expect(NotificationInfo(flagged.object) == flagged)
    }
    for subscription in subscriptions { #expect(Subscription(subscription.object) == subscription) }
    #expect(NotificationInfo().object == [:])
    #expect(
      info().object.keys == [
        "additionalFields", "alertActionLocalizationKey", "alertBody", "alertLaunchImage", "alertLocalizationArgs",
        "alertLocalizationKey", "category", "collapseIDKey", "soundName", "subtitle", "subtitleLocalizationArgs",
        "subtitleLocalizationKey", "title", "titleLocalizationArgs", "titleLocalizationKey",
      ])
  }

  private static let good =
    #"{"firesOn":["create"],"query":{"recordType":"Note"},"subscriptionID":"s","#
    + #""subscriptionType":"query","zoneWide":true}"#

  @Test(
    "an invalid subscription is refused",
    arguments: [
      ("\"s\"", "1"), ("\"s\"", "\"\""), ("\"query\",", "\"other\","), ("\"query\",", "\"zone\","),
      ("\"query\",", "1,"), (#"{"recordType":"Note"}"#, "{}"), (#"{"recordType":"Note"}"#, "1"),
      (#"{"recordType":"Note"}"#, #"{"recordType":"Note","sortBy":[{"fieldName":"a"}]}"#),
      (#"["create"]"#, "\"create\""), (#"["create"]"#, #"["move"]"#), (#"["create"]"#, "[1]"), (#"["create"]"#, "[]"),
      (#"["create"]"#, #"[],"firesOnce":true"#), ("true", "false"), ("true", "1"),
      ("true}", #"true,"zoneID":{"zoneName":"Z"}}"#), ("true}", #"true,"notificationInfo":1}"#),
      ("true}", #"true,"notificationInfo":{"title":1}}"#),
      ("true}", #"true,"notificationInfo":{"additionalFields":"a"}}"#),
      ("true}", #"true,"notificationInfo":{"titleLocalizationArgs":["a",1]}}"#),
    ])
  func invalidSubscriptionIsRefused(_ old: String, _ new: String) throws {
    let good = try #require(try JSONValue(parsing: Self.good).object)
    #expect(Subscription(good) != nil)
    let text = Self.good.replacing(old, with: new)
    #expect(text != Self.good)
    let broken = try #require(try JSONValue(parsing: text).object)
    #expect(Subscription(broken) == nil)
  }

  @Test("a file contains the subscription with its owner's record name and its token")
  func fileContainsTheSubscriptionWithItsOwners() throws {
    var account = Account(name: "alice", userRecordName: "_a", created: 0)
    account.emails = ["a@b"]
    let subscription = Subscription(id: "a/b", kind: .database)
    let stored = StoredSubscription(subscription, of: account, in: .private, token: "t")
    #expect(stored.object["x-local"] == ["token": "t", "userRecordName": "_a"])
    let read = try #require(StoredSubscription(stored.object, fileName: stored.fileName))
    #expect(read.subscription == subscription)
    #expect(read.userRecordName == "_a")
    #expect(read.token == "t")
    #expect(read.fileName == stored.fileName)
    #expect(StoredSubscription.fileName("s", of: account, in: .private) == "s.json")
    #expect(StoredSubscription.fileName("s", of: account, in: .shared) == "s.json")
    #expect(StoredSubscription.fileName("s", of: account, in: .public) == "alice,s.json")
    for local: JSONValue in [["token": "t"], ["userRecordName": "_a"], ["token": 1, "userRecordName": "_a"], .null] {
      var broken = stored.object
      broken["x-local"] = local
      #expect(StoredSubscription(broken, fileName: "s.json") == nil)
    }
  }

  // MARK: In the tree

  private static let text = "not a subscription of anybody's to something here"

  @Test("check reports subscriptions in a wrong database or under a wrong name, and repair sets them aside")
  func checkReportsSubscriptionsInAWrongDatabase() throws {
    let stage = try PushStage()
    let alice = stage.alice
    var (inPublic, inShared) = (alice, alice)
    (inPublic.scope, inShared.scope) = (.public, .shared)
    for type in ["query", "zone", "database"] {
      switch type {
      case "query": try alice.subscribe()
      case "zone": try alice.subscribeToZone()
      default: try alice.subscribeToDatabase()
      }
    }
    try inPublic.subscribe(id: "own")
    try inShared.subscribeToDatabase(id: "own")
    #expect(try alice.service.checks.check() == [])
    let base = "\(stage.cloud.path)/containers/iCloud.test/development/"
    func folder(_ database: String) throws -> Directory {
      try Directory.open(path: base + database + "/subscriptions", in: FileSystem())
    }
    let own = try folder("private/alice")
    func put(_ source: String, _ database: String, as name: String) throws -> String {
      try folder(database).writeStaged(name, try #require(try own.contents(source)))
      return base + database + "/subscriptions/" + name
    }
    var expected = [
      try put("query.json", "private/alice", as: "other.json"), try put("query.json", "shared/alice", as: "query.json"),
      try put("zone.json", "shared/alice", as: "zone.json"), try put("zone.json", "public", as: "alice,zone.json"),
      try put("database.json", "public", as: "alice,database.json"),
      try put("query.json", "public", as: "bob,query.json"), try put("query.json", "public", as: "query.json"),
    ]
    // In the public database a file with its owner's name is valid.
    _ = try put("query.json", "public", as: "alice,query.json")
    let me = try alice.service.accounts.userRecordName(by: alice.caller)
    let bob = try alice.service.accounts.userRecordName(by: stage.bob.caller)
    try own.edit("database.json") { $0.replacing(me, with: bob) }
    expected.append(base + "private/alice/subscriptions/database.json")
    let problems = try alice.service.checks.check()
    #expect(problems.map(\.path).sorted() == expected.sorted())
    #expect(problems.allSatisfy { $0.text == Self.text && !$0.isUnread })
    let report = try alice.service.repairs.repair()
    #expect(report.left == [])
    #expect(report.done.count == expected.count)
    #expect(report.done.allSatisfy { $0.text.hasPrefix(Self.text + ": it is in ") })
    #expect(try alice.service.checks.check() == [])
    #expect(try alice.subscriptions().map(\.id) == ["query", "zone"])
    #expect(try inPublic.subscriptions().map(\.id) == ["own", "query"])
    #expect(try inShared.subscriptions().map(\.id) == ["own"])
  }

  @Test("with a damaged account file its subscriptions are valid; after the account is removed they are problems")
  func withADamagedAccountFileItsSubscriptions() throws {
    let stage = try PushStage()
    var bob = stage.bob
    bob.scope = .public
    try bob.subscribe()
    let accounts = try Directory.open(path: stage.cloud.path + "/accounts", in: FileSystem())
    let file = try #require(try accounts.contents("bob.json"))
    try accounts.writeStaged("bob.json", Array("{".utf8))
    let account = stage.cloud.path + "/accounts/bob.json"
    #expect(try bob.service.checks.check().map(\.path) == [account])
    try accounts.remove("bob.json")
    let subscription = "\(stage.cloud.path)/containers/iCloud.test/development/public/subscriptions/bob,query.json"
    #expect(try bob.service.checks.check() == [Problem(path: subscription, text: Self.text)])
    try accounts.writeStaged("bob.json", file)
    #expect(try bob.service.checks.check() == [])
    #expect(try bob.subscriptions().map(\.id) == ["query"])
  }

  @Test(
    "a file with another subscription ID than its name is damage, and is not overwritten")
  func otherID() throws {
    let stage = try PushStage()
    let alice = stage.alice
    try alice.subscribe()
    let path = "\(stage.cloud.path)/containers/iCloud.test/development/private/alice/subscriptions"
    let folder = try Directory.open(path: path, in: FileSystem())
    let bytes = try folder.edit("query.json") {
      $0.replacing("\"subscriptionID\": \"query\"", with: "\"subscriptionID\": \"other\"")
    }
    let failure = error { try alice.service.subscriptions.list(["query"], in: .private, by: alice.caller)[0].get() }
    #expect(failure?.cause == .damage)
    #expect(failure?.message.hasSuffix("query.json: not the subscription 'query'.") == true)
    let refusal = error { try alice.subscribe(toType: "Tale") }
    #expect(refusal?.code == .serverRejectedRequest)
    #expect(refusal?.cause == .storage)
    #expect(try folder.contents("query.json") == bytes)
  }
}
