import LocalCloudEmulator

/// Describes one option of a command for parsing, help and completion.
package struct OptionDescription: Sendable {
  package enum Kind: Sendable, Equatable {
    case flag
    /// One value; help shows it under this name.
    case value(String)
    /// One or more values: every word up to the next option. Help shows them under this name.
    case values(String)
  }

  /// Checks a value. Returns nil, or the rest of an error sentence that begins with `--name "value"`.
  package typealias Check = @Sendable (String) -> String?

  /// The long name without the dashes.
  package var name: String
  package var short: Character?
  /// Further long names. Help omits them.
  package var aliases: [String] = []
  package var kind: Kind
  package var help: String
  package var isRepeating = false
  package var isRequired = false
  package var isHidden = false
  /// The values that are allowed. If empty, any value is.
  package var allowedValues: [String] = []
  /// The environment variable that supplies the value if the option is absent.
  package var variable: Settings.Variable?
  package var check: Check?

  package static func flag(
    _ name: String, short: Character? = nil, aliases: [String] = [], repeating: Bool = false, hidden: Bool = false,
    help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, short: short, aliases: aliases, kind: .flag, help: help, isRepeating: repeating, isHidden: hidden)
  }

  package static func value(
    _ name: String, _ placeholder: String, short: Character? = nil, aliases: [String] = [], repeating: Bool = false,
    required: Bool = false, hidden: Bool = false, allowed: [String] = [], variable: Settings.Variable? = nil,
    check: Check? = nil, help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, short: short, aliases: aliases, kind: .value(placeholder), help: help, isRepeating: repeating,
      isRequired: required, isHidden: hidden, allowedValues: allowed, variable: variable,
      check: check)
  }

  package static func values(
    _ name: String, _ placeholder: String, aliases: [String] = [], required: Bool = false, hidden: Bool = false,
    help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, aliases: aliases, kind: .values(placeholder), help: help, isRepeating: true, isRequired: required,
      isHidden: hidden)
  }

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

  /// The failure if `value` is wrong, otherwise nil. `source` is the option or the variable that has the value.
  func problem(with value: String, from source: String) -> CommandFailure? {
    if !allowedValues.isEmpty && !allowedValues.contains(value) {
      let near = WordSuggestion.nearest(to: value, among: allowedValues)
      return .usage(
        "\(source) cannot be \"\(value)\": it is one of \(allowedValues.joined(separator: ", "))",
        hint: near.map { "did you mean \"\($0)\"?" })
    }
    if let reason = check?(value) { return .usage("\(source) \"\(value)\" \(reason)") }
    return nil
  }
}

/// Checks that several options share.
package enum ValueCheck {
  package static let seconds: OptionDescription.Check = { text in
    guard let seconds = Double(text), seconds >= 0, seconds.isFinite else { return "is not a number of seconds" }
    return nil
  }

  package static func wholeNumber(in range: ClosedRange<Int> = 0...Int.max) -> OptionDescription.Check {
    { text in
      guard let number = Int(text) else { return "is not a whole number" }
      if range.contains(number) { return nil }
      return range.upperBound == .max
        ? "is less than \(range.lowerBound)" : "is not between \(range.lowerBound) and \(range.upperBound)"
    }
  }
}
