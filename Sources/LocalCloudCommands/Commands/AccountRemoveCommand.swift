package enum AccountRemoveCommand: Command {
  package static let description = CommandDescription(
    "account", "remove", summary: "Remove an account",
    discussion: "Only an account without data of its own and without joined shares can go.",
    examples: [.init("Without a question", "localcloud account remove bob --yes")],
    arguments: [ArgumentDescription("name", help: "the account")],
    exitCodes: [.failure, .noStore, .notFound])

  package static func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let account = try service.accounts.account(context.required("name"))
    try context.confirm("remove the account \(account.name)")
    try service.accounts.removeAccount(account.name)
    try context.report(
      ["deleted": true, "name": .string(account.name), "userRecordName": .string(account.userRecordName)],
      text: "removed \(account.name, .bold)")
  }
}
