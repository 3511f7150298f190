/// The result of a first, lenient pass over the command line: the command it names, and whether it asks for help.
/// Options may stand before the words that name the command, so this pass accepts the options of all commands below
/// those words.
struct CommandLocation {
  enum HelpLevel { case short, full }

  /// The words that named the command, in order.
  private(set) var path: [String] = []
  /// All other words.
  private(set) var rest: [String] = []
  /// The first word that should have named a command but did not.
  private(set) var unknownWord: String?
  /// The failure for the first option that no command below the words so far has.
  private(set) var unknownOption: CommandFailure?
  private(set) var help: HelpLevel?
  private(set) var wantsVersion = false
  private(set) var wantsJSON = false

  init(_ words: [String], in registry: CommandRegistry) {
    var index = 0
    var isTerminated = false
    while index < words.count {
      let word = words[index]
      index += 1
      let kind = isTerminated ? .argument : OptionWord(word)
      switch kind {
      case .argument:
        take(word, in: registry)
        continue
      case .terminator:
        isTerminated = true
      case .long(let name, let value):
        let table = table(in: registry)
        let option = table.option(long: name)
        if option == nil && unknownOption == nil { unknownOption = table.unknown(long: name) }
        let next = index < words.count && OptionWord.isValue(words[index]) ? words[index] : nil
        note(option, value: value ?? next, isShort: false)
        if option?.takesValue == true, value == nil, let next {
          rest += [word, next]
          index += 1
          continue
        }
      case .short(let names):
        if takesNext(names, of: word, in: registry), index < words.count, OptionWord.isValue(words[index]) {
          rest += [word, words[index]]
          index += 1
          continue
        }
      }
      rest.append(word)
    }
  }

  private mutating func take(_ word: String, in registry: CommandRegistry) {
    if unknownWord == nil && registry.words(after: path).contains(word) {
      path.append(word)
    } else {
      // After an unknown option, the word may be that option's value.
      if unknownWord == nil && unknownOption == nil && registry.command(at: path) == nil { unknownWord = word }
      rest.append(word)
    }
  }

  private mutating func takesNext(_ names: [Character], of word: String, in registry: CommandRegistry) -> Bool {
    for (offset, name) in names.enumerated() {
      let table = table(in: registry)
      let option = table.option(short: name)
      if option == nil && unknownOption == nil { unknownOption = table.unknown(short: name, in: word) }
      note(option, value: nil, isShort: true)
      if option?.takesValue == true { return offset == names.count - 1 }
    }
    return false
  }

  private mutating func note(_ option: OptionDescription?, value: String?, isShort: Bool) {
    switch option?.name {
    case "help": help = isShort && help != .full ? .short : .full
    case "version": wantsVersion = true
    case "json": wantsJSON = true
    case "format": wantsJSON = wantsJSON || OutputFormat(rawValue: value ?? "")?.isJSON == true
    default: break
    }
  }

  private func table(in registry: CommandRegistry) -> OptionTable {
    let own = registry.command(at: path)?.description.options ?? []
    return OptionTable(GlobalOptions.all + own + registry.commands(under: path).flatMap { $0.description.options })
  }
}
