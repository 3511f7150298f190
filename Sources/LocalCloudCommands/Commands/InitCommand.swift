import LocalCloudEmulator
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct InitCommand: Command {
  static let description = CommandDescription(
    "init", summary: "Make a new cloud",
    discussion: """
      The cloud is made in DIR, else where --root or LOCALCLOUD_ROOT says, else in the user data folder. The folder must \
      be empty or not there yet. The result is its path. People that the cloud has already stay as they are.
      """,
    examples: [
      .init("A cloud in the user data folder", "localcloud init"),
      .init("One with two people", "localcloud init ./cloud --people anna,ben"),
      .init("One for a test, and use it from now on", "export LOCALCLOUD_ROOT=\"$(localcloud init --quiet ./cloud)\""),
    ],
    exitCodes: [.failure, .notFound, .conflict, .refused, .schemaRefused, .storage])

  let folder = OptionalArgument<String>("dir", completes: .folder, help: "the folder")
  let ifMissing = Flag("if-missing", help: "be content with a cloud that is there already, or made by another process")
  let contents = CloudContents()

  var arguments: [any ArgumentDeclaration] { [folder] }
  var options: [any OptionDeclaration] { [ifMissing] + contents.options }

  func run(_ context: CommandContext) throws {
    let settings = try settings(context)
    let root = settings.root.value
    let isNew = try Self.makeCloud(settings, ifMissing: context[ifMissing])
    try contents.add(to: settings, context)
    let people = contents.names(context)
    var document: JSONObject = ["created": .bool(isNew), "root": .string(root)]
    if !people.isEmpty { document["accounts"] = .array(people.map(JSONValue.string)) }
    try context.writeResult(document, text: "\(root)")
    if context.output.settings.isQuiet { return }
    if settings.root.source == .option {
      context.output.hint("for the next commands: export LOCALCLOUD_ROOT=\(ShellText.quoted(root))")
    }
    if isNew, people.isEmpty { context.output.hint("add people with: localcloud account add NAME --email ADDRESS") }
  }

  /// Creates the cloud. Returns false if it exists already.
  static func makeCloud(_ settings: Settings, ifMissing: Bool) throws -> Bool {
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

  private func settings(_ context: CommandContext) throws -> Settings {
    guard let folder = context[folder] else { return try context.settings() }
    if context.isGiven(GlobalOptions.root) { throw CommandFailure.usage("give either <dir> or --root, not both") }
    return try context.settings(root: folder)
  }
}
