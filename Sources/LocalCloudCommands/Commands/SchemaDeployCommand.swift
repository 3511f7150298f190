import LocalCloudService

package enum SchemaDeployCommand: Command {
  package static let description = CommandDescription(
    "schema", "deploy", summary: "Copy development's schema to production",
    discussion: """
      As the CloudKit console does: types, fields, indexes, roles and grants are copied, records are not. Production \
      loses no type and no field, and a field's type never changes.
      """,
    examples: [.init("Look first", "localcloud schema diff"), .init("Then", "localcloud schema deploy")],
    exitCodes: [.noStore, .locked, .schemaRefused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.schemas.deploySchema(by: session.caller)
    try context.report(
      SchemaChangesText.document(changes), text: SchemaChangesText.lines(changes, none: "production is up to date"))
  }
}
