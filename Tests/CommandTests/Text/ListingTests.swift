import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Output of lists and details")
struct ListingTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  @discardableResult
  private func run(_ words: String..., as account: String = "alice") -> ToolRun { cli.run(words, as: account) }

  @Test("encrypted fields and parents are shown as table columns, as words, and in record get")
  func encryptedFieldsAndParents() throws {
    run("record", "save", "T", "-z", "Z", "-n", "s", "x:encrypted=hush", "n:encrypted-int64=4", "o:int64=3")
    run("record", "save", "T", "-z", "Z", "-n", "q", "--parent", "s", "x:encrypted=yo")
    #expect(
      run("record", "list", "T", "-z", "Z").output == """
        RECORD  PARENT  N  O  X     MODIFIED                  BY     TAG
        q       s             yo    2026-01-31T12:00:00.000Z  alice  2
        s               4  3  hush  2026-01-31T12:00:00.000Z  alice  3

        """)
    #expect(
      run("record", "list", "-z", "Z").output == """
        RECORD  TYPE  PARENT  FIELDS                                          MODIFIED                  BY     TAG
        s       T             n:encrypted-int64=4 o:int64=3 x:encrypted=hush  2026-01-31T12:00:00.000Z  alice  3
        q       T     s       x:encrypted=yo                                  2026-01-31T12:00:00.000Z  alice  2

        """)
    #expect(
      run("record", "get", "s", "-z", "Z").output == """
        T s
          zone      Z of alice
          tag       3
          created   2026-01-31T12:00:00.000Z by alice on alice-device
          modified  2026-01-31T12:00:00.000Z by alice on alice-device

          n:encrypted-int64  4
          o:int64            3
          x:encrypted        hush

        """)
    #expect(run("record", "get", "q", "-z", "Z").output.contains("\n  parent    s\n"))
    // Fields that --keys does not name have no column.
    #expect(
      run("record", "list", "T", "-z", "Z", "--keys", "o", "--format", "tsv").output
        .hasPrefix("record\tparent\to\tmodified\tby\ttag\nq\ts\t\t2026-"))
    #expect(run("record", "list", "-z", "Z", "--keys", "x", "--format", "tsv").output.contains("\tx:encrypted=hush\t"))
    let some = try cli.json("record", "get", "s", "-z", "Z", "--keys", "o", as: "alice")
    #expect(some["fields"]?.object?.keys == ["o"])
  }

  @Test("a column of numbers is right-aligned, and any other column is left-aligned")
  func numberColumns() {
    run("record", "save", "T", "-z", "Z", "-n", "a", "n:int64=1", "d:double=0.5", "t:timestamp=0", "m:int64=1")
    run("record", "save", "T", "-z", "Z", "-n", "b", "n:int64=100", "d:double=10.25")
    let lines = run("record", "list", "T", "-z", "Z").output.split(separator: "\n")
    #expect(lines[0].hasPrefix("RECORD      D  M    N  T                         MODIFIED"))
    #expect(lines[1].hasPrefix("a         0.5  1    1  1970-01-01T00:00:00.000Z  2026"))
    #expect(lines[2].hasPrefix("b       10.25     100                            2026"))
  }

  @Test("record list needs a type in the default zone, and record update needs a name")
  func missingNames() throws {
    let list = try cli.error("record", "list", as: "alice")
    #expect(list?["message"] == "<type> is missing: the default zone lists one type of record at a time")
    #expect(list?["hint"] == "name a type, or another --zone")
    #expect(list?["exitCode"] == 64)
    let update = try cli.error("record", "update", "-z", "Z", as: "alice")
    #expect(update?["message"] == "<name> is missing: the record's name")
    #expect(update?["exitCode"] == 64)
  }

  @Test("zone list prints capabilities, and the owner for zones of others")
  func zoneListPrintsCapabilitiesAndTheOwner() throws {
    let zones = """
      ZONE          OWNER  ATOMIC  CHANGES  SHARING
      _defaultZone  alice  no      no       no
      Z             alice  yes     yes      yes

      """
    #expect(run("zone", "list").output == zones)
    let items = try cli.json("zone", "list", as: "alice")["zones"]?.array ?? []
    #expect(items.map { $0["atomic"] } == [false, true])
    #expect(items.map { $0["capabilities"] } == [0, 15])
    run("record", "save", "T", "-z", "Z", "-n", "r")
    let url = String(run("share", "create", "r", "-z", "Z", "--with", "bob").output.dropLast())
    try cli.expect("share", "accept", url, as: "bob")
    let asked = run("zone", "delete", "Z", "--database", "shared", as: "bob")
    #expect(asked.code == .usage)
    #expect(asked.error.contains("will not leave all shares of zone Z of alice without being told to"))
    let left = run("zone", "delete", "Z", "--database", "shared", "--yes", as: "bob")
    #expect(left.code == .success, "\(left.error)")
    #expect(left.output == "left zone Z of alice\n", "\(left.error)")
    #expect(run("zone", "list", "--database", "shared", as: "bob").error == "no zones\n")
    #expect(run("zone", "delete", "Z", "--yes").output == "deleted zone Z\n")
  }

  @Test("changes reports that more changes exist in every format, and lists changed and deleted zones")
  func changesReportsThatMoreChangesExist() throws {
    for name in ["a", "b"] { try cli.expect("record", "save", "T", "-z", "Z", "-n", name, as: "alice") }
    let page = run("changes", "-z", "Z", "--limit", "1")
    let lines = page.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[1].hasPrefix("saved   a") && lines[2] == "more to come")
    #expect(lines[3].hasPrefix("token "))
    #expect(!run("changes", "-z", "Z", "--limit", "2").output.contains("more to come"))
    let rows = run("changes", "-z", "Z", "--limit", "1", "--format", "jsonl").output.split(separator: "\n")
    #expect(rows.count == 2)
    #expect(try JSONValue(parsing: String(rows[1]))["moreComing"] == true)
    let table = run("changes", "-z", "Z", "--format", "tsv")
    #expect(table.output.hasPrefix("change\trecord\ttype\tmodified\tby\ttag\nsaved\ta\tT\t"))
    #expect(table.error.hasPrefix("token "))
    try cli.expect("zone", "save", "Y", as: "alice")
    let one = try cli.json("changes", "--limit", "1", as: "alice")
    #expect(one["zones"]?.array?.count == 1)
    #expect(one["moreComing"] == true)
    let rest = try cli.json("changes", "--since", one["token"]?.string ?? "", as: "alice")
    #expect(rest["zones"]?.array?.count == 1)
    #expect(rest["moreComing"] == false)
    #expect(rest["zones"]?.array?[0]["zoneID"]?["zoneName"] != one["zones"]?.array?[0]["zoneID"]?["zoneName"])
    try cli.expect("zone", "delete", "Y", "--yes", as: "alice")
    let gone = run("changes", "--since", rest["token"]?.string ?? "").output
    #expect(gone.hasPrefix("CHANGE   ZONE  OWNER\ndeleted  Y     alice\ntoken "), "\(gone)")
  }

  @Test("subscription list prints the alert or title, as text or key, and the zone")
  func subscriptionListPrintsTheAlertOrTitle() throws {
    func create(_ words: String...) throws {
      let run = cli.run(["subscription", "create"] + words, as: "alice")
      guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    }
    try create("query", "q1", "--record-type", "T")
    try create("query", "q2", "--record-type", "T", "--on", "update", "--alert-key", "AK", "-z", "Z")
    try create("database", "d", "--title", "TT")
    try create("zone", "z", "-z", "Z", "--title-key", "TK")
    #expect(
      run("subscription", "list").output == """
        SUBSCRIPTION  KIND      ZONE  TYPE  FIRES ON                SHOWS
        d             database              any change              TT
        q1            query           T     create, update, delete
        q2            query     Z     T     update                  AK
        z             zone      Z           any change              TK

        """)
    let items = try cli.json("subscription", "list", as: "alice")["subscriptions"]?.array ?? []
    #expect(items.map { $0["subscriptionID"] } == ["d", "q1", "q2", "z"])
    #expect(items[1]["firesOnce"] == false)
    #expect(items[2]["firesOn"] == ["update"])
    #expect(
      try cli.json("subscription", "delete", "q1", as: "alice")["subscriptions"]
        == [["deleted": true, "subscriptionID": "q1"]])
  }

  @Test("push list for another device of the account prints each changed record, its zone and the alert")
  func pushListForAnotherDevice() throws {
    try cli.expect("status", "--device", "phone", as: "alice")
    try cli.expect(
      "subscription", "create", "query", "q", "--record-type", "T", "-z", "Z", "--title-key", "TK", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", "a=1", as: "alice")
    try cli.expect("record", "update", "r", "-z", "Z", "a=2", as: "alice")
    try cli.expect("record", "delete", "r", "-z", "Z", as: "alice")
    #expect(
      run("push", "list", "--device", "phone").output == """
        PUSH  SENT                      SUBSCRIPTION  KIND           WHAT       ZONE  ALERT  STATE
           1  2026-01-31T12:00:00.000Z  q             private query  created r  Z     TK     waiting
           2  2026-01-31T12:00:00.000Z  q             private query  updated r  Z     TK     waiting
           3  2026-01-31T12:00:00.000Z  q             private query  deleted r  Z     TK     waiting

        """)
    #expect(try cli.json("push", "list", "--waiting", "--device", "phone", as: "alice")["pushes"]?.array?.count == 3)
    let events = run("push", "watch", "--since", "1", "--count", "2", "--device", "phone", "--json").output
    #expect(try events.split(separator: "\n").map { try JSONValue(parsing: String($0))["sequence"] } == [2, 3])
    let replayed = try cli.json("push", "replay", "2", "--device", "phone", as: "alice")
    #expect(replayed["pushes"]?.array?.count == 1 && replayed["pushes"]?.array?[0]["sequence"] == 2)
    #expect(try cli.json("push", "list", "--device", "phone", as: "alice")["pushes"]?.array?.count == 4)
    #expect(run("push", "list").error == "no pushes\n")
    let ended = run("push", "watch", "--timeout", "0", "-q")
    #expect(ended.code == .success)
    #expect(ended.output == "")
    #expect(ended.error == "")
    #expect(run("push", "replay", "x", "--device", "phone").error.contains("<push> \"x\" is no push's number"))
  }

  @Test("status prints settings, accounts and containers, also if there are none")
  func statusPrintsSettingsAccountsAndContainers() throws {
    let empty = try Cli()
    let nothing = empty.run("status").output
    #expect(nothing.hasSuffix("\n\nno accounts\n\nno containers\n"), "\(nothing)")
    let text = run("status").output
    #expect(
      text.hasSuffix(
        """

        CONTAINER                ENVIRONMENT  DATABASE  ACCOUNT  ZONES
        iCloud.example.Commands  development  private   alice    Z

        """), "\(text)")
    let words = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(words.contains(["account", "alice", "LOCALCLOUD_ACCOUNT"]))
    #expect(words.contains(["device", "alice-device", "default"]))
    #expect(
      try cli.json("status", as: "alice")["databases"]?.array?.map { $0["account"] } == ["alice"])
    run("record", "save", "T", "-z", "Z", "-n", "r")
    let url = String(run("share", "create", "r", "-z", "Z", "--with", "bob").output.dropLast())
    try cli.expect("share", "accept", url, as: "bob")
    #expect(run("status").output.contains("\niCloud.example.Commands  development  shared    bob      Z of alice\n"))
  }
}
