/// One command of the tool.
///
/// A command is a value whose properties are its options and arguments. Its ``run(_:)`` reads them from the context:
/// `context[limit]`. The properties are listed once more in ``options`` and ``arguments``, in the order of the help; a
/// test compares the lists with the properties.
package protocol Command: OptionGroup {
  init()
  static var description: CommandDescription { get }
  /// The positional arguments, in order. Required ones come first; only the last one may be an ``ArgumentList``.
  var arguments: [any ArgumentDeclaration] { get }
  func run(_ context: CommandContext) throws
}

/// Options that several commands have in common. A command holds a group as a property, and adds the group's
/// ``options`` to its own.
package protocol OptionGroup: Sendable {
  var options: [any OptionDeclaration] { get }
  /// Groups of options. At most one option of each group may be given.
  var exclusiveOptions: [[any OptionDeclaration]] { get }
}

extension OptionGroup {
  package var options: [any OptionDeclaration] { [] }
  package var exclusiveOptions: [[any OptionDeclaration]] { [] }
}

extension Command {
  package var arguments: [any ArgumentDeclaration] { [] }

  /// `localcloud record save <type> [<field>…] --zone NAME [options]`
  var usage: String {
    let description = Self.description
    let required =
      description.requiredGlobalOptions.map { ($0.name, $0.option.description) }
      + options.map(\.description).filter { $0.isRequired && !$0.isHidden }.map { ($0.name, $0) }
    let spelled = required.map { name, option in " --\(name)\(option.valueSpelling.map { " \($0)" } ?? "")" }
    return "localcloud \(description.name)" + arguments.map { " \($0.description.spelling)" }.joined()
      + spelled.joined() + " [options]"
  }
}

/// The values of a command line, checked against the declarations of a command.
package struct ParsedArguments: Sendable {
  /// Values by the option's long name. A flag has one value; a repeatable flag has one for each time it was given.
  var options: [String: [any Sendable]] = [:]
  /// Values by the argument's name.
  var positionals: [String: [any Sendable]] = [:]
}
