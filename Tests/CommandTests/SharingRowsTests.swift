import CloudStore
import LocalCloudCommands
import Testing

@Suite("Sharing rules, 12: what a command line offers in place of the system's screens") struct SharingRowsTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", "a=1", as: "alice")
  }

  private func create(_ words: String...) throws -> String {
    let run = cli.run(["share", "create", "root", "-z", "Z"] + words, as: "alice")
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return String(run.output.dropLast())
  }

  private func seen(by account: String) -> ExitCode {
    cli.run("record", "get", "root", "--database", "shared", "-z", "Z", as: account).code
  }

  @Test("12 Preparing a share: share create saves share and root, and prints the link")
  func preparing() throws {
    let url = try create("--title", "Our list")
    let share = try cli.json("share", "show", "root", "-z", "Z", as: "alice")
    #expect(share["url"]?.string == url && share["fields"]?["cloudkit.title"]?["value"] == "Our list")
    let root = try cli.json("record", "get", "root", "-z", "Z", as: "alice")
    #expect(root["share"]?["recordName"] == share["recordName"])
  }

  @Test("12 An existing share: the owner edits list, permissions and public access and stops; participants leave")
  func existing() throws {
    let url = try create("--with", "bob")
    try cli.expect("share", "accept", url, as: "bob")
    try cli.expect("share", "invite", url, "--to", "carol", as: "alice")
    try cli.expect("share", "set", url, "--participant", "bob", "--permission", "readWrite", as: "alice")
    try cli.expect("share", "remove", url, "--participant", "carol", as: "alice")
    let share = try cli.json("share", "show", url, as: "alice")
    #expect(share["participants"]?.array?.map { $0["permission"]?.string } == ["READ_WRITE", "READ_WRITE"])
    try cli.expect("share", "leave", "root", as: "bob")
    #expect(seen(by: "bob") == .notFound)
    try cli.expect("share", "set", url, "--public-permission", "readOnly", as: "alice")
    try cli.expect("share", "accept", url, as: "carol")
    #expect(seen(by: "carol") == .success)
    try cli.expect("share", "stop", "root", "-z", "Z", as: "alice")
    #expect(seen(by: "carol") == .notFound)
  }

  @Test("12 Messages, Mail, copy link: the link is all that is printed, to be sent by other means")
  func links() throws {
    let run = try cli.expect("share", "create", "root", "-z", "Z", "--with", "bob", as: "alice")
    #expect(run.output.hasPrefix("https://www.icloud.com/share/") && run.output.filter(\.isNewline).count == 1)
    try cli.expect("share", "accept", String(run.output.dropLast()), as: "bob")
  }

  @Test("12 Settings: requests for access are made, approved, denied and blocked")
  func requests() throws {
    let url = try create()
    try cli.expect("share", "set", url, "--access-requests", "allowed", as: "alice")
    for person in ["bob", "carol"] { try cli.expect("share", "request", url, as: person) }
    try cli.expect("share", "approve", url, "--person", "bob", as: "alice")
    try cli.expect("share", "deny", url, "--person", "carol", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    try cli.expect("share", "block", url, "--person", "carol", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    let share = try cli.json("share", "show", url, as: "alice")
    #expect((share["requesters"]?.array ?? []).isEmpty && share["blocked"]?.array?.count == 1)
    try cli.expect("share", "accept", url, as: "bob")
    #expect(cli.run("share", "accept", url, as: "carol").code != .success)
  }
}
