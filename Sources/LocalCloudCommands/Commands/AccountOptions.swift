import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// Options of `account add` and `account set` that describe an account.
enum AccountOptions {
  static let nameOrActing = ArgumentDescription(
    "name", optional: true, help: "the account; else the one that acts")

  static let all: [OptionDescription] = [
    .value("email", "ADDRESS", repeating: true, help: "an e-mail address to invite the person by"),
    .value("phone", "NUMBER", repeating: true, help: "a phone number to invite the person by"),
    .value("given-name", "NAME", help: "the person's given name"),
    .value("family-name", "NAME", help: "the person's family name"),
    .value(
      "status", "STATUS", allowed: AccountStatus.allCases.map(\.name),
      help: "what the account can do: available, restricted, noAccount, temporarilyUnavailable or couldNotDetermine"),
    .value(
      "storage", "STORAGE", allowed: AccountStorage.allCases.map(\.rawValue),
      help: "available, or full: saves in the account's zones fail with quotaExceeded"),
  ]
}

extension CommandContext {
  /// The named account; without a name, the caller's account.
  func account(of session: Session) throws -> Account {
    guard let name = positional("name") ?? session.caller.account else {
      throw CommandFailure.usage("no account acts", hint: "name one, or set LOCALCLOUD_ACCOUNT")
    }
    return try session.service.accounts.account(name)
  }

  /// The changes that the options specify. An empty value removes the present one.
  func accountChanges() -> AccountChanges {
    func values(_ name: String) -> [String]? { flag(name) ? all(name).filter { !$0.isEmpty } : nil }
    var changes = AccountChanges()
    changes.emails = values("email")
    changes.phones = values("phone")
    changes.givenName = string("given-name")
    changes.familyName = string("family-name")
    changes.status = string("status").flatMap(AccountStatus.init(name:))
    changes.storage = string("storage").flatMap(AccountStorage.init)
    return changes
  }
}
