package enum AccountListCommand: Command {
  package static let description = CommandDescription(
    "account", "list", summary: "List all accounts",
    examples: [.init("Names alone", "localcloud account list --json | jq -r '.accounts[].name'")],
    exitCodes: [.noStore, .storage])

  package static func run(_ context: CommandContext) throws {
    let (accounts, failures) = try context.session(as: .administrator).service.accounts.listAccounts()
    try context.emit(
      list: "accounts", accounts.map { .object($0.object) }, isPartial: !failures.isEmpty,
      table: AccountText.table(accounts))
    if let failure = CommandFailure(failures, of: accounts.count + failures.count, "accounts") { throw failure }
    if accounts.isEmpty { context.output.hint("add one with: localcloud account add NAME --email ADDRESS") }
  }
}
