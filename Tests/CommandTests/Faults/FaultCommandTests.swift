import FaultInjection
import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The commands fault and push release")
struct FaultCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  private func save(_ name: String) -> ToolRun {
    cli.run("record", "save", "Note", "text=a", "--name", name, "--zone", "Z", as: "alice")
  }

  @Test("a rule is added, fires, is listed with its counts, and is removed")
  func lifeOfARule() throws {
    let added = try cli.expect(
      "fault", "add", "--operation", "modifyRecords", "--error", "zoneBusy", "--retry-after", "2", "--after", "1",
      "--times", "1")
    let id = String(added.output.dropLast())
    #expect(added.output == id + "\n" && id.utf8.count == 8)
    #expect(save("a").code == .success)
    let refused = try cli.error("record", "save", "Note", "text=a", "--name", "b", "--zone", "Z", as: "alice")
    #expect(refused?["code"] == "zoneBusy")
    #expect(refused?["retryAfter"]?.double == 2)
    #expect(refused?["hint"]?.string?.contains("`localcloud fault remove \(id)`") == true)
    #expect(save("b").code == .success)
    let faults = try cli.json("fault", "list")["faults"]
    #expect(faults?.array?.count == 1)
    let listed = faults?.array?.first
    #expect(listed?["id"]?.string == id)
    #expect(listed?["fired"] == 1)
    #expect(listed?["matched"] == 2)
    #expect(
      listed?["rule"] == [
        "after": 1, "error": "zoneBusy", "operation": "modifyRecords", "retryAfter": .double(2), "times": 1,
      ])
    #expect(cli.run("fault", "remove", "none").code == .notFound)
    #expect(cli.run("fault", "remove", id).output == "removed: \(id)\n")
    #expect(try cli.json("fault", "list")["faults"] == [])
  }

  @Test("the options of the account, the device and the database are conditions of the rule")
  func conditions() throws {
    let words = [
      "fault", "add", "--lost-reply", "after", "--account", "bob", "--device", "phone", "--container", "iCloud.other",
      "--environment", "production", "--database", "shared", "--zone", "Y", "--record", "r", "--type", "T",
      "--probability", "0.5", "--probability-seed", "3",
    ]
    let document = try JSONValue(parsing: cli.run(words + ["--json"], as: "alice").output)
    #expect(
      document["faults"]?.array?.first?["rule"] == [
        "account": "bob", "containerIdentifier": "iCloud.other", "database": "shared", "device": "phone",
        "environment": "production", "lostReply": "after", "probability": .double(0.5), "recordName": "r",
        "recordType": "T", "seed": 3, "zoneName": "Y",
      ])
    // The variable of the account is no condition.
    let plain = try JSONValue(parsing: cli.run(["fault", "add", "--latency", "1", "--json"], as: "alice").output)
    #expect(plain["faults"]?.array?.first?["rule"] == ["latency": .double(1)])
    #expect(cli.run("fault", "clear").output == "removed 2 fault rules\n")
  }

  @Test("the rules of a file are added together, or none of them")
  func file() throws {
    let folder = try TemporaryFolder("rules")
    func run(_ text: String) throws -> ToolRun {
      cli.run(["fault", "add", "--file", "-"], input: text)
    }
    let good = #"[{"error": "zoneBusy", "operation": "modifyZones"}, {"pushes": "lost", "account": "bob"}]"#
    #expect(try run(good).output.split(separator: "\n").count == 2)
    #expect(cli.run("zone", "save", "Y", as: "alice").code == .tryLater)
    try cli.expect("fault", "clear")
    let many = "[" + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]"
    for text in [
      "", "{}", "7", "[7]", "[{}]", #"[{"latency": 1}, {"latency": -1}]"#, #"[{"latency": 1, "x": 1}]"#, many,
    ] {
      #expect(try run(text).code == .usage, "\(text.prefix(40))")
    }
    #expect(try run(#"[{"latency": 1}, {"latency": -1}]"#).error.contains("rule 2"))
    #expect(try cli.json("fault", "list")["faults"] == [])
    #expect(cli.run("fault", "add", "--file", folder.path + "/none").code != .success)
    #expect(cli.run(["fault", "add", "--file", "-", "--times", "1"], input: good).code == .usage)
    #expect(cli.run(["fault", "add", "--file", "-", "--account", "bob"], input: good).code == .usage)
  }

  @Test("options that make no rule are refused")
  func mistakes() throws {
    for words in [
      [], ["--error", "none"], ["--error", "zoneBusy", "--latency", "1"], ["--latency", "0"], ["--latency", "-1"],
      ["--latency", "1", "--retry-after", "1"], ["--error", "zoneBusy", "--times", "0"], ["--after", "1"],
      ["--error", "zoneBusy", "--probability", "2"], ["--error", "zoneBusy", "--operation", "administration"],
      ["--push", "late"], ["--push", "lost", "--operation", "modifyRecords"], ["--error", "partialFailure"],
      ["--item-error", "zoneBusy", "--operation", "queryRecords"], ["--error", "zoneBusy", "--probability-seed", "1"],
    ] {
      #expect(cli.run(["fault", "add"] + words).code == .usage, "\(words)")
    }
    #expect(cli.run("fault", "remove").code == .usage)
    #expect(cli.run("fault", "clear").output == "removed 0 fault rules\n")
  }

  @Test("rules that can't be read are named by a failing command, and cleared")
  func unreadableRules() throws {
    let folder = try Directory.open(path: cli.root, in: FileSystem())
    try folder.writeStaged("faults.json", Array("{".utf8))
    let refused = try cli.error("zone", "list", as: "alice")
    #expect(refused?["path"]?.string == cli.root + "/faults.json")
    #expect(refused?["hint"]?.string?.contains("`localcloud fault clear`") == true)
    #expect(cli.run("fault", "list").code != .success)
    #expect(cli.run("fault", "clear").output.contains("could not be read"))
    #expect(cli.run("zone", "list", as: "alice").code == .success)
  }

  @Test("the log of requests names the rule that fired")
  func log() throws {
    let id = String(try cli.expect("fault", "add", "--error", "zoneBusy", "--zone", "Z").output.dropLast())
    let run = cli.run(
      ["record", "get", "n", "--zone", "Z"], as: "alice", variables: ["LOCALCLOUD_LOG": "on"])
    #expect(run.code == .tryLater)
    let requests = try cli.json("log", "--failed")["requests"]?.array
    #expect(requests?.last?["fault"]?.string == id)
    #expect(requests?.last?["error"]?["ckErrorCode"] == 23)
    #expect(try cli.json("log", "--fault", id)["requests"]?.array?.count == 1)
    #expect(try cli.json("log", "--fault", "none")["requests"] == [])
    #expect(cli.run("log", "--fault", id).output.contains("(fault \(id))"))
  }

  @Test("a late push waits for its time by the cloud's clock, or for push release")
  func release() throws {
    try cli.expect("status", "--device", "phone", as: "alice")
    try cli.expect("subscription", "create", "zone", "z", "--zone", "Z", as: "alice")
    try cli.expect("fault", "add", "--late-pushes", "60", "--device", "phone")
    #expect(save("a").code == .success)
    func pushes(_ options: String...) -> JSONValue? {
      let run = cli.run(["push", "list", "--device", "phone", "--json"] + options, as: "alice")
      return (try? JSONValue(parsing: run.output))?["pushes"]
    }
    #expect(pushes()?.array?.count == 0)
    #expect(pushes("--clock", "2026-01-31T12:01:00Z")?.array?.count == 1)
    #expect(save("b").code == .success)
    #expect(pushes()?.array?.count == 1)
    #expect(cli.run("push", "release", "--device", "phone", as: "alice").output == "delivered 1 push\n")
    #expect(pushes()?.array?.count == 2)
    #expect(cli.run("push", "release", "--device", "phone", as: "alice").output == "delivered 0 pushes\n")
  }

  @Test("a reset of the cloud removes the rules, and says so")
  func reset() throws {
    try cli.expect("fault", "add", "--latency", "1")
    let run = cli.run("reset", "all", "--yes")
    #expect(run.output.contains("1 fault rule"))
    #expect(try cli.json("fault", "list")["faults"] == [])
  }
}
