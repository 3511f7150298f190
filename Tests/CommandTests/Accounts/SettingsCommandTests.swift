import FaultInjection
import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The commands init, status and env")
struct SettingsCommandTests {
  @Test func initPrintsThePathAndWhatToDoNext() throws {
    let path = ScratchFolder.newPath("init")
    defer { try? ScratchFolder.remove(path) }
    let first = ToolRun(words: ["init", path], registry: .standard)
    #expect(first.output == path + "\n")
    #expect(first.error.contains("export LOCALCLOUD_ROOT='\(path)'"))
    let second = ToolRun(words: ["init", path, "--json"], registry: .standard)
    #expect(second.code == .failure)
    #expect(second.error.contains("alreadyThere"))
    let third = ToolRun(words: ["init", "--root", path, "--if-missing", "--json"], registry: .standard)
    #expect(try JSONValue(parsing: third.output)["created"] == false)
    let other = ScratchFolder.newPath("init-other")
    defer { try? ScratchFolder.remove(other) }
    let fourth = ToolRun(words: ["init"], environment: ["LOCALCLOUD_ROOT": other], registry: .standard)
    #expect(fourth.code == .success)
    #expect(Cloud.exists(at: other))
    let inside = ToolRun(words: ["init", path + "/accounts"], registry: .standard)
    #expect(inside.code == .failure, "\(inside.error)")
    #expect(inside.error.contains("lies in the cloud \(path)"), "\(inside.error)")
  }

  @Test func sameSeedSameCloud() throws {
    let (one, two) = (try Cli("alice"), try Cli("alice"))
    #expect(try one.json("status")["cloud"] == two.json("status")["cloud"])
    #expect(try one.json("account", "show", "alice") == two.json("account", "show", "alice"))
  }

  @Test func statusTellsOrigins() throws {
    let cli = try Cli("alice")
    func origins(_ words: String..., as account: String? = nil) throws -> [String?] {
      let settings = try cli.json("status", as: account)["settings"]
      return ["root", "account", "device", "environment", "lockTimeout", "clock"].map {
        settings?[$0]?["origin"]?.string
      }
    }
    #expect(try origins() == ["variable", "standard", "standard", "standard", "standard", "variable"])
    let settings = try cli.json(
      "status", "--account", "alice", "--device", "phone", "--environment", "production", "--lock-timeout", "1.5")[
        "settings"]
    #expect(settings?["account"] == ["origin": "option", "value": "alice", "variable": "LOCALCLOUD_ACCOUNT"])
    #expect(settings?["device"]?["value"] == "phone")
    #expect(settings?["lockTimeout"]?["value"] == "1.5")
    // A device belongs to one account, and determines the account if no other setting does.
    let later = try cli.json("status", "--device", "phone")["settings"]
    #expect(later?["account"] == ["origin": "device", "value": "alice", "variable": "LOCALCLOUD_ACCOUNT"])
  }

