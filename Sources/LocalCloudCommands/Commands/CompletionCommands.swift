import LocalCloudStorage

/// Prints the script that completes command lines in a shell.
protocol CompletionScriptCommand: Command {
  static var shell: CompletionShell { get }
}

extension CompletionScriptCommand {
  static var description: CommandDescription {
    CommandDescription(
      "completion", shell.rawValue, summary: "Print the script that completes command lines in \(shell.rawValue)",
      discussion: """
        It asks this tool for the words: commands, options, their values, and the names of accounts, zones, records and \
        devices. "completion install" writes it to a file that \(shell.rawValue) reads by itself.
        """,
      examples: [
        .init(
          "In this \(shell.rawValue)",
          shell == .fish ? "localcloud completion fish | source" : "source <(localcloud completion \(shell.rawValue))")
      ])
  }

  func run(_ context: CommandContext) throws {
    try context.writeResult(
      ["script": .string(Self.shell.script), "shell": .string(Self.shell.rawValue)],
      text: StyledText(lines: Self.shell.script))
  }
}

struct CompletionBashCommand: CompletionScriptCommand { static let shell = CompletionShell.bash }
struct CompletionZshCommand: CompletionScriptCommand { static let shell = CompletionShell.zsh }
struct CompletionFishCommand: CompletionScriptCommand { static let shell = CompletionShell.fish }

struct CompletionWordsCommand: Command {
  static let description = CommandDescription(
    "completion", "words", summary: "Print the words that complete a command line; the shells' scripts call it",
    discussion: """
      Prints a line for each word that the last of these can become: the word, a tab, and a note. A tab with "file" or \
      "folder" means that the shell completes a path. Names come from the cloud that the other words and the environment \
      name: at most 200, without waiting for other processes; a cloud that can't be read has none. Nothing is changed, \
      and names with line breaks or control characters are left out.
      """,
    examples: [.init("The commands that begin with rec", "localcloud completion words -- rec")])

  let words = ArgumentList<String>("word", optional: true, help: "the words behind \"localcloud\"; put -- before them")
  let bashWord = Option<String>(
    "bash-word", "TEXT", help: "the one <word> is the line of a bash, which replaces TEXT at its end")

  var arguments: [any ArgumentDeclaration] { [words] }
  var options: [any OptionDeclaration] { [bashWord] }

  func run(_ context: CommandContext) throws {
    let completion = completion(context)
    if context.format.isJSON {
      var extra = JSONObject()
      if let paths = completion.paths { extra["paths"] = .string("\(paths)") }
      return try context.writeResult(
        list: "words", completion.candidates.map { ["note": .string($0.note), "word": .string($0.word)] },
        extra: extra, table: Table(["word"], rows: []))
    }
    var lines = completion.candidates.map { $0.note.isEmpty ? $0.word : "\($0.word)\t\(VisibleText.escape($0.note))" }
    if let paths = completion.paths { lines.append("\t\(paths)") }
    try context.output.write(Array(lines.map { $0 + "\n" }.joined(separator: "").utf8))
  }

  private func completion(_ context: CommandContext) -> Completion {
    guard let part = context[bashWord] else { return Completion(context[words], context) }
    let line = BashLine(context[words].first ?? "")
    if line.isRedirected { return Completion(paths: .file) }
    // Bash expands the word later: its value is unknown.
    if line.isExpanded { return Completion() }
    return Completion(Array(line.words.dropFirst()) + [line.last], context).mapped {
      line.insertion(of: $0, insteadOf: part)
    }
  }
}

struct CompletionInstallCommand: Command {
  static let description = CommandDescription(
    "completion", "install", summary: "Install the completion of shells, and the manual page",
    discussion: """
      Writes the scripts of the named shells, or of all, and the manual page to the places where shells and man look for \
      those of a user: below XDG_DATA_HOME, or ~/.local/share, and for fish below XDG_CONFIG_HOME, or ~/.config. With \
      --prefix, to the folder share below DIR, for all users of a machine. Prints the path of each file. A file that \
      this command did not write stays, unless --force is given. bash needs the package bash-completion to find the \
      file, and zsh the folder in its fpath before compinit runs.
      """,
    examples: [
      .init("For all shells of this user", "localcloud completion install"),
      .init("Only for zsh, for all users", "sudo localcloud completion install --prefix /usr/local zsh"),
    ],
    exitCodes: [.failure, .storage])

