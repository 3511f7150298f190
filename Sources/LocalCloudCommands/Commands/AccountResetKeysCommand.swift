import LocalCloudModel
import LocalCloudService
import LocalCloudStore

package enum AccountResetKeysCommand: Command {
  package static let description = CommandDescription(
    "account", "reset-keys", summary: "Throw an account's encryption keys away",
    discussion: """
      What happens when somebody loses their keychain and starts over: in the acting container all that is encrypted \
      with the old keys is gone. The account's zones that hold encrypted values or assets read as absent, with \
      CloudKit's CKErrorUserDidResetEncryptedDataKey, until they are deleted or saved again; the default zone loses those \
      fields alone. Whoever takes part in a share of such a zone loses it. In others' zones the account has to accept \
      the shares again.
      """,
    examples: [.init("Without a question", "localcloud account reset-keys alice --yes")],
    arguments: [AccountOptions.nameOrActing],
    exitCodes: [.failure, .noStore, .locked, .notFound])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let account = try context.account(of: session)
    let container = session.caller.container
    try context.confirm("throw away all that is encrypted with the keys of \(account.name) in \(container)")
    let reset = try session.service.keys.resetKeys(of: account.name, container: container)
    try context.report(
      [
        "containerIdentifier": .string(container), "generation": .integer(reset.generation),
        "name": .string(account.name), "sharedZones": .array(reset.shared.map { .object($0.object) }),
        "zones": .array(reset.zones.map { .object($0.object) }),
      ],
      text: "reset the keys of \(account.name, .bold) in \(container): \(Self.text(reset))")
  }

  private static func text(_ reset: KeyReset) -> String {
    func names(_ zones: [EnvironmentZone]) -> String { zones.map(\.zone.name.string).joined(separator: ", ") }
    var parts: [String] = []
    if !reset.zones.isEmpty { parts.append("gone are \(names(reset.zones))") }
    if !reset.shared.isEmpty { parts.append("to be joined again are \(names(reset.shared))") }
    return parts.isEmpty ? "nothing was encrypted" : parts.joined(separator: "; ")
  }
}
