package enum AccountAddCommand: Command {
  package static let description = CommandDescription(
    "account", "add", summary: "Add a person's iCloud account",
    discussion: "People are invited to shares by the addresses and numbers given here.",
    examples: [
      .init("Somebody to share with", "localcloud account add bob --email bob@example.com"),
      .init(
        "With several addresses and a name",
        "localcloud account add ada --email ada@example.com --email a@example.org --phone +15550100 --given-name Ada"),
    ],
    arguments: [ArgumentDescription("name", help: "a short name, for --account and LOCALCLOUD_ACCOUNT")],
    options: AccountOptions.all, exitCodes: [.failure, .noStore])

  package static func run(_ context: CommandContext) throws {
    let account = try context.session(as: .administrator).service.accounts.addAccount(
      context.required("name"), context.accountChanges())
    try context.report(account.object, text: "added \(account.name, .bold), user record \(account.userRecordName)")
  }
}
