import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("The command share")
struct ShareCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("account", "set", "carol", "--phone", "+1 555 0100")
    for account in ["alice", "carol"] {
      try cli.expect("zone", "save", "Z", as: account)
      try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", "by=\(account)", as: account)
    }
  }

  private func create(_ words: String..., as account: String = "alice") throws -> String {
    let run = cli.run(
      ["share", "create", "root", "-z", "Z", "--share-name", "share-of-\(account)"] + words, as: account)
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return String(run.output.dropLast())
  }

  @Test func aShareIsFoundByLinkNameAndRoot() throws {
    let url = try create("--with", "bob")
    for name in [url, "share-of-alice", "root"] {
      #expect(try cli.json("share", "show", name, "-z", "Z", as: "alice")["recordName"] == "share-of-alice")
    }
    #expect(cli.run("share", "show", url, as: "carol").code == .notFound)
    #expect(cli.run("share", "show", "share-of-alice", "-z", "Z", as: "carol").code == .notFound)
    #expect(try cli.json("share", "show", url, as: "bob")["recordName"] == "share-of-alice")
    try cli.expect("share", "accept", url, as: "bob")
    for name in ["share-of-alice", "root"] {
      #expect(try cli.json("share", "show", name, "--database", "shared", as: "bob")["recordName"] == "share-of-alice")
    }
  }

  @Test func peopleAreNamedInManyWays() throws {
    let url = try create("--with", "BOB@example.com", "--with", "1-555-0101", "--permission", "readWrite")
    try cli.expect("share", "invite", url, "--to", "+1 (555) 0100", as: "alice")
    let participants = try cli.json("share", "show", url, as: "alice")["participants"]?.array ?? []
    let people = participants.map { $0["userIdentity"]?["userRecordName"]?.string }
    let bob = try cli.json("account", "show", "bob")["userRecordName"]?.string
    let carol = try cli.json("account", "show", "carol")["userRecordName"]?.string
    #expect(people.dropFirst() == [bob, nil, carol])
    #expect(participants.map { $0["permission"]?.string } == ["READ_WRITE", "READ_WRITE", "READ_WRITE", "READ_ONLY"])

    try cli.expect("share", "set", url, "--participant", "carol", "--permission", "readWrite", as: "alice")
    let identifier = participants[2]["participantId"]?.string ?? ""
    try cli.expect("share", "remove", url, "--participant", identifier, "--participant", "bob@example.com", as: "alice")
    let rest = try cli.json("share", "show", url, as: "alice")["participants"]?.array ?? []
    #expect(rest.map { $0["userIdentity"]?["userRecordName"]?.string }.dropFirst() == [carol])
    #expect(cli.run("share", "remove", url, "--participant", "bob", as: "alice").code == .notFound)
    #expect(cli.run("share", "remove", url, "--participant", "dave@example.com", as: "alice").code == .notFound)
    #expect(cli.run("share", "remove", url, "--participant", "dave", as: "alice").code == .notFound)
    #expect(cli.run("share", "remove", url, "--participant", "alice", as: "alice").code == .failure)
  }

  @Test(
    "a refused share create, in the public database or the default zone, leaves the record unchanged")
  func refusedCreate() throws {
    for database in ["public", "private"] {
      try cli.expect("record", "save", "T", "-n", "r", "--database", database, "by=alice", as: "alice")
      let before = try cli.json("record", "get", "r", "--database", database, as: "alice")
      let run = cli.run("share", "create", "r", "-z", "_defaultZone", "--database", database, as: "alice")
      #expect(run.code != .success)
      #expect(run.output.isEmpty)
      #expect(try cli.json("record", "get", "r", "--database", database, as: "alice") == before)
    }
  }

  @Test("share set --public-permission none removes all participants except the owner, as CKShare does")
  func shareSetPublicPermissionNoneRemoves() throws {
    let url = try create("--with", "bob")
    try cli.expect("share", "accept", url, as: "bob")
    try cli.expect("share", "set", url, "--public-permission", "readOnly", as: "alice")
    try cli.expect("share", "accept", url, as: "carol")
    #expect(try cli.json("share", "show", url, as: "alice")["participants"]?.array?.count == 3)
    try cli.expect("share", "set", url, "--public-permission", "none", as: "alice")
    #expect(try cli.json("share", "show", url, as: "alice")["participants"]?.array?.map { $0["type"] } == ["OWNER"])
    for person in ["bob", "carol"] {
      #expect(cli.run("share", "show", url, as: person).code == .notFound)
      #expect(cli.run("record", "get", "root", "--database", "shared", "-z", "Z", as: person).code == .notFound)
    }
    // Setting the current value changes nothing.
    try cli.expect("share", "invite", url, "--to", "bob", as: "alice")
    try cli.expect("share", "set", url, "--public-permission", "none", as: "alice")
    #expect(try cli.json("share", "show", url, as: "alice")["participants"]?.array?.count == 2)
  }

  @Test func aWholeZone() throws {
    let run = cli.run("share", "create", "-z", "Z", "--with", "bob", "--permission", "readWrite", as: "alice")
    #expect(run.code == .success)
    #expect(run.error.contains("shared the zone Z as cloudkit.zoneshare"))
    let url = String(run.output.dropLast())
    let zones = try cli.json("zone", "list", as: "alice")["zones"]?.array ?? []
    #expect(zones.map { $0["share"]?["recordName"]?.string } == [nil, "cloudkit.zoneshare"])
    #expect(cli.run("zone", "list", as: "alice").output.contains("whole zone"))
    #expect(try cli.json("share", "show", "-z", "Z", as: "alice")["url"]?.string == url)

    try cli.expect("share", "accept", url, as: "bob")
    try cli.expect("record", "save", "T", "-n", "bobs", "--database", "shared", "-z", "Z", "by=bob", as: "bob")
    #expect(try cli.json("record", "get", "bobs", "-z", "Z", as: "alice")["fields"]?["by"]?["value"] == "bob")
    try cli.expect("share", "set", "-z", "Z", "--participant", "bob", "--permission", "readOnly", as: "alice")
    #expect(cli.run("record", "delete", "bobs", "--database", "shared", "-z", "Z", as: "bob").code == .refused)
    try cli.expect("share", "invite", "-z", "Z", "--to", "carol", as: "alice")
    try cli.expect("share", "remove", "-z", "Z", "--participant", "carol", as: "alice")
    #expect(cli.run("share", "stop", "-z", "Z", "--database", "shared", as: "bob").error.contains("share leave"))
    try cli.expect("share", "leave", "-z", "Z", as: "bob")
    try cli.expect("share", "stop", "-z", "Z", as: "alice")
    let stopped = cli.run("share", "stop", "-z", "Z", as: "alice")
    #expect(stopped.code == .notFound)
    #expect(stopped.error.contains("the zone Z is not shared as a whole"))
  }

  @Test func aWholeZoneIsNotSharedByMistake() throws {
    #expect(cli.run("share", "create", as: "alice").code == .usage)
    #expect(cli.run("share", "create", "-z", "Z", "--share-name", "x", as: "alice").code == .usage)
    #expect(cli.run("share", "stop", as: "alice").code == .usage)
    #expect(cli.run("share", "create", "-z", "_defaultZone", as: "alice").error.contains("does not support sharing"))
  }

  @Test func titles() throws {
    let url = try create("--title", "Old")
    try cli.expect("share", "set", url, "--title", "New name", as: "alice")
    #expect(try cli.json("share", "show", url, as: "alice")["url"]?.string?.hasSuffix("#New_name") == true)
    try cli.expect("share", "set", url, "--title", "", as: "alice")
    #expect(try cli.json("share", "show", url, as: "alice")["fields"] == [:])
    #expect(cli.run("share", "set", url, as: "alice").code == .usage)
    #expect(cli.run("share", "set", url, "--participant", "bob", as: "alice").code == .usage)
    #expect(cli.run("share", "set", url, "--permission", "readOnly", as: "alice").code == .usage)
  }

  @Test func whoseZoneMustBeClear() throws {
    for account in ["alice", "carol"] {
      try cli.expect("share", "accept", create("--public-permission", "readOnly", as: account), as: "bob")
    }
    let unclear = cli.run("record", "get", "root", "--database", "shared", "-z", "Z", as: "bob")
    #expect(unclear.code == .usage)
    #expect(unclear.error.contains("Z of alice, Z of carol"))
    for owner in ["carol", "carol@example.com", "+15550100"] {
      let record = try cli.json("record", "get", "root", "-z", "Z", "--owner", owner, as: "bob")
      #expect(record["fields"]?["by"]?["value"] == "carol")
    }
    #expect(cli.run("record", "get", "root", "-z", "Z", "--owner", "dave", as: "bob").code == .notFound)
    #expect(cli.run("record", "get", "root", "-z", "Z", "--owner", "_dave", as: "bob").code == .notFound)
    #expect(cli.run("record", "get", "root", "-z", "Z", "--owner", "d@example.com", as: "bob").code == .notFound)
    #expect(cli.run("record", "get", "root", "--database", "shared", "-z", "Y", as: "bob").code == .notFound)
  }

  @Test func stoppingIsNotLeaving() throws {
    let url = try create("--with", "bob")
    try cli.expect("share", "accept", url, as: "bob")
    #expect(cli.run("share", "stop", url, as: "bob").error.contains("share leave"))
    #expect(cli.run("share", "leave", url, as: "alice").error.contains("share stop"))
    #expect(try cli.json("zone", "list", "--database", "shared", as: "bob")["zones"]?.array?.count == 1)
    try cli.expect("share", "leave", "root", as: "bob")
    #expect(try cli.json("zone", "list", "--database", "shared", as: "bob")["zones"] == [])
    try cli.expect("share", "stop", "root", "-z", "Z", as: "alice")
    #expect(cli.run("share", "accept", url, as: "bob").code == .notFound)
    #expect(cli.run("share", "stop", "root", "-z", "Z", as: "alice").error.contains("not shared"))
  }

  @Test("inviting an address without an account prints a note")
  func unknownAddresses() throws {
    let words = ["share", "create", "root", "-z", "Z", "--with", "bob@example.com", "--with", "x@example.org"]
    let note = "no account has x@example.org: whoever opens the link can verify that it is theirs\n"
    let created = cli.run(words, as: "alice")
    #expect(created.error.hasPrefix(note), "\(created.error)")
    #expect(!created.error.contains("bob@"), "\(created.error)")
    let invited = cli.run("share", "invite", String(created.output.dropLast()), "--to", "x@example.org", as: "alice")
    #expect(invited.error.hasPrefix(note))
  }

  @Test func addressesThatMayBelongToAnAccount() throws {
    let url = try create("--with", "new@example.org")
    let error = try cli.error("share", "accept", url, as: "bob")
    #expect(error?["code"] == "participantMayNeedVerification")
    #expect(error?["exitCode"] == 15)
    try cli.expect("account", "set", "bob", "--email", "new@example.org")
    try cli.expect("share", "accept", url, as: "bob")
  }
}
