import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("The option that names people in share commands")
struct PeopleOptionTests {
  @Test("every share command that takes people names them by --person, and takes the former names, too")
  func oneName() throws {
    let former = ["--with", "--to", "--participant"]
    for verb in ["create", "invite", "set", "remove", "approve", "deny", "block", "unblock"] {
      let help = ToolRun(words: ["share", verb, "-h"], registry: .standard).output
      #expect(help.contains("--person WHO"), "\(verb)")
      #expect(!former.contains { help.contains($0) }, "\(verb)")
    }
    let cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "a", as: "alice")
    try cli.expect("share", "create", "a", "-z", "Z", as: "alice")
    for name in ["--person"] + former {
      try cli.expect("share", "invite", "a", "-z", "Z", name, "bob", as: "alice")
      try cli.expect("share", "remove", "a", "-z", "Z", name, "bob", as: "alice")
    }
    #expect(cli.run("share", "invite", "a", "-z", "Z", as: "alice").error.contains("--person is missing"))
    #expect(cli.run("share", "remove", "a", "-z", "Z", "--person", "bob", as: "alice").code == .notFound)
  }
}
