import LocalCloudModel
import LocalCloudStorage

/// Discovery of users who allow it ([account-find-1]).
extension AccountService {
  // MARK: Permission

  /// Returns the user's answer to the app's request for discoverability; `initialState` before the request.
  package func permissionStatus(by caller: Caller) throws(ServiceError) -> DiscoverabilityStatus {
    try perform(.applicationPermission, by: caller) {
      try account(of: caller).permissions[caller.container]?.status ?? .initialState
    }
  }

  /// Asks the user for permission, unless they were asked before on any device.
  ///
  /// - Difference: the user is not asked: the answer is yes, unless `localcloud account discoverability` set another
  ///   one.
  ///
  /// - Returns: the answer. Further calls return the same answer.
  package func requestPermission(by caller: Caller) throws(ServiceError) -> DiscoverabilityStatus {
    try perform(.applicationPermission, by: caller) {
      let account = try account(of: caller)
      if let known = account.permissions[caller.container], known.wasAsked { return known.status }
      let container = caller.container
      let answered = try changeAccount(account.name) { $0.permissions[container, default: .standard].wasAsked = true }
      return answered.permissions[container]?.status ?? .initialState
    }
  }

  /// Sets the user's answer to the app of a container; nil: no answer yet.
  ///
  /// - Parameters:
  ///   - name: the account's name.
  ///   - container: the app's container.
  /// - Returns: the changed account.
  /// - Throws: `notAuthenticated` if the cloud has no account of this name.
  package func setDiscoverability(
    of name: String, in container: String, _ answer: Discoverability?
  ) throws(ServiceError) -> Account {
    try perform(.administration, by: nil) {
      try NameRules.check(container: container)
      return try changeAccount(name) { $0.permissions[container] = answer }
    }
  }

  // MARK: People

  /// Returns the user found by each of these; nil if there is none, or the user does not allow discovery.
  ///
  /// - Assumption: the caller need not be discoverable.
  /// - Difference: users need not be in the caller's Contacts; all accounts of the cloud are searched.
  ///
  /// - Returns: one element for each lookup, in the same order.
  package func discover(_ lookups: [LookupInfo], by caller: Caller) throws(ServiceError) -> [UserIdentity?] {
    try perform(.discoverUsers, by: caller) {
      let known = try discoverable(by: caller)
      return lookups.map { lookup in
        guard let wanted = try? normalized(lookup), var found = known.first(where: { $0.answers(to: wanted) })?.identity
        else { return nil }
        found.lookup = wanted
        return found
      }
    }
  }

  /// Returns all other users who allow discovery, by account name.
  ///
  /// - Assumption: the caller is not among them.
  package func discoverAll(by caller: Caller) throws(ServiceError) -> [UserIdentity] {
    try perform(.discoverUsers, by: caller) {
      try discoverable(by: caller).filter { $0.name != caller.account }.map(\.identity)
    }
  }

  private func discoverable(by caller: Caller) throws -> [Account] {
    _ = try account(of: caller)
    return try knownAccounts().filter { $0.permissions[caller.container]?.status == .granted }
      .sorted { ExactName($0.name) < ExactName($1.name) }
  }
}
