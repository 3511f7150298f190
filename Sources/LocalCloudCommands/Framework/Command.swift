/// One command of the tool; a type and a file of its own in `Commands`.
package protocol Command: Sendable {
  static var description: CommandDescription { get }
  static func run(_ context: CommandContext) throws
}

/// What a command line said, checked against a command's description.
package struct ParsedArguments: Equatable, Sendable {
  /// By an option's long name; flags hold one empty value for each time they were given.
  var options: [String: [String]] = [:]
  /// By an argument's name.
  var positionals: [String: [String]] = [:]
}
