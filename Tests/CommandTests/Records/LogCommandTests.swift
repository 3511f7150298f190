import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The command log")
struct LogCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  private func logged(_ words: String..., as account: String) { logged(words, as: account) }

  private func logged(_ words: [String], as account: String) {
    _ = cli.run(words, as: account, variables: ["LOCALCLOUD_LOG": "on"])
  }

  private func lines(_ words: String...) throws -> [[String]] {
    let run = cli.run(["log"] + words + ["--format", "tsv"])
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return run.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("a line has who, what and where, and the refusals of single items")
  func lineOfARequest() throws {
    logged("record", "save", "T", "-z", "Z", "-n", "a", as: "alice")
    logged("record", "get", "a", "x", "-z", "Z", as: "alice")
    let saves = try lines("--request", "modifyRecords")
    #expect(saves.count == 1)
    var cells = try #require(saves.first)
    cells.remove(at: 7)
    #expect(
      cells == [
        "2026-01-31T12:00:00.000Z", "alice", "alice-device", "localcloud record save", "modifyRecords", "private",
        "Z/a", "ok",
      ])
    let refused = try lines("--failed")
    #expect(refused.map(\.last) == ["Z/x: unknownItem: Record not found: 'x'"])
    let titles = cli.run("log", "--format", "tsv").output.split(separator: "\n").first
    #expect(titles == "time\taccount\tdevice\tby\trequest\tdatabase\titems\tms\toutcome")
  }

  @Test("filters select requests by account, container, time and kind; the account of the environment is no filter")
  func filters() throws {
    logged("zone", "list", as: "alice")
    logged("zone", "list", "--container", "iCloud.example.Other", as: "bob")
    let all = try lines().count
    #expect(all >= 2)
    #expect(try lines("--account", "bob").allSatisfy { $0[1] == "bob" })
    #expect(
      try lines("--account", "bob").count + lines("--account", "alice").count + lines("--account", "").count == all)
    #expect(try lines("--container", "iCloud.example.Other", "--request", "fetchZones").count == 1)
    #expect(try lines("--since", "2026-01-31T12:00:00Z").count == all)
    #expect(try lines("--since", "2026-01-31T12:00:01Z") == [])
    #expect(try cli.expect("log", "--count", as: "alice").output == "\(all)\n")
    #expect(try cli.json("log", "--account", "bob")["requests"]?.array?.isEmpty == false)
  }

  @Test("filters select requests by zone, record, program, process, group and error")
  func filtersByNames() throws {
    try cli.expect("zone", "save", "Y", as: "alice")
    logged("record", "save", "T", "-z", "Z", "-n", "a", as: "alice")
    logged("record", "save", "T", "-z", "Y", "-n", "a", as: "alice")
    logged("record", "get", "x", "-z", "Y", as: "alice")
    logged("record", "get", "x", "-z", "None", as: "alice")
    let items = { (words: [String]) in
      let requests = try JSONValue(parsing: cli.run(["log", "--json"] + words).output)["requests"]?.array ?? []
      return requests.compactMap { $0["items"]?.array?.first }.compactMap { item in
        item["recordName"]?.string.map { "\(item["zoneID"]?["zoneName"]?.string ?? "")/\($0)" }
      }
    }
    #expect(try items(["--zone", "Y"]) == ["Y/a", "Y/x"])
    #expect(try items(["--record", "a"]) == ["Z/a", "Y/a"])
    #expect(try items(["--zone", "Y", "--record", "a"]) == ["Y/a"])
    #expect(try items(["--error", "unknownItem"]) == ["Y/x"])
    #expect(try items(["--error", "zoneNotFound"]) == ["None/x"])
    #expect(try items(["--operation", "modifyRecords"]) == ["Z/a", "Y/a"])
    #expect(try items(["--program", "localcloud record save"]) == ["Z/a", "Y/a"])
    let all = try lines().count
    #expect(try lines("--program", HostProcess.programName).count == all)
    #expect(try lines("--process", "\(HostProcess.identifier)").count == all)
    #expect(try lines("--process", "1") == [])
    #expect(try lines("--group", "import") == [])
  }

  @Test("a filter reads lines of earlier versions, and lines whose members have other types")
  func foreignLines() throws {
    let folder = try Directory.open(path: cli.root, in: FileSystem())
    let lines = [
      #"{"items":[{"recordName":"old","zoneID":{"zoneName":"Old"}}],"request":"fetchRecords"}"#,
      #"{"error":7,"fault":[],"group":"import","items":{"a":1},"itemsOmitted":"x","process":"1","time":3,"zones":"Old"}"#,
      #"{"group":{"name":"import"},"fault":"ab,cd","time":"2026-01-31T12:00:00Z","zones":["Old"]}"#, "[]", "null", "{",
    ]
    try folder.writeStaged("requests.jsonl", Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(try self.lines().count == 3)
    #expect(try self.lines("--zone", "Old").count == 2)
    #expect(try self.lines("--record", "old").count == 1)
    #expect(try self.lines("--group", "import").count == 1)
    #expect(try self.lines("--fault", "cd").count == 1)
    #expect(try self.lines("--fault", "ab,cd") == [])
    #expect(try self.lines("--fault", "c") == [])
    #expect(try self.lines("--until", "2026-01-31T12:00:00Z").count == 1)
    #expect(try self.lines("--until", "2026-01-31T11:59:59Z") == [])
    #expect(try self.lines("--failed").count == 1)
  }

  @Test("the last requests are those that the filters select, in their order")
  func last() throws {
    for name in ["a", "b", "c", "d", "e"] { logged("record", "save", "T", "-z", "Z", "-n", name, as: "alice") }
    logged("zone", "list", as: "bob")
    let names = { (count: String) in
      try lines("--request", "modifyRecords", "--last", count).map { $0[6] }
    }
    #expect(try names("1") == ["Z/e"])
    #expect(try names("2") == ["Z/d", "Z/e"])
    #expect(try names("9") == ["Z/a", "Z/b", "Z/c", "Z/d", "Z/e"])
  }

  @Test("a line of a large request says how many items it leaves out")
  func omittedItems() throws {
    logged(["record", "get"] + (10..<35).map { "n\($0)" } + ["-z", "Z"], as: "alice")
    let cells = try #require(lines("--request", "fetchRecords").first)
    #expect(cells[6].hasPrefix("Z/n10, Z/n11, "))
    #expect(cells[6].hasSuffix(", Z/n29, and 5 more"))
  }

  @Test("without a log there is no request, and a hint how to get one")
  func missingLog() throws {
    let run = try cli.expect("log")
    #expect(run.output == "")
    #expect(run.error.contains("LOCALCLOUD_LOG=on"))
    #expect(try cli.expect("log", "--count").output == "0\n")
  }

  @Test("wrong usage, no cloud, and a closed standard output")
  func refusals() {
    #expect(cli.run("log", "--request", "nothing").code == .usage)
    #expect(cli.run("log", "--since", "soon").code == .usage)
    let wrong = [
      ["--follow", "--count"], ["--follow", "--until", "2026-01-31T12:00:00Z"], ["--last", "0"], ["--last", "-1"],
      ["--last", "2", "--count"], ["--error", "nothing"], ["--process", "x"], ["--until", "soon"],
    ]
    for words in wrong { #expect(cli.run(["log"] + words).code == .usage, "\(words)") }
    #expect(cli.run("log", "--root", cli.root + "-none").code == .noStore)
    logged("zone", "list", as: "alice")
    for words in [["log"], ["log", "--follow"]] {
      #expect(cli.run(words, failWith: SystemError.brokenPipe).code == .success)
    }
  }
}
