package enum AccountSetCommand: Command {
  package static let description = CommandDescription(
    "account", "set", summary: "Change an account",
    discussion: """
      What is not named stays. --email and --phone replace all the addresses or numbers there were; an empty value \
      leaves none. A status other than available makes the account's requests fail as iCloud would.
      """,
    examples: [
      .init("Sign out", "localcloud account set bob --status noAccount"),
      .init(
        "Two addresses instead of those before",
        "localcloud account set bob --email b@example.com --email b@example.org"),
    ],
    arguments: [ArgumentDescription("name", help: "the account")],
    options: AccountOptions.all, exitCodes: [.failure, .noStore, .notFound])

  package static func run(_ context: CommandContext) throws {
    guard AccountOptions.all.contains(where: { context.flag($0.name) }) else {
      throw CommandFailure.usage("nothing to change was named")
    }
    let account = try context.session().service.setAccount(context.required("name"), context.accountChanges())
    try context.report(account.object, text: "changed \(account.name, .bold)")
  }
}
