import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// Maps user record names to account names, as users know each other by these. An account that can't be read is shown
/// by its user record name.
struct People {
  private let names: [String: String]

  init(_ session: Session) throws(ServiceError) {
    let accounts = try session.service.accounts.listAccounts().accounts
    names = Dictionary(accounts.map { ($0.userRecordName, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  func account(_ userRecordName: String) -> String? { names[userRecordName] }

  /// The account's name; without an account, the user record name.
  func name(of userRecordName: String?) -> String {
    userRecordName.map { names[$0] ?? $0 } ?? ""
  }
}

/// Results of a batch, split into values and failures.
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

  /// Throws if an item failed. Call it after the values were printed.
  func check(_ things: String) throws {
    let count = values.count + failures.count
    if let failure = CommandFailure(failures, of: count, things) { throw failure }
  }
}
