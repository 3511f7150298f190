package enum CktoolSaveTokenCommand: Command {
  package static let description = CommandDescription(
    "cktool", "save-token", summary: "Do nothing: no token is needed here",
    discussion: "Scripts that save one go on. Nothing is kept of it. " + CktoolOptions.note,
    examples: [.init("As a script has it", "localcloud cktool save-token \"$TOKEN\" --type user")],
    arguments: [ArgumentDescription("token", optional: true, help: "not looked at")],
    options: CktoolTokenOptions.all)

  package static func run(_ context: CommandContext) throws {
    // Without an argument, cktool asks for the token.
    guard context.positional("token") != nil || context.mayAsk else {
      throw CommandFailure(
        .failure, code: "interactionRequired", "Interaction was required while running in non-interactive mode",
        hint: "name a token, any, or leave \"save-token\" out: --account says who acts")
    }
    context.output.notice(CktoolTokenOptions.notice)
  }
}

/// Options and messages that the verbs about tokens share.
enum CktoolTokenOptions {
  static let all: [OptionDescription] = [
    .value("type", "TYPE", allowed: ["management", "user"], help: "not looked at"),
    .value("method", "METHOD", allowed: ["file", "keychain"], help: "not looked at"),
    .flag("force", help: "not looked at"),
  ]
  static let notice: StyledText = "no token is kept: --account says who acts"
}
