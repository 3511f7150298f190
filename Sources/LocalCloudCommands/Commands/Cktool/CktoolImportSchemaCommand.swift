import CloudService

package enum CktoolImportSchemaCommand: Command {
  package static let description = CommandDescription(
    "cktool", "import-schema", summary: "Make a schema text the schema of development",
    discussion: "Prints nothing. " + CktoolOptions.note,
    examples: [
      .init(
        "The schema that is kept beside the code",
        "localcloud cktool import-schema --container-id iCloud.com.example.App --environment development --file schema.ckdb"
      )
    ],
    options: CktoolOptions.access + [
      CktoolOptions.file, .flag("validate", help: "validate it first, as an import does anyway"),
    ], requiredGlobalOptions: CktoolOptions.schemaPlace,
    exitCodes: [.noStore, .locked, .notFound, .refused, .schemaRefused, .unsupported])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    _ = try session.service.importSchema(context.schemaText(), by: session.caller)
  }
}
