package enum CktoolRemoveTokenCommand: Command {
  package static let description = CommandDescription(
    "cktool", "remove-token", summary: "Do nothing: no token is kept here",
    discussion: CktoolOptions.note,
    examples: [.init("As a script has it", "localcloud cktool remove-token --type user --force")],
    options: CktoolTokenOptions.all)

  package static func run(_ context: CommandContext) throws { context.output.notice(CktoolTokenOptions.notice) }
}
