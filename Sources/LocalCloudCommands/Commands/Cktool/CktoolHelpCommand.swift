package enum CktoolHelpCommand: Command {
  package static let description = CommandDescription(
    "cktool", "help", summary: "Explain a verb of cktool",
    examples: [.init("What a query takes", "localcloud cktool help query-records")],
    arguments: [ArgumentDescription("verb", optional: true, help: "the verb")])

  package static func run(_ context: CommandContext) throws {
    try context.run(HelpCommand.self, ["cktool"] + context.positionals("verb"))
  }
}
