import FaultInjection
import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// The tool with all its commands, on a cloud of its own with a fixed clock and seeded identifiers. Commands run within
/// the test's process. The folder is deleted with the last reference.
final class Cli: Sendable {
  let root = ScratchFolder.newPath("commands")

  /// Creates the cloud and the accounts. An account's address is NAME@example.com.
  init(_ accounts: String...) throws {
    try expect("init", root, code: .success)
    for name in accounts {
      try expect("account", "add", name, "--email", "\(name)@example.com", code: .success)
    }
  }

  deinit { try? ScratchFolder.remove(root) }

  /// Runs a command. With `answers` it runs at a terminal, where a user types them. With `failWith` standard output
  /// fails with this code: ``SystemError/brokenPipe`` is a reader that has closed it. `whenWritten` is called after
  /// each write to standard output, and `onMessage` with each text on standard error.
  func run(
    _ words: [String], as account: String? = nil, input: String = "", answers: [TerminalLine]? = nil,
    variables: [String: String] = [:], failWith code: Int32? = nil, whenWritten: @escaping @Sendable () -> Void = {},
    onMessage: @escaping @Sendable (String) -> Void = { _ in }
  ) -> ToolRun {
    var environment = [
      "LOCALCLOUD_CLOCK": "2026-01-31T12:00:00Z", "LOCALCLOUD_CONTAINER": "iCloud.example.Commands",
      "LOCALCLOUD_ROOT": root, "LOCALCLOUD_SEED": "commands",
    ]
    environment["LOCALCLOUD_ACCOUNT"] = account
    environment.merge(variables) { _, new in new }
    return ToolRun(
      words: words, environment: environment, input: input, answers: answers ?? [], isTerminal: answers != nil,
      failWith: code, whenWritten: whenWritten, registry: .standard, onMessage: onMessage)
  }

  func run(_ words: String..., as account: String? = nil, variables: [String: String] = [:]) -> ToolRun {
    run(words, as: account, variables: variables)
  }

  struct Unexpected: Error, CustomStringConvertible {
    var description: String
  }

  /// Runs a command and returns its result. Throws if the exit code is not `code`.
  @discardableResult
  func expect(
    _ words: String..., as account: String? = nil, input: String = "", code: ExitCode = .success
  ) throws -> ToolRun {
    try expect(words, as: account, input: input, code: code)
  }

  @discardableResult
  func expect(
    _ words: [String], as account: String? = nil, input: String = "", code: ExitCode = .success
  ) throws -> ToolRun {
    let run = run(words, as: account, input: input)
    guard run.code == code else {
      throw Unexpected(
        description: "\(words.joined(separator: " ")) ended with \(run.code.rawValue)\n\(run.output)\(run.error)")
    }
    return run
  }

  /// Saves a note of alice's in a zone, whether it exists or not.
  func saveNote(_ name: String, _ fields: [String], zone: String = "Notes") throws {
    try expect(["record", "save", "Note", "--name=\(name)", "-z", zone, "--policy", "all"] + fields, as: "alice")
  }

  /// Runs a command with `--json` and returns its document.
  func json(_ words: String..., as account: String? = nil) throws -> JSONValue {
    let run = run(words + ["--json"], as: account)
    guard run.code == .success else { throw Unexpected(description: run.error) }
    return try JSONValue(parsing: run.output)
  }

  /// The error that a failing command prints with `--json`.
  func error(_ words: String..., as account: String? = nil, variables: [String: String] = [:]) throws -> JSONValue? {
    try JSONValue(parsing: run(words + ["--json"], as: account, variables: variables).error)["error"]
  }
}
