import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands account add-role and remove-role")
struct RoleCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    let schema = """
      DEFINE SCHEMA CREATE ROLE Editors; CREATE ROLE Readers;
      RECORD TYPE Notice (text STRING, GRANT READ TO "_world", GRANT CREATE, WRITE TO Editors);
      """
    try cli.expect("schema", "import", "-", as: "alice", input: schema)
  }

  private func save(_ name: String, as account: String) -> ExitCode {
    cli.run("record", "save", "Notice", "--name", name, "--database", "public", as: account).code
  }

  @Test("a member of a role may do what the schema grants to it, until the account is removed from the role")
  func membership() throws {
    #expect(save("n", as: "bob") == .refused)
    let added = try cli.expect("account", "add-role", "bob", "Editors")
    #expect(added.output == "added bob to the role Editors in iCloud.example.Commands, development\n")
    #expect(added.error == "")
    #expect(save("n", as: "bob") == .success)
    #expect(save("m", as: "alice") == .refused)
    try cli.expect("account", "add-role", "bob", "Readers", "--quiet")
    #expect(
      try cli.expect("account", "show", "bob").output
        .contains("  roles        Editors, Readers in iCloud.example.Commands, development\n"))
    let removed = try cli.expect("account", "remove-role", "bob", "Editors")
    #expect(removed.output == "removed bob from the role Editors in iCloud.example.Commands, development\n")
    #expect(save("m", as: "bob") == .refused)
  }

  @Test("the JSON document has the account's roles in the acting container and environment")
  func documents() throws {
    func document(_ roles: JSONValue, _ environment: JSONValue = "development") -> JSONValue {
      [
        "account": "bob", "container": "iCloud.example.Commands", "environment": environment, "roles": roles,
        "schemaVersion": 1,
      ]
    }
    #expect(try cli.json("account", "add-role", "bob", "Readers") == document(["Readers"]))
    #expect(try cli.json("account", "add-role", "bob", "Editors") == document(["Editors", "Readers"]))
    try cli.expect("schema", "deploy", as: "alice")
    let production = try cli.json("account", "add-role", "bob", "Editors", "--environment", "production")
    #expect(production == document(["Editors"], "production"))
    #expect(try cli.json("account", "remove-role", "bob", "Readers") == document(["Editors"]))
    #expect(
      try cli.json("account", "show", "bob")["roles"]
        == ["iCloud.example.Commands": ["development": ["Editors"], "production": ["Editors"]]])
    #expect(try cli.json("account", "remove-role", "bob", "Editors") == document([]))
  }

  @Test("an unknown role is refused with the schema's roles, and so are an unknown account and missing words")
  func refusals() throws {
    for verb in ["add-role", "remove-role"] {
      let run = cli.run("account", verb, "bob", "Writers")
      #expect(run.code == .notFound)
      #expect(run.output == "")
      #expect(run.error.contains("There is no role 'Writers' in the schema of iCloud.example.Commands, development"))
      #expect(run.error.contains("its roles are Editors, Readers"))
      #expect(try cli.error("account", verb, "bob", "Writers")?["code"] == "unknownItem")
      let empty = cli.run("account", verb, "bob", "Editors", "--environment", "production")
      #expect(empty.code == .notFound)
      #expect(empty.error.contains("it has no roles"))
      #expect(cli.run("account", verb, "carol", "Editors").code == .notFound)
      #expect(cli.run("account", verb, "bob").code == .usage)
      #expect(cli.run("account", verb, "bob", "Editors", "--container", "nonsense").code == .failure)
    }
    #expect(try cli.json("account", "show", "bob")["roles"] == nil)
  }

  @Test("the names of the schema's roles complete")
  func completion() {
    func words(_ words: String...) -> String { cli.run(["completion", "words", "--", "account"] + words).output }
    #expect(words("add-role", "bob", "") == "Editors\nReaders\n")
    #expect(words("remove-role", "bob", "R") == "Readers\n")
    #expect(words("add-role", "--environment", "production", "bob", "") == "")
  }
}
