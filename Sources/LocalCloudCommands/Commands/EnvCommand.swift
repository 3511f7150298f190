import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct EnvCommand: Command {
  static let description = CommandDescription(
    "env", summary: "Print the settings as variables for a shell",
    discussion: """
      Prints an export line for each setting that is not a default, and always the root. Programs that are started \
      with these variables use the same cloud, account and container.
      """,
    examples: [
      .init("Become alice in this terminal", "eval \"$(localcloud env --account alice)\""),
      .init("One value", "localcloud env --json | jq -r .LOCALCLOUD_ROOT"),
    ],
    exitCodes: [.notFound])

  func run(_ context: CommandContext) throws {
    var document = JSONObject()
    var text = StyledText()
    let settings = try context.settings()
    try checkAccount(settings, context)
    for entry in settings.entries where entry.variable == .root || entry.source != .standard {
      guard let value = entry.text else { continue }
      document[entry.variable.rawValue] = .string(value)
      text.append(trusted: "export \(entry.variable.rawValue)=\(ShellText.quoted(value))\n")
    }
    try context.writeResult(document, text: text)
  }

  /// Refuses a nonexistent account of the command line, since the shell would act as it from then on. A nonexistent
  /// account of the environment gets a warning. Without a cloud there is no check.
  private func checkAccount(_ settings: Settings, _ context: CommandContext) throws {
    guard let name = settings.account.value, Cloud.exists(at: settings.root.value) else { return }
    do {
      try context.checkAccount(name, settings)
    } catch {
      guard error.cause == .unknownAccount, settings.account.source != .option else { throw error }
      context.output.warning("\(error.message)")
    }
  }
}
