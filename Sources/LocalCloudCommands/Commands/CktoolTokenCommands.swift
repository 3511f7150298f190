struct CktoolSaveTokenCommand: Command {
  static let description = CommandDescription(
    "cktool", "save-token", summary: "Do nothing: no token is needed here",
    discussion: "Scripts that save one go on. Nothing is kept of it. " + CktoolOptions.note,
    examples: [.init("As a script has it", "localcloud cktool save-token \"$TOKEN\" --type user")])

  let token = OptionalArgument<String>("token", help: "not looked at")
  let ignored = CktoolTokenOptions()

  var arguments: [any ArgumentDeclaration] { [token] }
  var options: [any OptionDeclaration] { ignored.options }

  func run(_ context: CommandContext) throws {
    // Without an argument, cktool asks for the token.
    guard context[token] != nil || context.mayAsk else {
      throw CommandFailure(
        .failure, code: "interactionRequired", "Interaction was required while running in non-interactive mode",
        hint: "name a token, any, or leave \"save-token\" out: --account says who acts")
    }
    context.output.notice(CktoolTokenOptions.notice)
  }
}

struct CktoolRemoveTokenCommand: Command {
  static let description = CommandDescription(
    "cktool", "remove-token", summary: "Do nothing: no token is kept here",
    discussion: CktoolOptions.note,
    examples: [.init("As a script has it", "localcloud cktool remove-token --type user --force")])

  let ignored = CktoolTokenOptions()

  var options: [any OptionDeclaration] { ignored.options }

  func run(_ context: CommandContext) throws { context.output.notice(CktoolTokenOptions.notice) }
}

struct CktoolGetTeamsCommand: Command {
  static let description = CommandDescription(
    "cktool", "get-teams", summary: "Print the one team there is, for scripts that look for theirs",
    discussion: CktoolOptions.note,
    examples: [.init("Its identifier", "localcloud cktool get-teams | cut -d: -f1")])

  let token = CktoolAccess.token

  var options: [any OptionDeclaration] { [token] }

  func run(_ context: CommandContext) throws {
    try context.writeResult(
      ["teams": [["name": "LocalCloudKit", "teamId": "LOCALCLOUD"]]], text: "LOCALCLOUD: LocalCloudKit")
  }
}

struct CktoolHelpCommand: Command {
  static let description = CommandDescription(
    "cktool", "help", summary: "Explain a verb of cktool",
    examples: [.init("What a query takes", "localcloud cktool help query-records")])

  let verb = OptionalArgument<String>("verb", help: "the verb")

  var arguments: [any ArgumentDeclaration] { [verb] }

  func run(_ context: CommandContext) throws {
    try context.run(HelpCommand(), ["cktool"] + (context[verb].map { [$0] } ?? []))
  }
}

/// Options and messages that the verbs about tokens share.
struct CktoolTokenOptions: OptionGroup {
  let type = Option<String>("type", "TYPE", .oneOf(["management", "user"]), help: "not looked at")
  let method = Option<String>("method", "METHOD", .oneOf(["file", "keychain"]), help: "not looked at")
  let force = Flag("force", help: "not looked at")

  var options: [any OptionDeclaration] { [type, method, force] }

  static let notice: StyledText = "no token is kept: --account says who acts"
}
