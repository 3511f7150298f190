/// The options that may be given at one position of the command line.
struct OptionTable {
  let options: [OptionDescription]

  static let global = OptionTable(GlobalOptions.all)

  private init(_ options: [any OptionDeclaration]) { self.options = options.map(\.description) }

  /// The options of a command.
  init(of command: any Command) { self.init(command.allOptions + GlobalOptions.all) }

  /// The options of several commands; those that all have come first.
  init(of commands: [any Command.Type]) { self.init(GlobalOptions.all + commands.flatMap { $0.init().allOptions }) }

  func option(_ name: OptionName) -> OptionDescription? {
    switch name {
    case .long(let name): options.first { $0.name == name || $0.aliases.contains(name) }
    case .short(let name): options.first { $0.short == name }
    }
  }

  /// The failure for a use of an option that is not in the table.
  func unknown(_ use: OptionUse) -> CommandFailure {
    switch use.name {
    case .long(let name):
      let near = WordSuggestion.nearest(to: name, among: options.map(\.name))
      let failure = CommandFailure.usage(
        "unknown option \"--\(name)\"", hint: near.map { "did you mean \"--\($0)\"?" })
      return failure.inToolForm("Unknown option '--\(name)'" + (near.map { ". Did you mean '--\($0)'?" } ?? ""))
    case .short(let name):
      // Suggests `--json` for `-json`.
      let isCluster = use.word.count > 2
      let near = isCluster ? WordSuggestion.nearest(to: String(use.word.dropFirst()), among: options.map(\.name)) : nil
      let failure = CommandFailure.usage(
        "unknown option \"-\(name)\"" + (isCluster ? " in \"\(use.word)\"" : ""),
        hint: near.map { "did you mean \"--\($0)\"?" } ?? "put \"--\" before arguments that begin with \"-\"")
      return failure.inToolForm("Unknown option '-\(name)'")
    }
  }
}
