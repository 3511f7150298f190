import CloudStore
import Emulator
import Storage

package enum EnvCommand: Command {
  package static let description = CommandDescription(
    "env", summary: "Print the settings as variables for a shell",
    discussion: """
      Prints an export line for each setting that is not a default, and always the root. Programs that are started \
      with these variables use the same cloud, account and container.
      """,
    examples: [
      .init("Become alice in this terminal", "eval \"$(localcloud env --account alice)\""),
      .init("One value", "localcloud env --json | jq -r .LOCALCLOUD_ROOT"),
    ])

  package static func run(_ context: CommandContext) throws {
    var document = JSONObject()
    var text = StyledText()
    for entry in try context.settings().entries where entry.variable == .root || entry.source != .standard {
      guard let value = entry.text else { continue }
      document[entry.variable.rawValue] = .string(value)
      text.append(trusted: "export \(entry.variable.rawValue)=\(ShellText.quoted(value))\n")
    }
    try context.emit(document, text: text)
  }
}
