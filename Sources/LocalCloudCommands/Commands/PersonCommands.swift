import LocalCloudEmulator
import LocalCloudPlatform

struct AsCommand: Command {
  static let description = CommandDescription(
    "as", summary: "Run a command as a person",
    discussion: """
      The command and all that it starts act as the account, on its own device or on that of --device. If LOCALCLOUD_HOMES \
      names a folder, as below "localcloud exec", HOME is the person's folder in it and XDG_DATA_HOME its folder stores: \
      each person's programs have Core Data stores of their own. The command replaces localcloud: streams, signals and the \
      exit code are its own.
      """,
    examples: [
      .init("A program", "localcloud as anna notes add 'Buy milk'"),
      .init("A command of this tool", "localcloud as ben localcloud zone list"),
    ],
    exitCodes: [.wrapperFailed, .notExecutable, .commandNotFound])

  let name = Argument<String>.account
  let command = ArgumentList<String>(
    "command", endsOptions: true, help: "the command with its arguments and options; it is found by PATH")

  var arguments: [any ArgumentDeclaration] { [name, command] }

  func run(_ context: CommandContext) throws {
    if context.isGiven(GlobalOptions.account) {
      throw CommandFailure.usage("give either <name> or --account, not both")
    }
    let (name, words) = (context[self.name], context[command])
    do {
      let settings = try context.settings(account: name)
      try context.checkAccount(name, settings)
      let variables = try CommandVariables(
        account: name, settings, homes: context.environment(CommandVariables.homes))
      do throws(SystemError) { try replaceProcess(words, variables.changes) } catch {
        throw CommandFailure(starting: words[0], error)
      }
    } catch {
      throw CommandFailure(wrapping: error)
    }
  }
}

struct ShellCommand: Command {
  static let description = CommandDescription(
    "shell", summary: "Start a shell as a person",
    discussion: """
      Starts the shell of SHELL, else /bin/sh, with the variables that "localcloud as" sets. The prompt begins with the \
      account's name: bash and zsh read their usual file first. The exit code is the shell's.
      """,
    examples: [.init("A terminal for anna", "localcloud shell --account anna")],
    exitCodes: [.wrapperFailed, .notExecutable, .commandNotFound])

  func run(_ context: CommandContext) throws {
    let settings = try context.settings()
    guard let name = settings.account.value else {
      throw CommandFailure.usage("no account acts", hint: "name one: localcloud shell --account NAME")
    }
    guard context.input.isTerminal else {
      throw CommandFailure(
        .usage, code: "noTerminal", "a shell needs a terminal",
        hint: "run one command: localcloud as \(ShellText.word(name)) COMMAND")
    }
    let status: Int32
    do { status = try runShell(name, settings, context) } catch { throw CommandFailure(wrapping: error) }
    if status != 0 { throw SilentExit(ExitCode(rawValue: status)) }
  }

  private func runShell(_ name: String, _ settings: Settings, _ context: CommandContext) throws -> Int32 {
    try context.checkAccount(name, settings)
    var variables = try CommandVariables(
      account: name, settings, homes: context.environment(CommandVariables.homes))
    let group = try ProcessGroup()
    return try withExtendedLifetime(group) {
      let folder = try Directory.makeTemporary()
      defer { context.removeTemporary(folder) }
      let words = try Self.words(promptingFor: name, &variables, folder, context)
      return try group.run(words, variables)
    }
  }

  /// The command line of the shell. Shells that set the prompt in a file get one in `folder`, others by `PS1`.
  private static func words(
    promptingFor name: String, _ variables: inout CommandVariables, _ folder: Directory, _ context: CommandContext
  ) throws -> [String] {
    func variable(_ name: String) -> String? { context.environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let shell = variable("SHELL") ?? "/bin/sh"
    // A shell would expand other characters.
    func isPlain(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "._-@+".contains(character)
    }
    let prompt = "(\(String(name.map { isPlain($0) ? $0 : "?" }))) "
    switch UserFile.folderAndName(of: shell).name {
    case "bash":
      let text = "[ ! -f ~/.bashrc ] || . ~/.bashrc\nPS1='\(prompt)'\"$PS1\"\n"
      try folder.writeStaged("bashrc", Array(text.utf8))
      return [shell, "--rcfile", folder.path(of: "bashrc"), "-i"]
    case "zsh":
      let usual = variable("ZDOTDIR").map(ShellText.quoted) ?? "~"
      let text = "ZDOTDIR=\(usual)\n[ ! -f $ZDOTDIR/.zshrc ] || . $ZDOTDIR/.zshrc\nPROMPT='\(prompt)'\"$PROMPT\"\n"
      try folder.writeStaged(".zshrc", Array(text.utf8))
      variables.set("ZDOTDIR", folder.path)
    default:
      variables.set("PS1", prompt + "$ ")
    }
    return [shell, "-i"]
  }
}
