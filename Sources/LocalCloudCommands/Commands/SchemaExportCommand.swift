import LocalCloudService

package enum SchemaExportCommand: Command {
  package static let description = CommandDescription(
    "schema", "export", summary: "Print the schema of an environment",
    discussion: """
      In the language of cktool and the CloudKit console, always in the same order: two equal schemas print alike. \
      `ls` finds the same text as schema.ckdb in the environment's folder.
      """,
    examples: [
      .init("Keep development's schema", "localcloud schema export > schema.ckdb"),
      .init("What production has", "localcloud schema export --environment production"),
    ],
    exitCodes: [.noStore, .storage])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let text = try session.service.schemas.schema(by: session.caller).text
    try context.emit(
      ["environment": .string(session.caller.environment.rawValue), "schema": .string(text)],
      text: StyledText(lines: text))
  }
}