  let shells = ArgumentList<CompletionShell>("shell", .cases, optional: true, help: "bash, zsh or fish; else all")
  let prefix = Option<String>("prefix", "DIR", completes: .folder, help: "install into the folder share below DIR")
  let force = Flag("force", help: "also replace files that this command did not write")

  var arguments: [any ArgumentDeclaration] { [shells] }
  var options: [any OptionDeclaration] { [prefix, force] }

  func run(_ context: CommandContext) throws {
    let chosen = context[shells]
    let folders = try folders(context)
    var files = CompletionShell.allCases.filter { chosen.isEmpty || chosen.contains($0) }.map { shell in
      GeneratedFile(path: folders.path(of: shell), text: shell.script)
    }
    files.append(
      GeneratedFile(path: folders.data + "/man/man1/localcloud.1", text: ManualPage.text(of: context.registry)))
    if !context[force] { for file in files { try file.requireOwn() } }
    for file in files { try file.write() }
    try context.writeResult(
      ["files": .array(files.map { ["path": .string($0.path)] })],
      text: files.reduce(StyledText()) { $0 + "\($1.path)\n" })
  }

  private struct Folders {
    var data: String
    var fish: String

    func path(of shell: CompletionShell) -> String {
      switch shell {
      case .bash: data + "/bash-completion/completions/localcloud"
      case .zsh: data + "/zsh/site-functions/_localcloud"
      case .fish: fish + "/localcloud.fish"
      }
    }
  }

  private func folders(_ context: CommandContext) throws -> Folders {
    if let prefix = context[prefix] {
      if prefix.isEmpty { throw CommandFailure.usage("--prefix is empty: it is a folder") }
      let data = prefix.hasSuffix("/") ? prefix + "share" : prefix + "/share"
      return Folders(data: data, fish: data + "/fish/vendor_completions.d")
    }
    return Folders(
      data: try folder("XDG_DATA_HOME", ".local/share", context),
      fish: try folder("XDG_CONFIG_HOME", ".config", context) + "/fish/completions")
  }

  /// The folder of a variable of the XDG specification; else the one in the user's home folder. The specification has
  /// relative paths ignored.
  private func folder(_ variable: String, _ standard: String, _ context: CommandContext) throws -> String {
    if let path = context.environment(variable), path.hasPrefix("/") { return path }
    guard let home = context.environment("HOME"), home.hasPrefix("/") else {
      throw CommandFailure.usage("\(variable) and HOME name no folder", hint: "--prefix DIR names one")
    }
    return "\(home)/\(standard)"
  }
}

package struct ManualCommand: Command {
  package init() {}

  package static let description = CommandDescription(
    "manual", summary: "Print the manual page of the tool or of a command",
    discussion: """
      The page is for man, and has the same contents as the help. "completion install" writes it to a file that man \
      finds.
      """,
    examples: [
      .init("Read it", "localcloud manual | man -l -"),
      .init("One command", "localcloud manual record save | man -l -"),
    ])

  let words = ArgumentList<String>(
    "word", optional: true, completes: .command, help: "words of a command; else all commands")

  package var arguments: [any ArgumentDeclaration] { [words] }

  package func run(_ context: CommandContext) throws {
    let path = context[words]
    let registry = context.registry
    let command = registry.command(at: path)?.init()
    guard path.isEmpty || command != nil else {
      throw CommandFailure.usage(
        "no command is named \"\(path.joined(separator: " "))\"", hint: "\"localcloud help\" lists the commands")
    }
    let page = command.map { ManualPage.text(of: $0) } ?? ManualPage.text(of: registry)
    try context.writeResult(["manual": .string(page)], text: StyledText(lines: page))
  }
}
