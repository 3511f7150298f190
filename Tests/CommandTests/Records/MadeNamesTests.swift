import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStore
import Testing

@Suite("The names that --quiet prints")
struct MadeNamesTests {
  private let cli: Cli

  init() throws { cli = try Cli("alice") }

  private func output(_ words: String...) throws -> String {
    let run = cli.run(words + ["-q"], as: "alice")
    guard run.code == .success, run.error.isEmpty else { throw Cli.Unexpected(description: run.error) }
    return run.output
  }

  @Test("--quiet prints the name of what a command made, and nothing else")
  func namesOfWhatWasMade() throws {
    #expect(try output("account", "add", "bob") == "bob\n")
    #expect(try output("zone", "save", "A", "B") == "A\nB\n")
    #expect(try output("record", "save", "T", "-z", "A", "-n", "r", "n:int64=1") == "r\n")
    let name = try output("record", "save", "T", "-z", "A")
    #expect(name.count == 37)
    #expect(try cli.expect("record", "get", String(name.dropLast()), "-z", "A", as: "alice").output.contains("T "))
    #expect(try output("subscription", "create", "zone", "s", "--zone", "A") == "s\n")
    #expect(try output("share", "create", "r", "-z", "A").hasPrefix("https://"))
    #expect(try output("snapshot", "save", "before") == "before\n")
  }

  @Test("a command that makes nothing stays silent with --quiet")
  func silence() throws {
    _ = try output("zone", "save", "A")
    _ = try output("record", "save", "T", "-z", "A", "-n", "r")
    #expect(try output("record", "update", "r", "-z", "A", "n:int64=2") == "")
    #expect(try output("record", "delete", "r", "-z", "A") == "")
    #expect(try output("subscription", "create", "zone", "s", "--zone", "A", "--json").hasPrefix("{"))
  }

  @Test("no name is printed for what was refused, and a closed standard output is no error")
  func refusals() throws {
    _ = try output("zone", "save", "A")
    let run = cli.run("record", "save", "T", "-z", "B", "-n", "r", "-q", as: "alice")
    #expect(run.code == .notFound)
    #expect(run.output == "")
    let words = ["record", "save", "T", "-z", "A", "-n", "r", "-q"]
    #expect(cli.run(words, as: "alice", failWith: SystemError.brokenPipe).code == .success)
    #expect(cli.run("record", "get", "r", "-z", "A", as: "alice").code == .success)
  }
}
