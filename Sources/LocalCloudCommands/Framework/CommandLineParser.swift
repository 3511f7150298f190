/// Parses a command line in one pass.
///
/// The pass splits the words into the path of the command, the uses of options, and the positional words. Options may
/// stand before the path. Until the command is known, the options of all commands that may follow determine whether an
/// option takes the next word as its value. The pass accepts mistakes, since help and the format of errors can be
/// requested anywhere. After the pass, ``arguments()`` binds the uses to the options of the command, and reports the
/// first mistake.
struct CommandLineParser {
  enum HelpLevel { case short, full }

  private let registry: CommandRegistry
  /// The words that named the command, in order.
  private(set) var path: [String] = []
  /// The command, from the last word of its path on.
  private(set) var command: (any Command)?
  /// The first word that should have named a command but did not.
  private(set) var unknownWord: String?
  /// The failure for the first option that no command below the path so far has.
  private(set) var unknownOption: CommandFailure?
  private(set) var help: HelpLevel?
  private(set) var wantsVersion = false
  private(set) var wantsJSON = false

  private(set) var uses: [OptionUse] = []
  private(set) var positionals: [String] = []
  /// The index of the use that takes the next words as its values.
  private var open: Int?
  /// Whether `--` or the first word of another command line was read: all further words are positional.
  private(set) var isTerminated = false
  /// The options of the command, or of all commands below the path.
  var table: OptionTable {
    command.map { OptionTable(of: $0) } ?? OptionTable(of: registry.commands(under: path))
  }

  /// Parses the words after the program's name.
  init(_ words: [String], in registry: CommandRegistry) {
    self.registry = registry
    for word in words { read(word) }
    noteRequests()
  }

  /// Parses the words after a command's name.
  init(_ words: [String], for command: any Command, in registry: CommandRegistry) {
    self.registry = registry
    self.command = command
    path = type(of: command).description.path
    for word in words { read(word) }
  }

  /// The use of the option that takes the next word as its value.
  var openUse: OptionUse? { open.map { uses[$0] } }

  /// The option with that name. Only a name that is not global needs the options of commands.
  func option(_ name: OptionName) -> OptionDescription? {
    OptionTable.global.option(name) ?? table.option(name)
  }

  // MARK: The pass over the words

  private mutating func read(_ word: String) {
    if isTerminated { return readArgument(word) }
    if let open, OptionWord.isValue(word), uses[open].words.isEmpty || command != nil {
      uses[open].words.append(word)
      if !uses[open].takesSeveral { self.open = nil }
      return
    }
    let kind = OptionWord(word)
    if kind == .argument { return readArgument(word) }
    if let open { uses[open].follower = word }
    open = nil
    switch kind {
    case .argument: break
    case .terminator: isTerminated = true
    case .long(let name, let value):
      add(OptionUse(.long(name), spelling: "--\(name)", word: word, attached: value))
    case .short(let names):
      for (index, name) in names.enumerated() {
        let attached = String(names[(index + 1)...])
        let takesValue = option(.short(name))?.takesValue == true
        add(
          OptionUse(
            .short(name), spelling: "-\(name)", word: word, attached: takesValue && !attached.isEmpty ? attached : nil))
        if takesValue { break }
      }
    }
  }

  private mutating func add(_ use: OptionUse) {
    var use = use
    use.option = option(use.name)
    if use.option == nil, command == nil, unknownOption == nil { unknownOption = table.unknown(use) }
    uses.append(use)
    if use.option?.takesValue == true, use.attached == nil { open = uses.count - 1 }
  }

  private mutating func readArgument(_ word: String) {
    if let command {
      positionals.append(word)
      let last = command.arguments.firstIndex { $0.description.endsOptions }
      if let last, positionals.count > last { isTerminated = true }
      return
    }
    if unknownWord == nil, registry.words(after: path).contains(word) {
      path.append(word)
      command = registry.command(at: path)?.init()
      // Options of other commands may have the same name and take no value.
      if command != nil, open == nil, let use = uses.last, use.value == nil, option(use.name)?.takesValue == true {
        open = uses.count - 1
      }
    } else if unknownWord == nil, unknownOption == nil {
      // After an unknown option, the word may be that option's value.
      unknownWord = word
    }
  }

  /// Notes the options that have an effect on a command line with mistakes.
  private mutating func noteRequests() {
    for use in uses {
      switch use.option?.name {
      case GlobalOptions.help.name: help = use.isShort && help != .full ? .short : .full
      case GlobalOptions.version.name: wantsVersion = true
      case GlobalOptions.json.name: wantsJSON = true
      case GlobalOptions.format.name: wantsJSON = wantsJSON || use.value.flatMap(OutputFormat.init)?.isJSON == true
      default: break
      }
    }
  }
}
