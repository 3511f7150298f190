import FaultInjection
import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Commands that wait go on in a restored cloud", .timeLimit(.minutes(5)))
struct SnapshotWaitTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
    try save("milk", 3)
  }

  private func save(_ name: String, _ quantity: Int) throws { try Self.save(name, quantity, cli) }

  private static func save(_ name: String, _ quantity: Int, _ cli: Cli) throws {
    try cli.expect(
      "record", "save", "Note", "--name", name, "-z", "Notes", "--policy", "all", "quantity:int64=\(quantity)",
      as: "alice")
  }

  private static func restore(_ cli: Cli) throws { try cli.expect("snapshot", "restore", "before", "--yes") }

  /// Runs a command that waits. After its first message that begins with `message` it watches the cloud: then `action`
  /// runs on its thread.
  private func run(
    _ words: [String], as account: String = "alice", on message: String = "waiting:",
    _ action: @escaping @Sendable (Cli) throws -> Void = { try SnapshotWaitTests.restore($0) }
  ) throws -> ToolRun {
    let state = ThreadCondition<(hasRun: Bool, failure: String)>((false, ""))
    let run = cli.run(
      words, as: account,
      onMessage: { [cli] text in
        let isFirst = state.change { state in
          if state.hasRun || !text.hasPrefix(message) { return false }
          state.hasRun = true
          return true
        }
        if !isFirst { return }
        do { try action(cli) } catch { state.change { $0.failure = "\(error)" } }
      })
    let (hasRun, failure) = state.change { ($0.hasRun, $0.failure) }
    #expect(hasRun, "\(words)")
    #expect(failure == "")
    return run
  }

  @Test("a wait for a record or a zone ends in the restored state, and says that it is another")
  func records() throws {
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    try save("tea", 1)
    let changed = try run(["wait", "record", "milk", "-z", "Notes", "--until", "quantity == 3", "--timeout", "60"])
    #expect(changed.code == .success, "\(changed.error)")
    #expect(changed.output.contains("quantity:int64  3"))
    #expect(changed.error.contains("another cloud is here now"))

    try save("tea", 1)
    let deleted = try run(["wait", "record", "tea", "-z", "Notes", "--deleted", "--timeout", "60"])
    #expect(deleted.output == "there is no record tea\n")
    try save("tea", 1)
    let counted = try run(["wait", "count", "Note", "-z", "Notes", "--is", "1", "--timeout", "60"])
    #expect(counted.output == "1\n")
    try cli.expect("zone", "delete", "Notes", "--yes", as: "alice")
    #expect(try run(["wait", "zone", "Notes", "--timeout", "60"]).output == "Notes\n")
    #expect(try run(["wait", "quiet", "--for", "0.01", "--timeout", "60"]).code == .success)

    // A change after the restore.
    let later = try run(["wait", "record", "milk", "-z", "Notes", "--until", "quantity == 7", "--timeout", "60"]) {
      cli in
      try Self.restore(cli)
      try Self.save("milk", 7, cli)
    }
    #expect(later.code == .success, "\(later.error)")
  }

  @Test("a wait for a participant ends in the restored state")
  func share() throws {
    let link = try cli.expect("share", "create", "milk", "-z", "Notes", "--with", "bob", as: "alice").output.dropLast()
    try cli.expect("snapshot", "save", "before")
    for words in [["milk", "-z", "Notes"], [String(link)]] {
      try cli.expect("share", "remove", "milk", "-z", "Notes", "--participant", "bob", "--yes", as: "alice")
      let found = try run(["wait", "share"] + words + ["--participant", "bob@example.com", "--timeout", "60"])
      #expect(found.code == .success, "\(found.error)")
    }
  }

  @Test(
    "a push that comes after the restore is found, though its sequence was used before",
    arguments: [["wait", "push"], ["push", "watch", "--count", "1"]])
  func pushes(command: [String]) throws {
    try cli.expect("subscription", "create", "zone", "notes", "--zone", "Notes", as: "alice")
    try cli.expect("status", "--device", "phone", as: "alice")
    try save("milk", 4)
    try cli.expect("snapshot", "save", "before")
    try save("tea", 1)
    let words = command + ["--device", "phone", "--timeout", "60", "--format", "tsv"]
    let found = try run(words, on: command[0] == "wait" ? "waiting:" : "watching") { cli in
      try Self.restore(cli)
      try Self.save("coffee", 1, cli)
    }
    #expect(found.code == .success, "\(found.error)")
    #expect(found.output.contains("notes"))
    #expect(found.output.split(separator: "\n").count == 1, "\(found.output)")
  }

  @Test("watch shows all of a zone that has another history")
  func watchedZone() throws {
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    let watched = try run(["watch", "Notes", "--count", "1"], on: "watching")
    #expect(watched.code == .success, "\(watched.error)")
    #expect(watched.output.contains("  saved  private  Notes  milk  Note"))
    #expect(watched.error.contains("another cloud is here now"))
  }

  @Test("watch shows the zones that the restored database does not have", arguments: [[], ["--all"]])
  func watchedDatabases(options: [String]) throws {
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    try cli.expect("zone", "save", "Later", as: "alice")
    let watched = try run(["watch", "--count", "2"] + options, on: "watching")
    #expect(watched.code == .success, "\(watched.error)")
    #expect(watched.output.contains("zone deleted"), "\(watched.output)")
    #expect(watched.output.contains("milk"), "\(watched.output)")
  }

  @Test("watch goes on from its token where nothing has changed since the snapshot")
  func watchSameHistory() throws {
    try cli.expect("snapshot", "save", "before")
    let watched = try run(["watch", "Notes", "--count", "1"], on: "watching") { cli in
      try Self.restore(cli)
      try Self.save("tea", 1, cli)
    }
    #expect(watched.code == .success, "\(watched.error)")
    #expect(watched.output.contains("  saved  private  Notes  tea  Note"))
    #expect(!watched.output.contains("milk"))
  }

  @Test("an account that the restored cloud does not have ends a wait")
  func missingAccount() throws {
    try cli.expect("snapshot", "save", "before")
    try cli.expect("account", "add", "carol")
    let ended = try run(["wait", "zone", "Notes", "--timeout", "60"], as: "carol")
    #expect(ended.code == .notFound)
    #expect(ended.error.contains("carol"))
  }

  @Test("a wait goes on in a cloud that was made at the same path, and ends when there is none")
  func replacedCloud() throws {
    let made = try run(["wait", "zone", "Later", "--timeout", "60"]) { cli in
      try ScratchFolder.remove(cli.root)
      try cli.expect("init", cli.root)
      try cli.expect("account", "add", "alice")
      try cli.expect("zone", "save", "Later", as: "alice")
    }
    #expect(made.code == .success, "\(made.error)")
    #expect(made.output == "Later\n")
    let removed = try run(["wait", "zone", "None", "--timeout", "60"]) { try ScratchFolder.remove($0.root) }
    #expect(removed.code == .noStore, "\(removed.error)")
  }
}
