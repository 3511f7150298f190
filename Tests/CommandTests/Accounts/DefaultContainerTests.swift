import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("Commands without a container")
struct DefaultContainerTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "a", as: "alice")
  }

  private func run(_ words: String..., as account: String) -> ToolRun {
    cli.run(words, as: account, variables: ["LOCALCLOUD_CONTAINER": ""])
  }

  @Test("a link says in which container the share is; a container that is named has to be that one")
  func acceptedLink() throws {
    let url = try cli.expect("share", "create", "a", "-z", "Z", "--with", "bob", as: "alice").output.dropLast()
    let other = cli.run("share", "accept", String(url), "--container", "iCloud.example.Other", as: "bob")
    #expect(other.code == .failure)
    #expect(other.error.contains("badContainer"))
    let joined = run("share", "accept", String(url), as: "bob")
    #expect(joined.code == .success, "\(joined.error)")
    #expect(joined.error.contains("--owner alice --container iCloud.example.Commands"))
    #expect(cli.run("record", "get", "a", "--database", "shared", as: "bob").code == .success)
    #expect(run("share", "accept", "https://www.icloud.com/share/none", as: "bob").code == .notFound)
  }

  @Test("a hint names the containers of the cloud if the default one is empty")
  func hint() {
    for words in [["record", "list", "-z", "Z"], ["zone", "list"]] {
      let run = cli.run(words, as: "alice", variables: ["LOCALCLOUD_CONTAINER": ""])
      #expect(run.error.contains("is empty; the cloud holds iCloud.example.Commands: name one with --container"))
      #expect(!cli.run(words, as: "alice").error.contains("the cloud holds"))
    }
    #expect(run("zone", "save", "Y", as: "alice").code == .success)
    #expect(!run("zone", "list", as: "alice").error.contains("the cloud holds"))
    #expect(!run("record", "list", "-z", "Y", "-q", as: "alice").error.contains("the cloud holds"))
  }
}
