import LocalCloudService

package enum SchemaImportCommand: Command {
  package static let description = CommandDescription(
    "schema", "import", summary: "Make a schema text the schema of development",
    discussion: """
      The text says all: what it leaves out is taken away, with its data. A record type that is gone takes its records \
      along, a field its values, in the private databases of all accounts and in the public one; what went is told on \
      standard error. What production has stays: a text without it is refused, as a whole. "schema validate" tells \
      beforehand what would go. If it is cut short, doing it again does the rest.
      """,
    examples: [.init("The schema that is kept beside the code", "localcloud schema import schema.ckdb")],
    arguments: [.schemaFile],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .schemaRefused, .storage])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let done = try session.service.schemas.importSchema(context.schemaText(), by: session.caller)
    SchemaImportText.notices(done).forEach(context.output.notice)
    try context.report(
      SchemaImportText.document(done), text: SchemaChangesText.lines(done.changes, none: "no changes"))
  }
}
