package enum VersionCommand: Command {
  static let version = "0.1.0"

  package static let description = CommandDescription(
    "version", summary: "Print the version of this tool",
    examples: [.init("Only the number, for a script", "localcloud version --json | jq -r .version")])

  package static func run(_ context: CommandContext) throws {
    try context.emit(
      ["version": .string(version), "swift": .string(swiftVersion)],
      text: "localcloud \(version) (Swift \(swiftVersion))")
  }

  /// The version of the compiler that built the tool, as far as conditional compilation can tell.
  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }
}
