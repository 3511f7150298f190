/// What a command line said, checked against a command's description.
package struct ParsedArguments: Equatable, Sendable {
  /// By an option's long name; flags hold one empty value for each time they were given.
  var options: [String: [String]] = [:]
  /// By an argument's name.
  var positionals: [String: [String]] = [:]
}
