import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStore
import Testing

@Suite("The command share list")
struct ShareListTests {
  private let cli: Cli
  private let url: String
  private let zoneURL: String

  init() throws {
    let cli = try Cli("alice", "bob", "carol")
    self.cli = cli
    func create(_ words: String..., as account: String) throws -> String {
      let run = cli.run(["share", "create"] + words, as: account)
      guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
      return String(run.output.dropLast())
    }
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("zone", "save", "Team", as: "bob")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "milk", "n:int64=1", as: "alice")
    url = try create("milk", "-z", "Z", "--title", "Milk", "--with", "bob", as: "alice")
    zoneURL = try create("--zone", "Team", "--with", "alice", "--with", "carol", as: "bob")
  }

  @Test("own shares come first, then those that were joined, with title, root, zone, role, people and link")
  func ownAndJoined() throws {
    let own = "Milk\tmilk\tZ of alice\towner\tbob\t\(url)\n"
    let titles = "title\troot\tzone\trole\tpeople\tlink\n"
    #expect(try cli.expect("share", "list", "--format", "tsv", as: "alice").output == titles + own)
    try cli.expect("share", "accept", zoneURL, as: "alice")
    let joined = "\t\tTeam of bob\tinvited\tbob, carol\t\(zoneURL)\n"
    #expect(try cli.expect("share", "list", "--format", "tsv", as: "alice").output == titles + own + joined)
    #expect(
      try cli.expect("share", "list", "--database", "shared", "--format", "tsv", as: "alice").output == titles + joined)
    #expect(try cli.expect("share", "list", "--count", as: "alice").output == "2\n")
    let shares = try cli.json("share", "list", as: "alice")["shares"]?.array ?? []
    #expect(shares.map { $0["database"]?.string } == ["private", "shared"])
    #expect(shares.first?["url"]?.string == url)
  }

  @Test("an invitation is no joined share; without shares and without an account")
  func others() throws {
    #expect(try cli.expect("share", "list", as: "carol").error.contains("no shares"))
    #expect(cli.run("share", "list").code == .refused)
    #expect(cli.run("share", "list", "--database", "public", as: "alice").code == .usage)
    #expect(cli.run("share", "list", "milk", as: "alice").code == .usage)
    #expect(cli.run(["share", "list"], as: "alice", failWith: SystemError.brokenPipe).code == .success)
  }
}
