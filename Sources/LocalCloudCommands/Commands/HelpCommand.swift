package enum HelpCommand: Command {
  package static let description = CommandDescription(
    "help", summary: "Explain a command or a topic",
    examples: [
      .init("All commands and topics", "localcloud help"),
      .init("What the exit codes mean", "localcloud help exit-codes"),
    ],
    arguments: [
      ArgumentDescription("word", optional: true, repeating: true, help: "words of a command, or a topic")
    ])

  package static func run(_ context: CommandContext) throws {
    let path = context.positionals("word")
    let registry = context.registry
    let width = context.output.proseWidth
    if path.isEmpty {
      try context.output.write(HelpText.overview(registry, width: width))
    } else if let command = registry.command(at: path) {
      try context.output.write(HelpText.full(command.description, width: width))
    } else if !registry.commands(under: path).isEmpty {
      try context.output.write(HelpText.noun(path, in: registry, width: width))
    } else if path.count == 1, let topic = registry.topics.first(where: { $0.name == path[0] }) {
      try context.output.write(HelpText.topic(topic, width: width))
    } else {
      throw unknown(path, in: registry)
    }
  }

  private static func unknown(_ path: [String], in registry: CommandRegistry) -> CommandFailure {
    let known = path.indices.last { !registry.commands(under: Array(path[..<$0])).isEmpty } ?? 0
    let base = Array(path[..<known])
    let topic = known == 0 ? WordSuggestion.nearest(to: path[0], among: registry.topics.map(\.name)) : nil
    let near = CommandLineTool.suggestion(for: path[known], after: base, in: registry) ?? topic.map { "\"\($0)\"" }
    return .usage(
      "no command or topic is named \"\(path.joined(separator: " "))\"", hint: near.map { "did you mean \($0)?" })
  }
}
