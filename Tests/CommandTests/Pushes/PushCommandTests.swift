import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("The commands subscription and push")
struct PushCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
    try cli.expect("status", "--device", "phone", as: "alice")
  }

  @Test func everyOptionOfASubscription() throws {
    let document = try cli.json(
      "subscription", "create", "query", "q", "--record-type", "Note", "--zone", "Notes", "--on", "create", "--on",
      "delete", "--once", "--alert", "A", "--alert-key", "AK", "--alert-arg", "a", "--alert-arg", "b", "--title", "T",
      "--title-key", "TK", "--title-arg", "c", "--subtitle", "S", "--subtitle-key", "SK", "--subtitle-arg", "d",
      "--action-key", "ACT", "--launch-image", "I", "--sound", "ping", "--category", "C", "--collapse-id", "one",
      "--field", "a", "--badge", "--content-available", "--mutable-content", as: "alice")
    #expect(document["firesOn"] == ["create", "delete"])
    #expect(document["firesOnce"] == true)
    #expect(document["zoneID"]?["zoneName"] == "Notes")
    #expect(document["query"] == ["recordType": "Note"])
    #expect(
      document["notificationInfo"] == [
        "additionalFields": ["a"], "alertActionLocalizationKey": "ACT", "alertBody": "A", "alertLaunchImage": "I",
        "alertLocalizationArgs": ["a", "b"], "alertLocalizationKey": "AK", "category": "C", "collapseIDKey": "one",
        "shouldBadge": true, "shouldSendContentAvailable": true, "shouldSendMutableContent": true, "soundName": "ping",
        "subtitle": "S", "subtitleLocalizationArgs": ["d"], "subtitleLocalizationKey": "SK", "title": "T",
        "titleLocalizationArgs": ["c"], "titleLocalizationKey": "TK",
      ])
    let zone = try cli.json(
      "subscription", "create", "zone", "z", "--zone", "Notes", "--record-type", "Tale", as: "alice")
    #expect(zone["recordType"] == "Tale")
    #expect(zone["notificationInfo"] == nil)
    let shown = cli.run("subscription", "list", as: "alice").output
    #expect(
      shown == """
        SUBSCRIPTION  KIND   ZONE   TYPE  FIRES ON              SHOWS
        q             query  Notes  Note  create, delete, once  A
        z             zone   Notes  Tale  any change

        """)
    #expect(try cli.expect("subscription", "delete", "q", "z", as: "alice").output == "deleted q, z\n")
    #expect(cli.run("subscription", "list", as: "alice").error.contains("no subscriptions"))
  }

  @Test func whatIsWrongIsSaid() throws {
    let usage = [
      ["query", "q"], ["zone", "z"], ["database", "d", "--zone", "Notes"], ["database", "d", "--once"],
      ["zone", "z", "--zone", "Notes", "--on", "create"], ["kind", "q"], ["query"],
    ]
    for words in usage {
      #expect(cli.run(["subscription", "create"] + words, as: "alice").code == .usage, "\(words)")
    }
    #expect(try cli.error("subscription", "delete", "none", as: "alice")?["ckErrorCode"] == 11)
    #expect(try cli.error("push", "replay", "3", as: "alice")?["ckErrorCode"] == 11)
    #expect(cli.run("push", "replay", "0", as: "alice").code == .usage)
    #expect(cli.run("push", "list").code == .refused)
    #expect(cli.run("push", "list", as: "alice", variables: ["LOCALCLOUD_PUSHES": "some"]).code == .usage)
    // Of several subscriptions the existing ones are deleted.
    try cli.expect("subscription", "create", "database", "d", as: "alice")
    let some = cli.run("subscription", "delete", "d", "none", as: "alice")
    #expect(some.code == .notFound)
    #expect(some.output == "deleted d\n")
  }

  @Test func pushesAreListedWatchedAndRepeated() throws {
    try cli.expect("subscription", "create", "zone", "notes", "--zone", "Notes", "--alert", "New", as: "alice")
    try cli.expect("record", "save", "Note", "text=Milk", "--name", "a", "--zone", "Notes", as: "alice")
    let list = try cli.expect("push", "list", "--device", "phone", as: "alice").output
    #expect(
      list == """
        PUSH  SENT                      SUBSCRIPTION  KIND          WHAT     ZONE   ALERT  STATE
           1  2026-01-31T12:00:00.000Z  notes         private zone  changed  Notes  New    waiting

        """)
    let watched = try cli.expect(
      "push", "watch", "--since", "0", "--count", "1", "--device", "phone", as: "alice")
    #expect(watched.output == "1  2026-01-31T12:00:00.000Z  notes  private zone  changed  Notes  New\n")
    #expect(watched.error.contains("watching phone"))
    #expect(try cli.expect("push", "replay", "1", "--device", "phone", as: "alice").output == "handed out again: 1\n")
    let pushes = try cli.json("push", "list", "--device", "phone", as: "alice")["pushes"]?.array ?? []
    #expect(pushes.map { $0["sequence"] } == [1, 2])
    #expect(pushes[0]["userInfo"] == pushes[1]["userInfo"])
    #expect(pushes[0]["taken"] == false)
    #expect(pushes[0]["userInfo"]?["aps"] == ["alert": "New"])
    #expect(cli.run("push", "watch", "--count", "1", "--timeout", "0", as: "bob").code == .timedOut)
  }
}
