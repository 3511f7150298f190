package enum CktoolExportSchemaCommand: Command {
  package static let description = CommandDescription(
    "cktool", "export-schema", summary: "Print the schema of an environment, or write it to a file",
    discussion: CktoolOptions.note,
    examples: [
      .init(
        "Into a file",
        "localcloud cktool export-schema --container-id iCloud.com.example.App --environment development --output-file schema.ckdb"
      )
    ],
    options: CktoolOptions.access + [
      .value("output-file", "FILE", help: "where to write it; else it is printed")
    ], requiredGlobalOptions: CktoolOptions.schemaAccess, exitCodes: [.noStore, .storage])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let text = try session.service.schemas.schema(by: session.caller).text
    guard let path = context.string("output-file") else { return try context.output.write(StyledText(lines: text)) }
    try WrittenFile.write(Array(text.utf8), to: path)
  }
}