  @Test("with LOCALCLOUD_STRICT queries in development need the indexes of production, and status shows the setting")
  func withLOCALCLOUDSTRICTQueriesInDevelopmentNeed() throws {
    let cli = try Cli("alice")
    let strict = ["LOCALCLOUD_STRICT": "on"]
    #expect(try cli.json("status")["settings"]?["strict"]?["value"] == .null)
    let status = cli.run("status", "--json", variables: strict)
    #expect(
      try JSONValue(parsing: status.output)["settings"]?["strict"]
        == ["origin": "variable", "value": "on", "variable": "LOCALCLOUD_STRICT"])
    #expect(cli.run("status", variables: ["LOCALCLOUD_STRICT": "maybe"]).code == .usage)
    #expect(cli.run("record", "query", "None", as: "alice").code == .success)
    let missing = cli.run("record", "query", "None", as: "alice", variables: strict)
    #expect(missing.code != .success)
    #expect(missing.error.contains("Did not find record type: None"))
    try cli.expect("record", "save", "Note", "text=a", as: "alice")
    #expect(cli.run("record", "query", "Note", as: "alice").code == .success)
    let all = cli.run("record", "query", "Note", as: "alice", variables: strict)
    #expect(all.code != .success)
    #expect(all.error.contains("Field 'recordName' is not marked queryable"))
    #expect(cli.run("record", "query", "Note", "-f", "text == a", as: "alice", variables: strict).code == .success)
  }

  @Test("LOCALCLOUD_SYNC_DELAY is 0.1 s by default, may be 0, and is shown by status and env")
  func syncDelay() throws {
    let cli = try Cli("alice")
    func shown(_ variables: [String: String]) throws -> JSONValue? {
      try JSONValue(parsing: cli.run("status", "--json", variables: variables).output)["settings"]?["syncDelay"]
    }
    let name = "LOCALCLOUD_SYNC_DELAY"
    #expect(try shown([:]) == ["origin": "standard", "value": "0.1", "variable": .string(name)])
    #expect(try shown([name: ""])?["value"] == "0.1")
    #expect(try shown([name: "0"]) == ["origin": "variable", "value": "0", "variable": .string(name)])
    #expect(try shown([name: "2.5"])?["value"] == "2.5")
    #expect(cli.run("env", variables: [name: "2"]).output.contains("export \(name)='2'\n"))
    #expect(cli.run("env").output.contains(name) == false)
  }

  @Test func aDefaultDeviceIsItsAccounts() throws {
    let cli = try Cli("alice", "bob")
    let taken = cli.run("status", "--account", "bob", "--device", "alice-device")
    #expect(taken.code != .success)
    #expect(taken.error.contains("signed in to the account alice, not bob"))
    #expect(try cli.json("status", "--account", "alice", "--device", "alice-device")["settings"]?["device"] != nil)
    #expect(try cli.json("status", "--device", "alice-device")["settings"]?["account"]?["value"] == "alice")
    #expect(cli.run("status", "--account", "bob", "--device", String(repeating: "x", count: 256)).code != .success)
  }

  @Test func statusWithoutACloudShowsWhereItLooked() throws {
    let run = ToolRun(
      words: ["status"], environment: ["LOCALCLOUD_ROOT": "/nowhere/cloud", "LOCALCLOUD_CONTAINER": "iCloud.x"],
      registry: .standard)
    #expect(run.code == .noStore)
    #expect(run.output.contains("/nowhere/cloud  LOCALCLOUD_ROOT"))
    #expect(run.error.contains("localcloud init"))
  }

  @Test func environmentForAShell() throws {
    let run = ToolRun(
      words: ["env", "--account", "o'neill"], environment: ["LOCALCLOUD_ROOT": "/a b", "LOCALCLOUD_SEED": "$(x)"],
      registry: .standard)
    #expect(
      run.output == """
        export LOCALCLOUD_ROOT='/a b'
        export LOCALCLOUD_ACCOUNT='o'\\''neill'
        export LOCALCLOUD_SEED='$(x)'

        """)
  }

  @Test("env refuses an unknown account of the command line, and warns of an unknown account in the environment")
  func environmentOfNobody() throws {
    let cli = try Cli("alice")
    let refused = cli.run("env", "--account", "alcie")
    #expect(refused.code == .notFound)
    #expect(refused.output == "")
    #expect(refused.error.hasSuffix("hint: did you mean \"alice\"?\n"), "\(refused.error)")
    let warned = cli.run("env", as: "alcie")
    #expect(warned.code == .success)
    #expect(warned.output.contains("LOCALCLOUD_ACCOUNT='alcie'"))
    #expect(warned.error == "warning: There is no account alcie in this cloud.\n")
    #expect(cli.run("env", "--account", "alice").error == "")
  }

  @Test("the option -v prints the account, device, container, environment and cloud of a command")
  func optionVPrintsTheAccountDeviceContainer() throws {
    let cli = try Cli("alice")
    let words = ["zone", "list", "-v", "--environment", "production"]
    let location = "in iCloud.example.Commands, production, of the cloud \(cli.root)\n"
    #expect(cli.run(words, as: "alice").error == "acting as alice on alice-device, \(location)")
    #expect(cli.run(words + ["--json"], as: "alice").error == "acting as alice on alice-device, \(location)")
    #expect(cli.run(words + ["--database", "public"]).error == "acting as nobody, \(location)")
    #expect(cli.run(words.filter { $0 != "-v" }, as: "alice").error == "")
    #expect(cli.run("account", "list", "-v", as: "alice").error == "", "a command for all accounts acts as none")
  }

  @Test func pathsAreMadeWhole() throws {
    let run = ToolRun(words: ["env", "--root", "/a//b/./c/", "--json"], registry: .standard)
    #expect(try JSONValue(parsing: run.output)["LOCALCLOUD_ROOT"] == "/a/b/c")
  }

  @Test(arguments: [
    ["LOCALCLOUD_ENVIRONMENT": "x"], ["LOCALCLOUD_LOCK_TIMEOUT": "-1"], ["LOCALCLOUD_LOCK_TIMEOUT": "nan"],
    ["LOCALCLOUD_CLOCK": "2026-02-30T00:00:00Z"], ["LOCALCLOUD_SYNC_DELAY": "-0.1"],
    ["LOCALCLOUD_SYNC_DELAY": "86401"], ["LOCALCLOUD_SYNC_DELAY": "soon"],
  ])
  func badVariables(_ variables: [String: String]) throws {
    let run = ToolRun(words: ["status", "--json"], environment: variables, registry: .standard)
    #expect(run.code == .usage)
    let error = try JSONValue(parsing: run.error)["error"]
    #expect(error?["cause"] == "badSetting")
    #expect(error?["message"]?.string?.contains(variables.keys.first ?? "") == true)
  }

  @Test func deviceOfAnotherAccount() throws {
    let cli = try Cli("alice", "bob")
    try cli.expect("zone", "list", "--device", "phone", as: "alice")
    #expect(cli.run("zone", "list", "--account", "bob", "--device", "phone").code == .refused)
    #expect(cli.run("zone", "list", "--account", "nobody", "--device", "watch").code == .notFound)
    try cli.expect("zone", "list", "--account", "bob", "--device", "watch")
  }
}
