import CloudService

package enum AccountShowCommand: Command {
  package static let description = CommandDescription(
    "account", "show", summary: "Show an account",
    examples: [
      .init("The acting account's user record name", "localcloud account show --json | jq -r .userRecordName")
    ],
    arguments: [ArgumentDescription("name", optional: true, help: "the account; else the one that acts")],
    exitCodes: [.noStore, .notFound])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    guard let name = context.positional("name") ?? session.caller.account else {
      throw CommandFailure.usage("no account acts", hint: "name one, or set LOCALCLOUD_ACCOUNT")
    }
    let account = try session.service.account(name)
    try context.emit(account.object, text: AccountText.details(account))
  }
}
