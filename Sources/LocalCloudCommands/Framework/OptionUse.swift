/// The name of an option as the command line has it, without the dashes.
enum OptionName {
  case long(String)
  case short(Character)
}

/// One use of an option on a command line, with the words that belong to it.
struct OptionUse {
  let name: OptionName
  /// `--name` or `-n`.
  let spelling: String
  /// The whole word with the option: `-vn` for `-n`.
  let word: String
  /// The value in the same word: of `--name=value`, or of `-nvalue`.
  let attached: String?
  /// The option that the name had when the word was read; nil for an unknown name.
  var option: OptionDescription?
  /// The following words that are values of the option.
  var words: [String] = []
  /// The word that follows instead of a value; nil at the end of the command line.
  var follower: String?

  init(_ name: OptionName, spelling: String, word: String, attached: String?) {
    self.name = name
    self.spelling = spelling
    self.word = word
    self.attached = attached
  }

  var isShort: Bool { if case .short = name { true } else { false } }

  var value: String? { attached ?? words.first }

  /// Whether the option takes all words up to the next option.
  var takesSeveral: Bool { if case .values? = option?.kind { true } else { false } }

  func missingValue(_ placeholder: String) -> CommandFailure {
    guard let follower, follower != "--" else {
      return .usage("\(spelling) needs a value: \(spelling) \(placeholder)")
    }
    return .usage(
      "\(spelling) needs a value, but \"\(follower)\" follows",
      hint: "if that is the value, write \"\(isShort ? spelling : spelling + "=")\(follower)\"")
  }
}
