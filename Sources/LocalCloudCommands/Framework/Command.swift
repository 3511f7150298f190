/// One command of the tool. Each command is a type in its own file in `Commands`.
package protocol Command: Sendable {
  static var description: CommandDescription { get }
  static func run(_ context: CommandContext) throws
}

/// The arguments of a command line, checked against a command's description.
package struct ParsedArguments: Equatable, Sendable {
  /// Values by the option's long name. A flag has one empty value; a repeatable flag has one for each time it was
  /// given.
  var options: [String: [String]] = [:]
  /// Values by the argument's name.
  var positionals: [String: [String]] = [:]
}
