import LocalCloudService

package enum CktoolResetSchemaCommand: Command {
  package static let description = CommandDescription(
    "cktool", "reset-schema", summary: "Make development what production is, without any data",
    discussion: "Does not ask, and prints nothing; \"schema reset\" does both. " + CktoolOptions.note,
    examples: [.init("Start over", "localcloud cktool reset-schema --container-id iCloud.com.example.App")],
    options: CktoolOptions.access, requiredGlobalOptions: ["container-id"],
    exitCodes: [.failure, .noStore, .locked, .storage])

  package static func run(_ context: CommandContext) throws {
    guard context.string("environment") == nil else {
      throw CommandFailure.usage("--environment cannot be given: development is reset, and nothing else")
    }
    let session = try context.session()
    _ = try session.service.schemas.resetDevelopment(by: session.caller)
  }
}
