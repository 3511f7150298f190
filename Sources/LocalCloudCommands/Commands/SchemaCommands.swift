import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct SchemaExportCommand: Command {
  static let description = CommandDescription(
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

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let text = try session.service.schemas.schema(by: session.caller).text
    try context.writeResult(
      ["environment": .string(session.caller.environment.rawValue), "schema": .string(text)],
      text: StyledText(lines: text))
  }
}

struct SchemaImportCommand: Command {
  static let description = CommandDescription(
    "schema", "import", summary: "Make a schema text the schema of development",
    discussion: """
      The text says all: what it leaves out is taken away, with its data. A record type that is gone takes its records \
      along, a field its values, in the private databases of all accounts and in the public one; what went is told on \
      standard error. What production has stays: a text without it is refused, as a whole. "schema validate" and \
      --dry-run tell beforehand which types and fields would go. If it is cut short, doing it again does the rest.
      """,
    examples: [.init("The schema that is kept beside the code", "localcloud schema import schema.ckdb")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .schemaRefused, .storage], deletesData: true)

  let file = Argument<String>.schemaText
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [file] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    if context.isDryRun { return try context.writeDryRun(importing: context[file], session) }
    let done = try session.service.schemas.importSchema(context.schemaText(of: context[file]), by: session.caller)
    SchemaImportText.notices(done).forEach(context.output.notice)
    try context.writeUnlessQuiet(
      SchemaImportText.document(done), text: SchemaChangesText.lines(done.changes, none: "no changes"))
  }
}

struct SchemaValidateCommand: Command {
  static let description = CommandDescription(
    "schema", "validate", summary: "Tell whether a schema text could be imported",
    discussion: "Changes nothing. It prints what an import would change; a refusal is that of the import.",
    examples: [.init("Before a commit", "localcloud schema validate schema.ckdb")],
    exitCodes: [.failure, .noStore, .notFound, .refused, .schemaRefused, .storage])

  let file = Argument<String>.schemaText

  var arguments: [any ArgumentDeclaration] { [file] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.schemas.validate(
      schema: context.schemaText(of: context[file]), by: session.caller)
    var document = SchemaChangesText.document(changes)
    document["isValid"] = true
    try context.writeResult(document, text: SchemaChangesText.lines(changes, none: "valid, and nothing would change"))
  }
}

struct SchemaDiffCommand: Command {
  static let description = CommandDescription(
    "schema", "diff", summary: "Show how development's schema differs from production's",
    discussion: """
      A program that works in development fails in production where a type, a field or an index of these lines is \
      missing. + will come with \"schema deploy\", ~ will change; - stays in production, as deploying takes nothing away.
      """,
    examples: [.init("Fail a build that forgot to deploy", "localcloud schema diff --quiet")],
    exitCodes: [.noStore, .problemsFound])

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.schemas.schemaDifferences(by: session.caller)
    try context.writeUnlessQuiet(
      SchemaChangesText.document(changes), text: SchemaChangesText.lines(changes, none: "no differences"))
    if !changes.isEmpty { throw SilentExit(.problemsFound) }
  }
}

struct SchemaDeployCommand: Command {
  static let description = CommandDescription(
    "schema", "deploy", summary: "Copy development's schema to production",
    discussion: """
      As the CloudKit console does: types, fields, indexes, roles and grants are copied, records are not. Production \
      loses no type and no field, and a field's type never changes.
      """,
    examples: [.init("Look first", "localcloud schema diff"), .init("Then", "localcloud schema deploy")],
    exitCodes: [.noStore, .locked, .schemaRefused])

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.schemas.deploySchema(by: session.caller)
    try context.writeUnlessQuiet(
      SchemaChangesText.document(changes), text: SchemaChangesText.lines(changes, none: "production is up to date"))
  }
}

struct SchemaResetCommand: Command {
  static let description = CommandDescription(
    "schema", "reset", summary: "Make development what production is, without any data",
    discussion: """
      As the CloudKit console and cktool do: development's schema becomes production's, which is empty where nothing was \
      deployed, and everything that anybody keeps in development goes: zones, records, shares and subscriptions, in the \
      private databases of all accounts and in the public one. Production stays as it is. If it is cut short, doing it again \
      does the rest.
      """,
    examples: [
      .init("What of the schema would be lost", "localcloud schema diff"),
      .init("Without a question", "localcloud schema reset --yes"),
    ],
    exitCodes: [.failure, .noStore, .locked, .storage], deletesData: true)

  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    if context[GlobalOptions.environment] == .production {
      throw CommandFailure.usage("production is never reset", hint: "leave --environment out: it is development's")
    }
    let session = try context.session()
    if context.isDryRun { return try context.writeDryRun(resettingBy: session) }
    let container = session.caller.container
    try context.confirm("delete all data of development in \(container)")
    let reset = try session.service.schemas.resetDevelopment(by: session.caller)
    let people = try People(session)
    try context.writeUnlessQuiet(Self.document(reset, container), text: text(reset, container, people))
  }

  fileprivate static func document(_ reset: ResetResult, _ container: String) -> JSONObject {
    var document = SchemaChangesText.document(reset.changes)
    document["containerIdentifier"] = .string(container)
    document["recordCount"] = .integer(Int64(reset.records))
    document["subscriptionCount"] = .integer(Int64(reset.subscriptions))
    document["zones"] = .array(
      reset.zones.map { .object(EnvironmentZone(environment: $0.environment, zone: $0.zone).object) })
    return document
  }

  private func text(_ reset: ResetResult, _ container: String, _ people: People) -> StyledText {
    let names = reset.zones.map { ResetText.name(of: $0.zone, people) }
    let gone =
      names.isEmpty ? "there was no data" : "gone are \(reset.records) records: \(names.joined(separator: ", "))"
    return SchemaChangesText.lines(reset.changes, none: "")
      + "reset development of \(container, .bold): \(gone)"
  }
}

extension CommandContext {
  /// Writes the changes that an import would make to the schema. The data of what it removes is not counted.
  func writeDryRun(importing file: String, _ session: Session) throws {
    let changes = try session.service.schemas.validate(schema: schemaText(of: file), by: session.caller)
    try writeDryRun(
      SchemaChangesText.document(changes),
      text: "import: \(SchemaChangesText.lines(changes, none: "no changes"))")
  }

  /// Writes the changes of a reset of development, and the data that it would delete.
  func writeDryRun(resettingBy session: Session) throws {
    let reset = try session.service.schemas.previewOfReset(by: session.caller)
    let container = session.caller.container
    try writeDryRun(
      SchemaResetCommand.document(reset, container),
      text: "reset development of \(container, .bold), delete \(reset.records) records, and change the schema: "
        + SchemaChangesText.lines(reset.changes, none: "no changes"))
  }

  /// Reads the text of a schema file; `-` is standard input.
  func schemaText(of path: String) throws -> String {
    guard let text = String(validating: try contents(ofFile: path, limit: .text), as: UTF8.self) else {
      throw CommandFailure(.schemaRefused, code: "invalidArguments", "\(path) is not a text in UTF-8")
    }
    return text
  }
}
