import CloudService
import LocalCloud

/// Accounts by their user record names: people know each other by name. Those that can't be read go by their user
/// record name.
struct People {
  private let names: [String: String]

  init(_ session: Session) throws(ServiceError) {
    let accounts = try session.service.accounts.listAccounts().accounts
    names = Dictionary(accounts.map { ($0.userRecordName, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  func account(_ userRecordName: String) -> String? { names[userRecordName] }

  /// The account's name; the user record name where there is no such account.
  func name(of userRecordName: String?) -> String {
    userRecordName.map { names[$0] ?? $0 } ?? ""
  }
}
