import LocalCloudEmulator
import LocalCloudService
import LocalCloudStore

package enum InitCommand: Command {
  package static let description = CommandDescription(
    "init", summary: "Make a new cloud",
    discussion: """
      The cloud is made in DIR, else where --root or LOCALCLOUD_ROOT says, else in the user data folder. The folder must \
      be empty or not there yet. The result is its path.
      """,
    examples: [
      .init("A cloud in the user data folder", "localcloud init"),
      .init("One for a test, and use it from now on", "export LOCALCLOUD_ROOT=\"$(localcloud init --quiet ./cloud)\""),
    ],
    arguments: [ArgumentDescription("dir", optional: true, help: "the folder")],
    options: [.flag("if-missing", help: "be content with a cloud that is there already, or made by another process")],
    exitCodes: [.failure, .storage])

  package static func run(_ context: CommandContext) throws {
    let settings = try settings(context)
    let root = settings.root.value
    let isNew = try make(settings, ifMissing: context.flag("if-missing"))
    try context.emit(["created": .bool(isNew), "root": .string(root)], text: "\(root)")
    if context.output.settings.isQuiet { return }
    if settings.root.source == .option {
      context.output.hint("for the next commands: export LOCALCLOUD_ROOT=\(ShellText.quoted(root))")
    }
    if isNew { context.output.hint("add people with: localcloud account add NAME --email ADDRESS") }
  }

  /// Creates the cloud. Returns false if it exists already.
  private static func make(_ settings: Settings, ifMissing: Bool) throws -> Bool {
    let root = settings.root.value
    if !Cloud.exists(at: root) {
      do {
        _ = try Session.createCloud(settings)
        return true
      } catch {
        // Another process may have created the cloud in the meantime.
        guard Cloud.exists(at: root) else { throw error }
      }
    }
    guard ifMissing else {
      throw CommandFailure(
        .failure, code: "alreadyThere", "there is a cloud in \(root) already",
        hint: "use it as it is, or add --if-missing",
        path: root)
    }
    try Session.openCloud(settings)
    return false
  }

  private static func settings(_ context: CommandContext) throws -> Settings {
    guard let folder = context.positional("dir") else { return try context.settings() }
    if context.string("root") != nil { throw CommandFailure.usage("give either <dir> or --root, not both") }
    return try context.settings(root: folder)
  }
}
