import LocalCloudEmulator
import LocalCloudPlatform

struct ExecCommand: Command {
  static let description = CommandDescription(
    "exec", summary: "Run a command with a cloud of its own",
    discussion: """
      Makes a cloud in a temporary folder, adds the people, and runs the command there: for it and all that it starts, \
      LOCALCLOUD_ROOT names the cloud, HOME is an empty folder, and LOCALCLOUD_HOMES holds a folder for each person. \
      "localcloud as NAME" in the command acts as a person. Settings of the environment do not reach the command; global \
      options do, such as --container.

      The command's streams are those of localcloud, and so is its exit code; it is 128 plus the number of the signal that \
      ended the command. Signals to localcloud reach the command and its group of processes, and what the command leaves \
      running in that group is ended. After success the folder is removed; otherwise it stays, and its path is printed to \
      standard error.

      With --root the cloud is the one in that folder, made if it is missing, and it always stays.
      """,
    examples: [
      .init("A test with two people", "localcloud exec --people anna,ben -- sh test.sh"),
      .init(
        "The same tree on each run",
        "localcloud exec --clock 2026-01-01T12:00:00Z --seed test --schema schema.ckdb -- swift test"),
    ],
    exitCodes: [.interrupted, .terminated, .wrapperFailed, .notExecutable, .commandNotFound])

  let command = ArgumentList<String>(
    "command", endsOptions: true, help: "the command with its arguments and options; it is found by PATH")
  let fresh = Flag("fresh", help: "a new cloud for the command; so it is without --root")
  let contents = CloudContents()
  let keep = Option<KeepPolicy>(
    "keep", "WHEN", .cases, help: "when the folder stays: always, on failure (so it is without the option) or never")

  var arguments: [any ArgumentDeclaration] { [command] }
  var options: [any OptionDeclaration] { [fresh] + contents.options + [keep] }

  func run(_ context: CommandContext) throws {
    if context[fresh], context.isGiven(GlobalOptions.root) {
      throw CommandFailure.usage("--fresh and --root cannot be given together")
    }
    let status: Int32
    do { status = try runCommand(context) } catch { throw CommandFailure(wrapping: error) }
    if status != 0 { throw SilentExit(ExitCode(rawValue: status)) }
  }

  private func runCommand(_ context: CommandContext) throws -> Int32 {
    // A cloud that stays may be locked: a signal then ends the wait, because nothing has to be removed yet.
    let existing = try context[GlobalOptions.root].map { try openCloud(at: $0, context) }
    let group = try ProcessGroup()
    return try withExtendedLifetime(group) {
      let folder = try Directory.makeTemporary()
      let result = Result<Int32, any Error> {
        let settings = try existing ?? openCloud(at: folder.path(of: "cloud"), context)
        let (home, homes) = (folder.path(of: "home"), folder.path(of: "people"))
        for path in [home, homes] { try Directory.make(path: path, in: FileSystem()) }
        for name in contents.names(context) { try CommandVariables.makeHome(of: name, in: homes) }
        return try group.run(context[command], CommandVariables(isolated: settings, home: home, homes: homes))
      }
      finish(folder, status: try? result.get(), context)
      return try result.get()
    }
  }

  /// Opens the cloud, and makes it if it is missing.
  private func openCloud(at root: String, _ context: CommandContext) throws -> Settings {
    let settings = try context.settings(root: root, isolated: true)
    _ = try InitCommand.makeCloud(settings, ifMissing: true)
    try contents.add(to: settings, context)
    if let name = settings.account.value { try context.checkAccount(name, settings) }
    return settings
  }

  /// - Parameter status: nil after an error. A signal before the command's start counts as its status.
  private func finish(_ folder: Directory, status: Int32?, _ context: CommandContext) {
    let stays =
      switch context[keep] ?? .failure {
      case .always: true
      case .failure: status.map { $0 != 0 } ?? false
      case .never: false
      }
    guard stays else { return context.removeTemporary(folder) }
    if context.isGiven(GlobalOptions.root) {
      context.output.say("\("localcloud:", .bold) the home folders are kept in \(folder.path)")
    } else {
      context.output.say("\("localcloud:", .bold) the cloud is kept in \(folder.path(of: "cloud"))")
    }
  }
}

/// When `exec` keeps its temporary folder.
enum KeepPolicy: String, CaseIterable, Sendable {
  case always, failure, never
}
