import LocalCloudService

package enum CktoolImportSchemaCommand: Command {
  package static let description = CommandDescription(
    "cktool", "import-schema", summary: "Make a schema text the schema of development",
    discussion: """
      What the text leaves out is deleted with its data, without a question, as far as production does not have it. \
      Prints nothing but, on standard error, which data went. \(CktoolOptions.note)
      """,
    examples: [
      .init(
        "The schema that is kept beside the code",
        "localcloud cktool import-schema --container-id iCloud.com.example.App --environment development --file schema.ckdb"
      )
    ],
    options: CktoolOptions.access + [
      CktoolOptions.file, .flag("validate", help: "validate it first, as an import does anyway"),
    ], requiredGlobalOptions: CktoolOptions.schemaAccess,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .schemaRefused, .storage])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let done = try session.service.schemas.importSchema(context.schemaText(), by: session.caller)
    SchemaImportText.notices(done).forEach(context.output.notice)
    if context.format.isJSON { try context.report(SchemaImportText.document(done), text: "") }
  }
}
