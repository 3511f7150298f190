/// One command of the tool; a type and a file of its own in `Commands`.
package protocol Command: Sendable {
  static var description: CommandDescription { get }
  static func run(_ context: CommandContext) throws
}
