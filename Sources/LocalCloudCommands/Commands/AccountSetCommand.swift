package enum AccountSetCommand: Command {
  package static let description = CommandDescription(
    "account", "set", summary: "Change an account",
    discussion: """
      What is not named stays. --email and --phone replace all the addresses or numbers there were; an empty value \
      leaves none. A status other than available makes the account's requests fail as iCloud would, on all its devices; \
      programs that run there are told (CKAccountChanged). While the storage is full, whatever anybody saves in the \
      account's private zones fails with quotaExceeded; what is there can be read and deleted.
      """,
    examples: [
      .init("As if a password had to be entered again", "localcloud account set bob --status temporarilyUnavailable"),
      .init("No room for one more record", "localcloud account set bob --storage full"),
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
    let account = try context.session(as: .administrator).service.accounts.setAccount(
      context.required("name"), context.accountChanges())
    try context.report(account.object, text: "changed \(account.name, .bold)")
  }
}
