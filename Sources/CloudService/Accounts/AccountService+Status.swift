import LocalCloudModel
import LocalCloudStore

/// The caller's account and its status ([account-state-1]).
extension AccountService {
  /// The account of a request that needs one. A request that only reads may need none; see ``account(of:reading:)``.
  func account(of caller: Caller) throws -> Account {
    try NameRules.check(container: caller.container)
    return try signedIn(caller)
  }

  /// The account of a request that reads; nil only in the public database, as reading it needs no account.
  func account(of caller: Caller, reading scope: DatabaseScope) throws -> Account? {
    guard scope == .public else { return try account(of: caller) }
    try NameRules.check(container: caller.container)
    return try signedInReader(caller)
  }

  /// Returns the status of the caller's account; `noAccount` if no account is signed in.
  ///
  /// - Throws: `notAuthenticated` for an account that the cloud does not have.
  package func accountStatus(by caller: Caller) throws(ServiceError) -> AccountStatus {
    try perform(.accountStatus, by: caller) { try state(of: caller).status }
  }

  /// The state of the device's account, for noticing changes of it. Doesn't count as a request.
  package func accountState(of caller: Caller) throws(ServiceError) -> AccountState {
    do { return try state(of: caller) } catch { throw ServiceError(describing: error) }
  }

  private func state(of caller: Caller) throws -> AccountState {
    guard let name = caller.account else { return AccountState() }
    let account = try requireAccount(name)
    return account.status == .noAccount
      ? AccountState() : AccountState(userRecordName: account.userRecordName, status: account.status)
  }

  /// The caller's user record name, stable for the account.
  ///
  /// - Throws: `notAuthenticated` without an account, `accountTemporarilyUnavailable` while it is not ready.
  package func userRecordName(by caller: Caller) throws(ServiceError) -> String {
    try perform(.currentUser, by: caller) { try account(of: caller).userRecordName }
  }

  /// The user record name of the caller's account, even if the account isn't ready; nil without an account. It
  /// identifies the owner of the data in an answer. Doesn't count as a request.
  package func ownName(of caller: Caller) -> String? {
    (try? signedInReader(caller))?.userRecordName
  }

  static func signedOut(_ caller: Caller) -> ServiceError {
    ServiceError(
      .notAuthenticated, "This request requires an authenticated account", internalCode: 1002,
      hint: caller.device.map {
        "Nobody is signed in on \($0): `localcloud device sign-in \($0) ACCOUNT` signs somebody in."
      } ?? "Set LOCALCLOUD_ACCOUNT, or give --account.")
  }

  /// The caller's account. Throws unless it may use private and shared data, and write.
  func signedIn(_ caller: Caller) throws -> Account {
    guard let name = caller.account else { throw Self.signedOut(caller) }
    try caller.device.map(NameRules.check(device:))
    let account = try requireAccount(name)
    switch account.status {
    case .available:
      return account
    case .temporarilyUnavailable:
      throw ServiceError(.accountTemporarilyUnavailable, "Account temporarily unavailable", internalCode: 1002)
    case .couldNotDetermine, .restricted, .noAccount:
      throw ServiceError(
        .notAuthenticated, "This request requires an authenticated account (status: \(account.status.name))",
        internalCode: 1002)
    }
  }

  /// The caller's account for a request that does not need one; nil without an account, or if the account may not be
  /// used.
  func signedInReader(_ caller: Caller) throws -> Account? {
    guard let account = try caller.account.map(requireAccount) else { return nil }
    return [.available, .temporarilyUnavailable].contains(account.status) ? account : nil
  }
}

extension ServiceError {
  static func unknownAccount(_ name: String) -> ServiceError {
    ServiceError(
      .notAuthenticated, "There is no account \(name) in this cloud.", cause: .unknownAccount,
      hint: "Add it with `localcloud account add \(name) --email ADDRESS`; `localcloud account list` shows the others.")
  }
}
