import LocalCloudService

package enum SchemaValidateCommand: Command {
  package static let description = CommandDescription(
    "schema", "validate", summary: "Tell whether a schema text could be imported",
    discussion: "Changes nothing. It prints what an import would change; a refusal is that of the import.",
    examples: [.init("Before a commit", "localcloud schema validate schema.ckdb")],
    arguments: [.schemaFile], exitCodes: [.failure, .noStore, .notFound, .refused, .schemaRefused, .storage])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.schemas.validate(schema: context.schemaText(), by: session.caller)
    var document = SchemaChangesText.document(changes)
    document["isValid"] = true
    try context.emit(document, text: SchemaChangesText.lines(changes, none: "valid, and nothing would change"))
  }
}
