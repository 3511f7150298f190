/// One command of the tool.
///
/// A command is a value. Its properties declare its options and arguments, and ``run(_:)`` reads them from the context.
/// The declared type determines the type that is read: an ``Option`` is optional, an ``OptionList`` is an array.
///
/// ```swift
/// struct ZoneRenameCommand: Command {
///   static let description = CommandDescription("zone", "rename", summary: "Rename a zone")
///
///   let name = Argument<String>("name", help: "the zone's name")
///   let retries = Option<Int>("retries", "COUNT", .wholeNumber(in: 1...9), help: "how often to try; once if left out")
///
///   var arguments: [any ArgumentDeclaration] { [name] }
///   var options: [any OptionDeclaration] { [retries] }
///
///   func run(_ context: CommandContext) throws { rename(context[name], tries: context[retries] ?? 1) }
/// }
/// ```
///
/// The lists ``arguments`` and ``options`` have the order of the help. ``CommandRegistry/problems`` finds a property
/// that is in neither, and a test requires that there are no problems.
///
/// The words of a command line flow through these types:
///
/// 1. ``CommandLineParser`` splits the words, finds the command by ``CommandDescription/path`` in the
///    ``CommandRegistry``, and makes an ``OptionUse`` of each option.
/// 2. It binds the uses to the command's ``OptionDescription`` values, and the other words to its
///    ``ArgumentDescription`` values. The declaration's ``ValueType`` converts each word to a value, or throws the error.
/// 3. ``CommandContext`` holds the ``ParsedArguments``, and the subscript for a declaration returns its value.
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
}

extension OptionGroup {
  package var options: [any OptionDeclaration] { [] }
}

extension Command {
  package var arguments: [any ArgumentDeclaration] { [] }

  /// The options that the command declares, and those that all listings have.
  package var allOptions: [any OptionDeclaration] {
    options + (Self.description.isListing ? [ListOptions.count] : [])
  }

  /// `localcloud record save <type> [<field>…] --zone NAME [options]`, or `localcloud exec [options] [--] <command>…`
  var usage: String {
    let description = Self.description
    let required =
      description.requiredGlobalOptions.map { ($0.name, $0.option.description) }
      + options.map(\.description).filter(\.isRequired).map { ($0.name, $0) }
    let spelled = required.map { name, option in " --\(name)\(option.valueSpelling.map { " \($0)" } ?? "")" }
    var words = arguments.map { " \($0.description.spelling)" }
    let last = arguments.last?.description.endsOptions == true ? " [--]" + words.removeLast() : ""
    return "localcloud \(description.name)" + words.joined() + spelled.joined() + " [options]" + last
  }
}

/// The options of all listings. ``CommandContext/writeResult(list:_:extra:isPartial:table:)`` applies them.
enum ListOptions {
  static let count = Flag("count", help: "print only how many there are")
}

/// The values of a command line, checked against the declarations of a command.
package struct ParsedArguments: Sendable {
  /// Values by the option's long name. A flag has one value; a repeatable flag has one for each time it was given.
  var options: [String: [any Sendable]] = [:]
  /// Values by the argument's name.
  var positionals: [String: [any Sendable]] = [:]
}
