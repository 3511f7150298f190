import CloudService

package enum SchemaImportCommand: Command {
  package static let description = CommandDescription(
    "schema", "import", summary: "Make a schema text the schema of development",
    discussion: """
      The text says all: what it leaves out is taken away, as far as no record has it and production does not either. \
      All of it is done or nothing.
      """,
    examples: [.init("The schema that is kept beside the code", "localcloud schema import schema.ckdb")],
    arguments: [.schemaFile], exitCodes: [.noStore, .locked, .notFound, .refused, .schemaRefused, .unsupported])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.importSchema(context.schemaText(), by: session.caller)
    try context.report(SchemaChangesText.document(changes), text: SchemaChangesText.lines(changes, none: "no changes"))
  }
}
