import LocalCloudCommands
import LocalCloudStore
import Testing

@Suite("Listings for scripts: tab-separated values, and names that are not cut")
struct TabSeparatedTests {
  private let cli: Cli
  private let long = String(repeating: "name", count: 30)

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", long, "n:int64=1", as: "alice")
  }

  private func lines(_ words: String...) throws -> [[String]] {
    let run = cli.run(words + ["--format", "tsv"], as: "alice")
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return run.output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("every line of a listing has as many cells as the line of titles")
  func cells() throws {
    try cli.expect("subscription", "create", "zone", "s", "--zone", "Z", as: "alice")
    try cli.expect("snapshot", "save", "before")
    let listings = [
      ["status"], ["account", "list"], ["device", "list"], ["zone", "list"], ["record", "list", "-z", "Z"],
      ["record", "list", "T", "-z", "Z"], ["record", "query", "T", "-z", "Z"], ["record", "get", long, "-z", "Z"],
      ["subscription", "list"], ["push", "list"], ["changes"], ["snapshot", "list"], ["snapshot", "show", "before"],
    ]
    for words in listings {
      let run = cli.run(words + ["--format", "tsv"], as: "alice")
      #expect(run.code == .success, "\(words): \(run.error)")
      let counts = run.output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        .map(\.count)
      #expect((counts.first ?? 0) > 1, "\(words)")
      #expect(Set(counts).count == 1, "\(words): \(run.output)")
    }
  }

  @Test("status and share show have a table for scripts")
  func singleResults() throws {
    let status = try lines("status")
    #expect(status[0] == ["setting", "value", "from"])
    #expect(status.contains { $0[0] == "root" && $0[1] == cli.root })
    try cli.expect("share", "create", long, "-z", "Z", "--with", "bob", as: "alice")
    let people = try lines("share", "show", long, "-z", "Z")
    #expect(people[0] == ["participant", "role", "status", "permission", "address"])
    #expect(people.dropFirst().map { $0[0] } == ["alice", "bob"])
  }

  @Test("push watch prints a line of cells for each push")
  func events() throws {
    try cli.expect("status", "--device", "phone", as: "alice")
    try cli.expect("subscription", "create", "zone", "notes", "--zone", "Z", "--alert", "New", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "a", as: "alice")
    let pushes = try lines("push", "watch", "--since", "0", "--count", "1", "--device", "phone")
    #expect(pushes == [["1", "2026-01-31T12:00:00.000Z", "notes", "private zone", "changed", "Z", "New"]])
  }

  @Test("names are whole in tables and in errors if standard output is no terminal")
  func wholeNames() throws {
    #expect(try cli.expect("record", "list", "-z", "Z", as: "alice").output.contains(long))
    #expect(cli.run(["record", "list", "-z", "Z"], as: "alice", answers: []).output.contains("…"))
    let missing = cli.run("record", "get", "\(long)1", "\(long)2", "-z", "Z", as: "alice")
    #expect(missing.error.contains("\(long)1: "))
    #expect(missing.error.contains("\(long)2: "))
  }
}
