import LocalCloudEmulator

/// An option that a command declares: a ``Flag``, ``Option``, ``RequiredOption`` or ``OptionList``.
package protocol OptionDeclaration: Sendable {
  var description: OptionDescription { get }
}

extension OptionDeclaration {
  /// The long name without the dashes.
  package var name: String { description.name }

  /// The word that gives the option this value on a command line.
  func word(_ value: String) -> String { "--\(name)=\(value)" }
}

/// An option without a value. `context[flag]` tells whether it was given.
package struct Flag: OptionDeclaration {
  package private(set) var description: OptionDescription

  /// - Parameters:
  ///   - repeating: whether `CommandContext.count(_:)` counts how often it was given.
  ///   - excludes: the long names of options that cannot be given together with it.
  package init(
    _ name: String, short: Character? = nil, repeating: Bool = false, excludes: [String] = [], help: String
  ) {
    description = OptionDescription(name, .flag, .text, help: help)
    description.short = short
    description.isRepeating = repeating
    description.excludes = excludes
  }
}

/// An option with one value. `context[option]` is the value; nil if the option was not given.
package struct Option<Value: Sendable>: OptionDeclaration {
  package private(set) var description: OptionDescription

  /// - Parameters:
  ///   - placeholder: the value's name in the help.
  ///   - type: converts the value.
  ///   - aliases: further long names, without the dashes.
  ///   - excludes: the long names of options that cannot be given together with it.
  ///   - variable: the environment variable that supplies the value if the option is absent.
  package init(
    _ name: String, _ placeholder: String, _ type: ValueType<Value>, short: Character? = nil, aliases: [String] = [],
    excludes: [String] = [], variable: Settings.Variable? = nil, help: String
  ) {
    description = OptionDescription(name, .value(placeholder), type, help: help)
    description.short = short
    description.aliases = aliases
    description.excludes = excludes
    description.variable = variable
  }
}

/// An option with one value that has to be given. `context[option]` is the value.
package struct RequiredOption<Value: Sendable>: OptionDeclaration {
  package private(set) var description: OptionDescription

  package init(_ name: String, _ placeholder: String, _ type: ValueType<Value>, help: String) {
    description = OptionDescription(name, .value(placeholder), type, help: help)
    description.isRequired = true
  }
}

/// An option with any number of values. `context[option]` is the list of them; empty if the option was not given.
package struct OptionList<Value: Sendable>: OptionDeclaration {
  package private(set) var description: OptionDescription

  /// - Parameter takesSeveral: whether one use of the option takes all words up to the next option. Otherwise it takes
  ///   one, and the option is repeated.
  package init(
    _ name: String, _ placeholder: String, _ type: ValueType<Value>, short: Character? = nil, aliases: [String] = [],
    takesSeveral: Bool = false, required: Bool = false, help: String
  ) {
    description = OptionDescription(
      name, takesSeveral ? .values(placeholder) : .value(placeholder), type, help: help)
    description.short = short
    description.aliases = aliases
    description.isRepeating = true
    description.isRequired = required
  }
}

extension Option<String> {
  package init(
    _ name: String, _ placeholder: String, short: Character? = nil, aliases: [String] = [],
    excludes: [String] = [], variable: Settings.Variable? = nil, completes kind: CompletionKind = .none, help: String
  ) {
    self.init(
      name, placeholder, .text, short: short, aliases: aliases, excludes: excludes, variable: variable, help: help)
    description.completes = kind
  }
}

extension RequiredOption<String> {
  package init(_ name: String, _ placeholder: String, completes kind: CompletionKind = .none, help: String) {
    self.init(name, placeholder, .text, help: help)
    description.completes = kind
  }
}

extension OptionList<String> {
  package init(
    _ name: String, _ placeholder: String, short: Character? = nil, aliases: [String] = [], takesSeveral: Bool = false,
    required: Bool = false, completes kind: CompletionKind = .none, help: String
  ) {
    self.init(
      name, placeholder, .text, short: short, aliases: aliases, takesSeveral: takesSeveral, required: required,
      help: help)
    description.completes = kind
  }
}
