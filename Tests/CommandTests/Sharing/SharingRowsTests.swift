import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("Sharing rules, 12: commands that replace the system's sharing screens") struct SharingRowsTests {
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

  @Test("12 Preparing a share: share create saves the share and its root, and prints the link")
  func preparingAShare() throws {
    let url = try create("--title", "Our list")
    let share = try cli.json("share", "show", "root", "-z", "Z", as: "alice")
    #expect(share["url"]?.string == url)
    #expect(share["fields"]?["cloudkit.title"]?["value"] == "Our list")
    let root = try cli.json("record", "get", "root", "-z", "Z", as: "alice")
    #expect(root["share"]?["recordName"] == share["recordName"])
  }

  // [record-json-5]
  @Test("12 An existing share: the owner edits participants, permissions and public access, participants leave")
  func existingShare() throws {
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

  @Test("12 Messages, Mail, copy link: only the link is printed, for the user to send")
  func messagesMailCopyLink() throws {
    let run = try cli.expect("share", "create", "root", "-z", "Z", "--with", "bob", as: "alice")
    #expect(run.output.hasPrefix("https://www.icloud.com/share/"))
    #expect(run.output.filter(\.isNewline).count == 1)
    try cli.expect("share", "accept", String(run.output.dropLast()), as: "bob")
  }

  @Test("12 Settings: requests for access are made, approved, denied and blocked")
  func settingsRequestsForAccessAreMadeApproved() throws {
    let url = try create()
    try cli.expect("share", "set", url, "--access-requests", "allowed", as: "alice")
    for person in ["bob", "carol"] { try cli.expect("share", "request", url, as: person) }
    try cli.expect("share", "approve", url, "--person", "bob", as: "alice")
    try cli.expect("share", "deny", url, "--person", "carol", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    try cli.expect("share", "block", url, "--person", "carol", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    let share = try cli.json("share", "show", url, as: "alice")
    let requesters = share["requesters"]?.array ?? []
    #expect(requesters.isEmpty)
    #expect(share["blocked"]?.array?.count == 1)
    try cli.expect("share", "accept", url, as: "bob")
    #expect(cli.run("share", "accept", url, as: "carol").code != .success)
  }

  @Test("12 Available permissions: an invalid permission is refused before any change is saved")
  func availablePermissionsAnInvalidPermission() throws {
    let url = try create("--with", "bob")
    let before = try cli.json("share", "show", url, as: "alice")
    #expect(cli.run("share", "invite", url, "--to", "carol", "--permission", "none", as: "alice").code == .usage)
    #expect(cli.run("share", "set", url, "--public-permission", "unknown", as: "alice").code == .usage)
    #expect(cli.run("share", "set", url, "--participant", "bob", "--role", "owner", as: "alice").code == .usage)
    #expect(try cli.json("share", "show", url, as: "alice") == before)
    try cli.expect("share", "set", url, "--public-permission", "readWrite", as: "alice")
    #expect(try cli.json("share", "show", url, as: "alice")["publicPermission"] == "READ_WRITE")
  }

  @Test("12 Delegate of the sharing screen: the exit status distinguishes saved, failed to save and stopped")
  func delegateOfTheSharingScreen() throws {
    let url = try create()
    let failed = cli.run("share", "create", "root", "-z", "Z", as: "alice")
    #expect(failed.code == .failure)
    #expect(failed.output == "")
    #expect(failed.error.contains("alreadyShared"))
    #expect(try cli.json("share", "stop", url, as: "alice")["deleted"] == true)
    #expect(cli.run("share", "stop", url, as: "alice").code == .notFound)
  }

  // [share-screen-2]
  @Test("12 Tapping a link: open prints title, owner and permission, and notifies the program on that device")
  func tappingALink() throws {
    let url = try create("--title", "Our list", "--with", "bob", "--permission", "readWrite")
    let opened = try cli.json("open", url, "--device", "phone", as: "bob")
    #expect(opened["share"]?["fields"]?["cloudkit.title"]?["value"] == "Our list")
    #expect(opened["participantPermission"] == "READ_WRITE")
    #expect(opened["deviceID"] == "phone")
    let alice = try cli.json("account", "show", "alice")["userRecordName"]
    #expect(opened["ownerIdentity"]?["userRecordName"] == alice)
    // Opening does not accept the share: the program decides.
    #expect(seen(by: "bob") == .notFound)
    #expect(cli.run("open", url, as: "carol").code == .notFound)
  }

  @Test(
    "12 Verification sheet: an account without the invited address verifies it and can then accept the link")
  func verificationSheetAnAccountWithoutTheInvited() throws {
    let url = try create("--with", "carol@work.example")
    #expect(try cli.error("open", url, as: "carol")?["ckErrorCode"] == 33)
    #expect(cli.run("share", "verify", url, "--email", "bob@example.com", as: "carol").code != .success)
    try cli.expect("share", "verify", url, "--email", "carol@work.example", as: "carol")
    #expect(try cli.json("open", url, as: "carol")["participantStatus"] == "INVITED")
    try cli.expect("share", "accept", url, as: "carol")
    #expect(seen(by: "carol") == .success)
  }
}
