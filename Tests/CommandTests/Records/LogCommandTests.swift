import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStore
import Testing

@Suite("The command log")
struct LogCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  private func logged(_ words: String..., as account: String) {
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
    #expect(cli.run("log", "--follow", "--count").code == .usage)
    #expect(cli.run("log", "--root", cli.root + "-none").code == .noStore)
    logged("zone", "list", as: "alice")
    for words in [["log"], ["log", "--follow"]] {
      #expect(cli.run(words, failWith: SystemError.brokenPipe).code == .success)
    }
  }
}
