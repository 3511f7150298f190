import LocalCloudService
import LocalCloudStore

package enum AccountPurgeCommand: Command {
  package static let description = CommandDescription(
    "account", "purge", summary: "Delete all that an account keeps in a container",
    discussion: """
      What happens when somebody deletes an app's data in the Settings of iCloud: in the acting container, in both \
      environments, the account's own zones go with their shares, and read as deleted by the user, CloudKit's \
      userDeletedZone, until they are deleted or saved again; the default zone loses its records. Whoever takes part in a \
      share of such a zone loses it. What others share with the account stays, and so does the public database.
      """,
    examples: [
      .init("Without a question", "localcloud account purge alice --yes"),
      .init("Another container's data", "localcloud account purge alice --container iCloud.com.example.App"),
    ],
    arguments: [AccountOptions.nameOrActing],
    exitCodes: [.failure, .noStore, .locked, .notFound])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let account = try context.account(of: session)
    let container = session.caller.container
    try context.confirm("delete all that \(account.name) keeps in \(container)")
    let purged = try session.service.zones.purgeData(of: account.name, container: container)
    let names = purged.map(\.zone.name.string).joined(separator: ", ")
    try context.report(
      [
        "containerIdentifier": .string(container), "name": .string(account.name),
        "zones": .array(purged.map { .object($0.object) }),
      ],
      text:
        "purged the data of \(account.name, .bold) in \(container): \(purged.isEmpty ? "there was none" : "gone are \(names)")"
    )
  }
}
