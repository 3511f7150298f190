import LocalCloudService

struct CktoolExportSchemaCommand: Command {
  static let description = CommandDescription(
    "cktool", "export-schema", summary: "Print the schema of an environment, or write it to a file",
    discussion: CktoolOptions.note,
    examples: [
      .init(
        "Into a file",
        "localcloud cktool export-schema --container-id iCloud.com.example.App --environment development --output-file schema.ckdb"
      )
    ], requiredGlobalOptions: CktoolOptions.schemaAccess, exitCodes: [.noStore, .storage])

  let access = CktoolAccess()
  let outputFile = Option<String>(
    "output-file", "FILE", completes: .file, help: "where to write it; else it is printed")

  var options: [any OptionDeclaration] { access.options + [outputFile] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let text = try session.service.schemas.schema(by: session.caller).text
    guard let path = context[outputFile] else { return try context.output.write(StyledText(lines: text)) }
    try WrittenFile.write(Array(text.utf8), to: path)
  }
}

struct CktoolImportSchemaCommand: Command {
  static let description = CommandDescription(
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
    ], requiredGlobalOptions: CktoolOptions.schemaAccess,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .schemaRefused, .storage], deletesData: true)

  let access = CktoolAccess()
  let file = CktoolOptions.file
  let validate = Flag("validate", help: "validate it first, as an import does anyway")
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { access.options + [file, validate, dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    if context.isDryRun { return try context.writeDryRun(importing: context[file], session) }
    let done = try session.service.schemas.importSchema(context.schemaText(of: context[file]), by: session.caller)
    SchemaImportText.notices(done).forEach(context.output.notice)
    if context.format.isJSON { try context.writeUnlessQuiet(SchemaImportText.document(done), text: "") }
  }
}

struct CktoolValidateSchemaCommand: Command {
  static let description = CommandDescription(
    "cktool", "validate-schema", summary: "Tell whether a schema text could be imported",
    discussion: "Changes nothing. " + CktoolOptions.note,
    examples: [
      .init(
        "Before a commit",
        "localcloud cktool validate-schema --container-id iCloud.com.example.App --environment development --file schema.ckdb"
      )
    ], requiredGlobalOptions: CktoolOptions.schemaAccess,
    exitCodes: [.failure, .noStore, .notFound, .refused, .schemaRefused, .storage])

  let access = CktoolAccess()
  let file = CktoolOptions.file

  var options: [any OptionDeclaration] { access.options + [file] }

  /// Prints cktool's messages ([schema-text-9]). A failed validation is reported on standard error.
  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let text = try context.schemaText(of: context[file])
    do {
      _ = try session.service.schemas.validate(schema: text, by: session.caller)
    } catch {
      guard error.cause == .schema, !context.format.isJSON else { throw error }
      context.output.say(StyledText(lines: "❌ Schema validation failed: \(error.message)"))
      throw SilentExit(.schemaRefused)
    }
    try context.writeUnlessQuiet(["isValid": true], text: "✅ Schema is valid.")
  }
}

struct CktoolResetSchemaCommand: Command {
  static let description = CommandDescription(
    "cktool", "reset-schema", summary: "Make development what production is, without any data",
    discussion: "Does not ask, and prints nothing; \"schema reset\" does both. " + CktoolOptions.note,
    examples: [.init("Start over", "localcloud cktool reset-schema --container-id iCloud.com.example.App")],
    requiredGlobalOptions: [CktoolOptions.container],
    exitCodes: [.failure, .noStore, .locked, .storage], deletesData: true)

  let access = CktoolAccess()
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { access.options + [dryRun] }

  func run(_ context: CommandContext) throws {
    guard !context.isGiven(GlobalOptions.environment) else {
      throw CommandFailure.usage("--environment cannot be given: development is reset, and nothing else")
    }
    let session = try context.session()
    if context.isDryRun { return try context.writeDryRun(resettingBy: session) }
    _ = try session.service.schemas.resetDevelopment(by: session.caller)
  }
}
