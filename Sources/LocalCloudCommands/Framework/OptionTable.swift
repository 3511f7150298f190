/// The options that may be given at one position of the command line.
struct OptionTable {
  let options: [OptionDescription]

  init(_ options: [OptionDescription]) { self.options = options }

  func option(long name: String) -> OptionDescription? {
    options.first { $0.name == name || $0.aliases.contains(name) }
  }

  func option(short name: Character) -> OptionDescription? {
    options.first { $0.short == name }
  }

  func unknown(long name: String) -> CommandFailure {
    let names = options.filter { !$0.isHidden }.map(\.name)
    return .usage(
      "unknown option \"--\(name)\"",
      hint: WordSuggestion.nearest(to: name, among: names).map { "did you mean \"--\($0)\"?" })
  }

  func unknown(short name: Character, in word: String) -> CommandFailure {
    // Suggests `--json` for `-json`.
    let near = WordSuggestion.nearest(to: String(word.dropFirst()), among: options.map(\.name))
    let hint = word.count > 2 ? near.map { "did you mean \"--\($0)\"?" } : nil
    return .usage(
      "unknown option \"-\(name)\"" + (word.count > 2 ? " in \"\(word)\"" : ""),
      hint: hint ?? "put \"--\" before arguments that begin with \"-\"")
  }
}
