package struct HelpCommand: Command {
  package init() {}

  package static let description = CommandDescription(
    "help", summary: "Explain a command or a topic",
    examples: [
      .init("All commands and topics", "localcloud help"),
      .init("What the exit codes mean", "localcloud help exit-codes"),
    ])

  let words = ArgumentList<String>(
    "word", optional: true, completes: .command, help: "words of a command, or a topic")

  package var arguments: [any ArgumentDeclaration] { [words] }

  package func run(_ context: CommandContext) throws {
    let path = context[words]
    let registry = context.registry
    let width = context.output.proseWidth
    if path.isEmpty {
      try context.output.write(HelpText.overview(registry, width: width))
    } else if let command = registry.command(at: path)?.init() {
      try context.output.write(HelpText.full(command, width: width))
    } else if !registry.commands(under: path).isEmpty {
      try context.output.write(HelpText.noun(path, in: registry, width: width))
    } else if path.count == 1, let topic = registry.topics.first(where: { $0.name == path[0] }) {
      try context.output.write(HelpText.topic(topic, width: width))
    } else {
      throw unknown(path, in: registry)
    }
  }

  private func unknown(_ path: [String], in registry: CommandRegistry) -> CommandFailure {
    let known = path.indices.last { !registry.commands(under: Array(path[..<$0])).isEmpty } ?? 0
    let base = Array(path[..<known])
    let topic = known == 0 ? WordSuggestion.nearest(to: path[0], among: registry.topics.map(\.name)) : nil
    let near = CommandLineTool.suggestion(for: path[known], after: base, in: registry) ?? topic.map { "\"\($0)\"" }
    return .usage(
      "no command or topic is named \"\(path.joined(separator: " "))\"", hint: near.map { "did you mean \($0)?" })
  }
}

package struct VersionCommand: Command {
  static let version = "0.1.0"

  package init() {}

  package static let description = CommandDescription(
    "version", summary: "Print the version of this tool",
    examples: [.init("Only the number, for a script", "localcloud version --json | jq -r .version")])

  package func run(_ context: CommandContext) throws {
    try context.writeResult(
      ["version": .string(Self.version), "swift": .string(swiftVersion)],
      text: "localcloud \(Self.version) (Swift \(swiftVersion))")
  }

  /// The version of the compiler that built the tool, as far as conditional compilation can tell.
  private var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }
}
