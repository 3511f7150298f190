import LocalCloudService

package enum AccountShowCommand: Command {
  package static let description = CommandDescription(
    "account", "show", summary: "Show an account",
    examples: [
      .init("The acting account's user record name", "localcloud account show --json | jq -r .userRecordName")
    ],
    arguments: [AccountOptions.nameOrActing],
    exitCodes: [.noStore, .notFound])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let account = try context.account(of: session)
    try context.emit(account.object, text: AccountText.details(account))
  }
}
