import LocalCloudService

package enum SchemaDiffCommand: Command {
  package static let description = CommandDescription(
    "schema", "diff", summary: "Show how development's schema differs from production's",
    discussion: """
      A program that works in development fails in production where a type, a field or an index of these lines is \
      missing. + will come with \"schema deploy\", ~ will change; - stays in production, as deploying takes nothing away.
      """,
    examples: [.init("Fail a build that forgot to deploy", "localcloud schema diff --quiet")],
    exitCodes: [.noStore, .problemsFound])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let changes = try session.service.schemas.schemaDifferences(by: session.caller)
    try context.report(
      SchemaChangesText.document(changes), text: SchemaChangesText.lines(changes, none: "no differences"))
    if !changes.isEmpty { throw SilentExit(.problemsFound) }
  }
}
