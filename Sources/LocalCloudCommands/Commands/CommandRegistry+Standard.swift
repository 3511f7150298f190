extension CommandRegistry {
  /// Every command of the tool, in the order that help lists them.
  package static let standard = CommandRegistry([
    HelpCommand.self,
    VersionCommand.self,
  ])
}
