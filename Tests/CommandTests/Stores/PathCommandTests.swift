import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The command path")
struct PathCommandTests {
  private let cli: Cli
  private let environment: String

  init() throws {
    cli = try Cli("alice", "bob")
    environment = cli.root + "/containers/iCloud.example.Commands/development"
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "a/b", "n:int64=1", as: "alice")
  }

  private func path(_ words: String..., as account: String = "alice") throws -> String {
    let run = cli.run(["path"] + words, as: account)
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    #expect(run.error == "")
    return String(run.output.dropLast())
  }

  @Test("each path is absolute and leads to what is named")
  func paths() throws {
    #expect(try path("cloud") == cli.root)
    #expect(try path("database") == environment + "/private/alice")
    #expect(try path("zone", "Z") == environment + "/private/alice/zones/Z")
    #expect(try path("account") == cli.root + "/accounts/alice.json")
    #expect(try path("account", "bob") == cli.root + "/accounts/bob.json")
    let record = try path("record", "a/b", "-z", "Z")
    let document = try JSONValue(parsing: UserFile.read(record, limit: .text))
    #expect(document["recordName"] == "a/b")
    #expect(try cli.json("path", "cloud")["path"]?.string == cli.root)
    try cli.expect("status", "--device", "phone", as: "alice")
    #expect(try path("device", "phone") == cli.root + "/devices/phone")
  }

  @Test("a participant gets the path in the owner's folder, and only of what is shared")
  func sharedZones() throws {
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "other", as: "alice")
    let url = try cli.expect("share", "create", "a/b", "-z", "Z", "--with", "bob", as: "alice").output.dropLast()
    #expect(cli.run("path", "record", "a/b", "--database", "shared", as: "bob").code == .notFound)
    try cli.expect("share", "accept", String(url), as: "bob")
    #expect(try path("record", "a/b", "--database", "shared", as: "bob") == path("record", "a/b", "-z", "Z"))
    #expect(try path("zone", "Z", "--database", "shared", as: "bob") == path("zone", "Z"))
    #expect(cli.run("path", "record", "other", "--database", "shared", as: "bob").code == .notFound)
  }

  @Test("what does not exist has exit code 13, and no path")
  func missing() {
    let words = [
      ["record", "x", "-z", "Z"], ["record", "x", "-z", "Y"], ["zone", "Y"], ["account", "carol"],
      ["device", "tablet"],
      ["store", cli.root + "/none.sqlite"], ["store", cli.root], ["database", "--database", "shared"],
    ]
    for words in words {
      let run = cli.run(["path"] + words, as: "alice")
      #expect(run.code == .notFound, "\(words): \(run.error)")
      #expect(run.output == "")
    }
    #expect(cli.run("path", "cloud", "--root", cli.root + "-none").code == .noStore)
  }

  @Test("wrong usage, no account, and a closed standard output")
  func others() {
    #expect(cli.run("path").code == .usage)
    #expect(cli.run("path", "zone", as: "alice").code == .usage)
    #expect(cli.run("path", "nothing", as: "alice").code == .usage)
    #expect(cli.run("path", "account").code == .usage)
    #expect(cli.run("path", "database").code == .refused)
    #expect(cli.run(["path", "cloud"], as: "alice", failWith: SystemError.brokenPipe).code == .success)
  }
}
