import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands for access to shares, and administrators")
struct ShareAccessCommandTests {
  private let cli: Cli
  private let url: String

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", "a=1", as: "alice")
    url = String(try cli.expect("share", "create", "root", "-z", "Z", as: "alice").output.dropLast())
  }

  private func share() throws -> JSONValue { try cli.json("share", "show", url, as: "alice") }

  private func names(_ key: String) throws -> [String?] {
    try share()[key]?.array?.map { $0["userIdentity"]?["lookupInfo"]?["emailAddress"]?.string } ?? []
  }

  @Test func aLinkLetsInOnePerson() throws {
    let link = String(
      try cli.expect("share", "link", "root", "-z", "Z", "--permission", "readWrite", as: "alice").output.dropLast())
    #expect(link.hasPrefix("https://www.icloud.com/share/"))
    #expect(link != url)
    #expect(try cli.expect("share", "show", url, as: "alice").output.contains(link))
    try cli.expect("share", "accept", link, as: "bob")
    #expect(cli.run("share", "accept", link, as: "carol").code == .notFound)
    try cli.expect("record", "update", "root", "--database", "shared", "-z", "Z", "a=2", as: "bob")
    let entry = try cli.json("share", "link", url, "--role", "administrator", as: "alice")
    #expect(entry["type"] == "ADMINISTRATOR")
    #expect(entry["acceptanceStatus"] == "INVITED")
    #expect(entry["oneTimeURL"]?.string?.hasPrefix("https://") == true)
  }

  @Test func requestsAreAnswered() throws {
    // The command does not reveal whether the share exists.
    try cli.expect("share", "request", url, as: "carol")
    try cli.expect("share", "request", url + "x", as: "carol")
    #expect(try names("requesters") == [])
    try cli.expect("share", "set", url, "--access-requests", "allowed", as: "alice")
    for person in ["bob", "carol"] { try cli.expect("share", "request", url, as: person) }
    #expect(try names("requesters") == ["bob@example.com", "carol@example.com"])
    #expect(try cli.expect("share", "show", url, as: "alice").output.contains("waiting"))

    try cli.expect("share", "deny", url, "--person", "bob", as: "alice")
    #expect(cli.run("share", "deny", url, "--person", "bob", as: "alice").code == .notFound)
    #expect(cli.run("share", "approve", url, "--person", "bob", as: "alice").code == .notFound)
    try cli.expect("share", "approve", url, "--person", "carol@example.com", "--permission", "readWrite", as: "alice")
    #expect(try names("requesters") == [])
    let again = cli.run("share", "request", url, as: "carol")
    #expect(again.code == .failure)
    #expect(again.error.contains("share accept"))
    try cli.expect("share", "accept", url, as: "carol")

    try cli.expect("share", "block", url, "--person", "bob", "--person", "carol", as: "alice")
    #expect(try names("blocked") == ["bob@example.com", "carol@example.com"])
    #expect(try share()["participants"]?.array?.count == 1)
    #expect(cli.run("record", "get", "root", "--database", "shared", "-z", "Z", as: "carol").code == .notFound)
    try cli.expect("share", "request", url, as: "bob")
    #expect(try names("requesters") == [])
    try cli.expect("share", "unblock", url, "--person", "bob", as: "alice")
    #expect(cli.run("share", "unblock", url, "--person", "bob", as: "alice").code == .notFound)
    try cli.expect("share", "request", url, as: "bob")
    #expect(try names("requesters") == ["bob@example.com"])
    try cli.expect("share", "set", url, "--access-requests", "refused", as: "alice")
    #expect(cli.run("share", "block", url, "--person", "alice", as: "alice").code == .failure)
    #expect(
      cli.run("share", "block", url, "--person", "_\(String(repeating: "0", count: 32))", as: "alice").code == .notFound
    )
  }

  @Test func anAdministratorInvites() throws {
    try cli.expect("share", "invite", url, "--to", "bob", "--role", "administrator", as: "alice")
    try cli.expect("share", "accept", url, as: "bob")
    try cli.expect("share", "invite", url, "--to", "carol", as: "bob")
    try cli.expect("share", "set", url, "--title", "Ours", as: "bob")
    #expect(try share()["participants"]?.array?.map { $0["type"] } == ["OWNER", "ADMINISTRATOR", "USER"])
    try cli.expect("share", "set", url, "--participant", "bob", "--role", "participant", as: "alice")
    #expect(cli.run("share", "set", url, "--title", "Mine", as: "bob").code == .refused)
    #expect(cli.run("share", "set", url, "--participant", "bob", as: "alice").code == .usage)
    #expect(cli.run("share", "set", url, "--role", "administrator", as: "alice").code == .usage)
  }
}
