/// The kind of a word of the command line, as far as it can be determined without knowing the options.
enum OptionWord: Equatable {
  case argument
  /// `--`
  case terminator
  /// `--name` or `--name=value`
  case long(name: String, value: String?)
  /// `-abc`
  case short([Character])

  init(_ word: String) {
    if word == "--" {
      self = .terminator
    } else if word.hasPrefix("--") {
      let body = String(word.dropFirst(2))
      if let (name, value) = body.splitOnce(at: "=") {
        self = .long(name: name, value: value)
      } else {
        self = .long(name: body, value: nil)
      }
    } else if word.hasPrefix("-") && word != "-" {
      self = .short(Array(word.dropFirst()))
    } else {
      self = .argument
    }
  }

  /// Whether a word can be an option's value: it is not an option. `-` and negative numbers can be values.
  static func isValue(_ word: String) -> Bool {
    OptionWord(word) == .argument || Double(word) != nil
  }
}
