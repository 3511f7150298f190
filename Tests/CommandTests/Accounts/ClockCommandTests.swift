import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

@Suite("The command clock")
struct ClockCommandTests {
  private let cli: Cli
  /// Commands without a clock of their own.
  private static let variables = ["LOCALCLOUD_CLOCK": ""]

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  private func run(_ words: String..., as account: String? = nil) -> ToolRun {
    cli.run(words, as: account, variables: Self.variables)
  }

  private func clock() throws -> JSONValue? {
    try JSONValue(parsing: run("clock", "--json").output)["clock"]
  }

  /// The modification date of a new record.
  private func date(_ name: String, _ variables: [String: String] = Self.variables) throws -> String? {
    let saved = cli.run(["record", "save", "Note", "--name", name, "--zone", "Z"], as: "alice", variables: variables)
    #expect(saved.code == .success)
    let lines = cli.run("record", "get", name, "--zone", "Z", as: "alice").output.split(separator: "\n")
    return lines.first { $0.hasPrefix("  modified") }?.split(separator: " ").dropFirst().first.map(String.init)
  }

  @Test("set fixes the clock, step moves it, and records have its dates")
  func setAndStep() throws {
    #expect(try clock()?["state"] == "system")
    #expect(run("clock", "set", "2030-01-01T08:00:00Z").output == "fixed at 2030-01-01T08:00:00.000Z\n")
    #expect(try date("a") == "2030-01-01T08:00:00.000Z")
    #expect(run("clock", "step", "1h30m").output == "fixed at 2030-01-01T09:30:00.000Z\n")
    #expect(run("clock", "step", "+1.5").output == "fixed at 2030-01-01T09:30:01.500Z\n")
    #expect(run("clock", "step", "1d", "--back").output == "fixed at 2029-12-31T09:30:01.500Z\n")
    #expect(try clock() == ["state": "fixed", "time": "2029-12-31T09:30:01.500Z"])
    #expect(run("clock", "set", "2030-01-01T08:00:00Z", "--quiet").output == "")
    #expect(run("clock").output == "fixed at 2030-01-01T08:00:00.000Z\n")
    #expect(run("status", as: "alice").output.contains("the cloud's clock: fixed at 2030-01-01T08:00:00.000Z"))
    #expect(try JSONValue(parsing: run("status", "--json").output)["clock"]?["state"] == "fixed")
  }

  @Test("offset lets the clock run ahead of the machine's clock or behind it, and reset ends that")
  func offset() throws {
    #expect(run("clock", "offset", "+2h").output.hasPrefix("runs 2h ahead of the machine's clock: "))
    #expect(try clock()?["offset"]?.double == 7200)
    #expect(run("clock", "step", "30m").output.hasPrefix("runs 2h30m ahead of the machine's clock: "))
    #expect(run("clock", "offset", "90s", "--back").output.hasPrefix("runs 1m30s behind the machine's clock: "))
    #expect(try clock()?["offset"]?.double == -90)
    #expect(run("clock", "reset").output.hasPrefix("the machine's clock: "))
    #expect(try clock()?["offset"] == nil)
    #expect(run("clock", "step", "5m").output.hasPrefix("runs 5m ahead of the machine's clock: "))
    #expect(run("clock", "reset").code == .success)
    #expect(run("clock", "reset").code == .success)
    #expect(!run("status").output.contains("the cloud's clock"))
  }

  @Test("a process with LOCALCLOUD_CLOCK or --clock keeps its own time, and the command says so ([clock-5])")
  func ownClock() throws {
    #expect(cli.run("clock", "set", "2030-01-01T08:00:00Z").error.contains("precedence"))
    #expect(try date("a", [:]) == "2026-01-31T12:00:00.000Z")
    #expect(try date("b") == "2030-01-01T08:00:00.000Z")
    #expect(run("clock").error == "")
    #expect(run("clock", "--clock", "2020-01-01T00:00:00Z").error.contains("precedence"))
  }

  @Test("wrong times, durations and combinations are refused, and change nothing")
  func mistakes() throws {
    #expect(run("clock", "set", "2030-01-01T08:00:00Z").code == .success)
    for words in [
      ["set"], ["set", "tomorrow"], ["set", "2030-01-01T08:00:00"], ["set", "2030-02-30T08:00:00Z"],
      ["set", "2030-01-02T08:00:00Z", "--back"], ["step"], ["step", ""], ["step", "h"], ["step", "1x"],
      ["step", "1h30"], ["step", "1..5h"], ["step", ".5h"], ["step", "1e3"], ["step", "9999999999999w"],
      ["step", "--", "-30m"], ["offset"], ["offset", "soon"], ["reset", "1h"],
      ["reset", "--back"], ["stop"],
    ] {
      #expect(cli.run(["clock"] + words, variables: Self.variables).code == .usage, "\(words)")
    }
    #expect(run("clock", "step", "--", "-30m").error.contains("clock step 30m --back"))
    #expect(run("clock", "step", "9000000h", "--back").code == .success)
    #expect(run("clock", "step", "9000000h", "--back").code == .failure)
    #expect(run("clock", "step", "90000000h").code == .failure)
    #expect(run("clock", "step", "9000000h").output == "fixed at 2030-01-01T08:00:00.000Z\n")
  }

  @Test("a damaged setting is named, and reset removes it")
  func damage() throws {
    let root = try Directory.open(path: cli.root, in: FileSystem())
    try root.writeStaged("clock.json", Array("{}".utf8))
    let failed = run("clock")
    #expect(failed.code == .storage)
    #expect(failed.error.contains("clock.json"))
    #expect(run("clock", "step", "1h").code == .storage)
    #expect(run("check").code == .problemsFound)
    #expect(run("clock", "reset").code == .success)
    #expect(run("check").code == .success)
    #expect(try !root.exists("clock.json"))
  }

  @Test("reset all resets the clock, and says so")
  func resetAll() throws {
    #expect(run("clock", "set", "2030-01-01T08:00:00Z").code == .success)
    #expect(run("reset", "container", "--yes").code == .success)
    #expect(run("reset", "all", "--dry-run").output.contains("- the cloud's clock\n"))
    #expect(try clock()?["state"] == "fixed")
    #expect(run("reset", "all", "--yes").output.contains("- the cloud's clock\n"))
    #expect(try clock()?["state"] == "system")
  }
}
