import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Import of shares and their participants")
struct ShareImportTests {
  private let cli: Cli
  private static let carol = #"{"userIdentity":{"lookupInfo":{"emailAddress":"carol@example.com"}}}"#
  private static let same = "imported 1 record: 1 as they were\n"
  private static let changed = "imported 1 record: 1 changed\n"

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", as: "alice")
    try cli.expect("share", "create", "root", "-z", "Z", "--share-name", "s", as: "alice")
  }

  private func share(_ keys: String, _ options: String...) -> ToolRun {
    let line =
      #"{"recordName":"s","recordType":"cloudkit.share","zoneID":{"zoneName":"Z"},"forRecord":{"recordName":"root"}"#
    return cli.run(["import"] + options, as: "alice", input: line + ",\(keys)}")
  }

  /// The items that a run reports as left out.
  private func leftOut(_ run: ToolRun) throws -> [JSONValue]? {
    #expect(run.code == .failure)
    return try JSONValue(parsing: run.error)["error"]?["leftOut"]?.array
  }

  /// Role, permission and address of all participants except the owner.
  private func participants() throws -> [String] {
    let list = try cli.json("share", "show", "s", "-z", "Z", as: "alice")["participants"]?.array ?? []
    return list.dropFirst().map { entry in
      let address = entry["userIdentity"]?["lookupInfo"]?["emailAddress"]?.string ?? "-"
      return "\(entry["type"]?.string ?? "") \(entry["permission"]?.string ?? "") \(address)"
    }
  }

  @Test("import adds and edits participants, and removes participants only with the policy replace")
  func importAddsAndEditsParticipantsAndRemoves() throws {
    let first = share("\"participants\":[\(Self.carol)]")
    #expect(first.output == Self.changed + "invited 1 person, who joins with the share's link\n", "\(first.error)")
    #expect(try participants() == ["USER READ_ONLY carol@example.com"])
    #expect(share("\"participants\":[\(Self.carol)]").output == Self.same)
    let administrator = String(Self.carol.dropLast()) + #","permission":"READ_WRITE","type":"ADMINISTRATOR"}"#
    #expect(share("\"participants\":[\(administrator)]").output == Self.changed)
    #expect(try participants() == ["ADMINISTRATOR READ_WRITE carol@example.com"])
    #expect(share("\"participants\":[]").output == Self.same)
    #expect(share("\"participants\":null").output == Self.same)
    #expect(share("\"participants\":[]", "--policy", "skip").output == Self.same)
    #expect(share("\"participants\":[\(Self.carol)]", "--policy", "skip").output == "imported 1 record: 1 left alone\n")
    #expect(try participants() == ["ADMINISTRATOR READ_WRITE carol@example.com"])
    #expect(share("\"participants\":[]", "--policy", "replace").output == Self.changed)
    #expect(try participants() == [])
  }

  @Test("a dry run counts the invitations, also a link for one person without an address")
  func dryRun() throws {
    let one = share("\"participants\":[\(Self.carol)]", "--dry-run")
    #expect(
      one.output == """
        would import 1 record: 1 changed
        would invite 1 person, who joins with the share's link

        """)
    let keys = "\"participants\":[\(Self.carol),{\"userIdentity\":{}}]"
    #expect(share(keys, "--dry-run").output.hasSuffix("would invite 2 people, who join with the share's link\n"))
    let report = try JSONValue(parsing: share(keys, "--dry-run", "--json").output)
    #expect(report["dryRun"] == true)
    #expect(report["invited"] == 2)
    #expect(report["updated"] == 1)
    #expect(report["created"] == 0)
    #expect(try participants() == [])
    let done = try JSONValue(parsing: share(keys, "--json").output)
    #expect(done["dryRun"] == nil)
    #expect(done["invited"] == 2)
    #expect(done["leftOut"] == [])
    #expect(try participants() == ["USER READ_ONLY carol@example.com", "USER READ_ONLY -"])
    // Both participants exist now.
    #expect(share(keys).output == Self.same)
  }

  @Test("import invites no participant to a share open to all users, and not the former owner of another share")
  func openShares() throws {
    let open = share("\"publicPermission\":\"READ_ONLY\",\"participants\":[\(Self.carol)]", "--json")
    #expect(
      try leftOut(open) == [
        "line 1: carol@example.com can't be invited to a share that is open to everybody with its link"
      ])
    #expect(try JSONValue(parsing: open.output)["invited"] == 0)
    #expect(try cli.json("share", "show", "s", "-z", "Z", as: "alice")["publicPermission"] == "READ_ONLY")
    let bob = #"{"userIdentity":{"lookupInfo":{"emailAddress":"bob@example.com"}},"type":"OWNER"}"#
    let closed = share("\"publicPermission\":\"NONE\",\"participants\":[\(bob),\(Self.carol)]", "--json")
    #expect(try leftOut(closed) == ["line 1: bob@example.com owned the share, and is not invited to this one"])
    #expect(try participants() == ["USER READ_ONLY carol@example.com"])
    let own = #"{"userIdentity":{"lookupInfo":{"emailAddress":"alice@example.com"}},"type":"OWNER"}"#
    #expect(share("\"participants\":[\(own)]").output == Self.same)
    #expect(share("\"participants\":[\(own.replacing("OWNER", with: "USER"))]").output == Self.same)
    let visitor = String(Self.carol.replacing("carol", with: "bob").dropLast()) + #","type":"PUBLIC_USER"}"#
    #expect(
      try leftOut(share("\"participants\":[\(visitor)]", "--json"))
        == ["line 1: bob@example.com came by the share's link, and has to use it again"])
  }

  @Test("import sets access requests and blocked accounts, and reports requesters who must ask again")
  func importSetsAccessRequestsAndBlockedAccounts() throws {
    let bob = #"{"userIdentity":{"lookupInfo":{"emailAddress":"bob@example.com"}}}"#
    let blocked = share("\"denyAccessRequests\":false,\"blocked\":[\(bob)]")
    #expect(blocked.code == .success, "\(blocked.error)")
    #expect(blocked.output == Self.changed, "\(blocked.error)")
    let shown = try cli.expect("share", "show", "s", "-z", "Z", as: "alice").output
    #expect(
      shown.contains("\n  others   only who is invited may join; others may ask to\n  blocked  bob\n"), "\(shown)")
    #expect(share("\"denyAccessRequests\":false,\"blocked\":[\(bob)]").output == Self.same)
    #expect(
      try leftOut(
        share(#""blocked":[{"userIdentity":{"lookupInfo":{"emailAddress":"zed@example.org"}}}]"#, "--json"))
        == ["line 1: zed@example.org has no account here, and can't be blocked"])
    let requesters = [
      #"{"userIdentity":{"lookupInfo":{"phoneNumber":"+1555"}}}"#, #"{"userIdentity":{"userRecordName":"_abc"}}"#,
      #"{"userIdentity":{},"x-local":{"account":"bob"}}"#, #"{"userIdentity":{}}"#,
    ]
    let requests = try leftOut(share("\"requesters\":[\(requesters.joined(separator: ","))]", "--json"))
    let again = "has to ask for access again"
    #expect(
      requests?.map(\.string) == [
        "line 1: +1555 \(again)", "line 1: _abc \(again)", "line 1: bob \(again)",
        "line 1: somebody with a link of their own \(again)",
      ])
    // Accounts that already ask or participate need not ask again.
    try cli.expect("share", "request", link(), as: "carol")
    #expect(share("\"requesters\":[\(Self.carol)]").output == Self.same)
    try cli.expect("share", "approve", "s", "-z", "Z", "--person", "carol", as: "alice")
    #expect(share("\"requesters\":[\(Self.carol)]").output == Self.same)
    #expect(share("\"denyAccessRequests\":true").output == Self.changed)
    #expect(
      try cli.expect("share", "show", "s", "-z", "Z", as: "alice").output.contains(
        "\n  others   only who is invited may join\n"))
  }

  private func link() throws -> String {
    try cli.json("share", "show", "s", "-z", "Z", as: "alice")["url"]?.string ?? ""
  }

  @Test("of many omitted items the text names five, and JSON has all")
  func manyLeftOut() throws {
    let people = (1...6).map { #"{"userIdentity":{"userRecordName":"_p\#($0)"}}"# }
    let five = share("\"participants\":[\(people.prefix(5).joined(separator: ","))]")
    #expect(
      five.error.contains("but 5 things can't be brought: line 1: _p1 has no account here, and can't be invited; "))
    #expect(five.error.hasSuffix("_p5 has no account here, and can't be invited\n"), "\(five.error)")
    let six = share("\"participants\":[\(people.joined(separator: ","))]")
    #expect(six.error.contains("but 6 things can't be brought: "))
    #expect(six.error.hasSuffix("_p5 has no account here, and can't be invited; …\n"), "\(six.error)")
    #expect(try leftOut(share("\"participants\":[\(people.joined(separator: ","))]", "--json"))?.count == 6)
  }
}
