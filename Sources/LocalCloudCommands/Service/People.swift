import CloudModel
import CloudService
import Emulator

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

/// Outcomes of a batch, sorted into what worked and what did not.
struct Outcomes<Value> {
  private(set) var values: [Value] = []
  private(set) var failures: [(name: String, error: ServiceError)] = []

  init(_ results: [Result<Value, ServiceError>], names: [String]) {
    for (name, result) in zip(names, results) {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error): failures.append((name, error))
      }
    }
  }

  /// Throws if anything failed; call it after what worked was printed.
  func check(_ things: String) throws {
    let count = values.count + failures.count
    if let failure = CommandFailure(failures, of: count, things) { throw failure }
  }
}
