import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("The commands open and share verify")
struct LinkCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", as: "alice")
  }

  private func share(_ words: String...) throws -> String {
    let run = cli.run(
      ["share", "create", "root", "-z", "Z", "--share-name", "the-share", "--title", "List"] + words, as: "alice")
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return String(run.output.dropLast())
  }

  @Test func whatALinkLeadsTo() throws {
    let url = try share("--with", "bob", "--permission", "readWrite")
    let opened = cli.run("open", url, as: "bob")
    #expect(opened.code == .success)
    #expect(
      opened.output == """
        List
          owner       alice
          zone        Z
          root        root
          container   iCloud.example.Commands
          role        invited
          status      pending
          permission  readWrite

        """)
    #expect(opened.error == "handed to the device bob-device\n")
    let quiet = cli.run("open", url, "--quiet", "--device", "phone", as: "bob")
    #expect(quiet.output == opened.output)
    #expect(quiet.error == "")

    let document = try cli.json("open", url, as: "bob")
    #expect(document["participantStatus"] == "INVITED")
    #expect(document["participantPermission"] == "READ_WRITE")
    #expect(document["participantType"] == "USER")
    #expect(document["rootRecordName"] == "root")
    #expect(document["deviceID"] == "bob-device")
    #expect(document["databaseScope"] == "SHARED")
    #expect(document["share"]?["recordName"] == "the-share")
    #expect(document["url"]?.string == url)
    #expect(cli.run("open", url, as: "alice").output.contains("role        owner"))
    #expect(cli.run("check").code == .success)
  }

  @Test func refusals() throws {
    let url = try share("--with", "bob@work.example")
    #expect(cli.run("open", as: "bob").code == .usage)
    #expect(cli.run("open", url).code == .refused)
    let refused = cli.run("open", url, as: "bob")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("participantMayNeedVerification 33/2034"))
    #expect(refused.error.contains("localcloud share verify LINK --email ADDRESS"))
    #expect(cli.run("open", "https://www.icloud.com/share/nothing", as: "bob").code == .notFound)
    #expect(try cli.error("open", "nonsense", as: "bob")?["code"] == "unknownItem")
  }

  @Test func verifying() throws {
    let url = try share("--with", "bob@work.example", "--with", "+1 555 0100")
    #expect(cli.run("share", "verify", url, as: "bob").code == .usage)
    #expect(cli.run("share", "verify", url, "--email", "a@b", "--phone", "1234", as: "bob").code == .usage)
    #expect(cli.run("share", "verify", url, "--email", "else@work.example", as: "bob").code == .notFound)
    #expect(cli.run("share", "verify", url, "--email", "carol@example.com", as: "bob").code == .notFound)
    #expect(cli.run("share", "verify", "--email", "carol@example.com", as: "bob").error.contains("belongs to"))
    let run = cli.run("share", "verify", url, "--email", "Bob@work.example", as: "bob")
    #expect(run.code == .success)
    #expect(run.output == "Bob@work.example is bob's\n")
    #expect(cli.run("open", url, as: "bob").output.contains("status      pending"))
    let account = try cli.json("share", "verify", url, "--phone", "+15550100", as: "carol")
    #expect(account["name"] == "carol")
    #expect(account["phones"] == ["+15550100"])
    try cli.expect("share", "accept", url, as: "carol")
  }

  @Test func helpTexts() throws {
    var text = ""
    for command in [["open"], ["share", "verify"], ["share", "manage"], ["share"]] {
      text += cli.run(command + ["-h"]).output + "----\n"
    }
    try Snapshot.check(text, "link-help.txt")
  }
}
