import LocalCloudService

package enum CktoolValidateSchemaCommand: Command {
  package static let description = CommandDescription(
    "cktool", "validate-schema", summary: "Tell whether a schema text could be imported",
    discussion: "Changes nothing. " + CktoolOptions.note,
    examples: [
      .init(
        "Before a commit",
        "localcloud cktool validate-schema --container-id iCloud.com.example.App --environment development --file schema.ckdb"
      )
    ],
    options: CktoolOptions.access + [CktoolOptions.file], requiredGlobalOptions: CktoolOptions.schemaAccess,
    exitCodes: [.failure, .noStore, .notFound, .refused, .schemaRefused, .storage])

  /// Prints cktool's messages ([schema-text-9]). A failed validation is reported on standard error.
  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let text = try context.schemaText()
    do {
      _ = try session.service.schemas.validate(schema: text, by: session.caller)
    } catch {
      guard error.cause == .schema, !context.format.isJSON else { throw error }
      context.output.say(StyledText(lines: "❌ Schema validation failed: \(error.message)"))
      throw SilentExit(.schemaRefused)
    }
    try context.report(["isValid": true], text: "✅ Schema is valid.")
  }
}
