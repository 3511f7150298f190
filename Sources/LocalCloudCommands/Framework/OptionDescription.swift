import LocalCloudEmulator

/// The names and the help of an option, for parsing, help and completion. ``Flag``, ``Option``, ``RequiredOption`` and
/// ``OptionList`` make it.
package struct OptionDescription: Sendable {
  package enum Kind: Sendable, Equatable {
    case flag
    /// One value; help shows it under this name.
    case value(String)
    /// One or more values: every word up to the next option. Help shows them under this name.
    case values(String)
  }

  /// The long name without the dashes.
  package var name: String
  package var short: Character?
  /// Further long names. Help omits them.
  package var aliases: [String] = []
  package var kind: Kind
  package var help: String
  package var isRepeating = false
  package var isRequired = false
  /// The long names of options that cannot be given together with this one.
  package var excludes: [String] = []
  /// The words that are allowed. If empty, any word is.
  package var allowedValues: [String] = []
  package var completes = CompletionKind.none
  /// The environment variable that supplies the value if the option is absent.
  package var variable: Settings.Variable?
  /// Converts a word to the option's value.
  var convert: @Sendable (_ word: String, _ source: String) throws(CommandFailure) -> any Sendable

  var takesValue: Bool { kind != .flag }

  /// `-o, --option VALUE`, as help shows it.
  var spelling: String {
    let long = (short.map { "-\($0), " } ?? "    ") + "--\(name)"
    return valueSpelling.map { "\(long) \($0)" } ?? long
  }

  var valueSpelling: String? {
    switch kind {
    case .flag: nil
    case .value(let placeholder): placeholder
    case .values(let placeholder): "\(placeholder)…"
    }
  }
}

extension OptionDescription {
  init<Value>(_ name: String, _ kind: Kind, _ type: ValueType<Value>, help: String) {
    self.init(
      name: name, kind: kind, help: help, allowedValues: type.words,
      convert: { (word, source) throws(CommandFailure) in try type.value(of: word, from: source) })
  }
}

/// The values that a shell completes for an option or argument without allowed values.
package enum CompletionKind: Sendable {
  case none
  /// Paths: the shell completes them itself.
  case file, folder
  /// Words of the tool's commands.
  case command
  /// Names that the cloud has.
  case account, container, device, record, role, share, snapshot, subscription, zone
}

/// The name and the help of a positional argument. ``Argument``, ``OptionalArgument`` and ``ArgumentList`` make it.
package struct ArgumentDescription: Sendable {
  package var name: String
  package var help: String
  package var isOptional = false
  package var isRepeating = false
  /// Whether its first word ends the options, as `--` does.
  package var endsOptions = false
  package var allowedValues: [String]
  package var completes = CompletionKind.none
  var convert: @Sendable (_ word: String, _ source: String) throws(CommandFailure) -> any Sendable

  init<Value>(_ name: String, _ type: ValueType<Value>, help: String) {
    self.name = name
    self.help = help
    allowedValues = type.words
    convert = { (word, source) throws(CommandFailure) in try type.value(of: word, from: source) }
  }

  var spelling: String {
    let base = isRepeating ? "<\(name)>…" : "<\(name)>"
    return isOptional ? "[\(base)]" : base
  }
}
