import LocalCloudModel
import LocalCloudStore

/// Membership of accounts in the custom roles of schemas ([record-role-1] and following).
extension AccountService {
  /// Adds an account to a role that the schema creates, or removes it from the role, in the container and environment
  /// of `caller`.
  ///
  /// - Difference: `localcloud account add-role` assigns a role where iCloud has its console. The field `roles` of the
  ///   user's record stays empty: the numbers that iCloud writes there are not documented.
  ///
  /// - Parameters:
  ///   - name: the account's name.
  ///   - isMember: whether the account is in the role afterwards. It may be in the role, or not, already.
  /// - Returns: the changed account.
  /// - Throws: `notAuthenticated` if the cloud has no account of this name; `unknownItem` if the schema has no such
  ///   role.
  package func setMembership(
    of name: String, in role: String, _ isMember: Bool, by caller: Caller
  ) throws(ServiceError) -> Account {
    try perform(.administration, by: nil) {
      try NameRules.check(container: caller.container)
      return try changeAccount(name) { account in
        // An import waits until the account is written, so the schema keeps the role until then.
        let known = try service.schemas.storedSchema(caller.container, caller.environment).roles
        guard known.contains(role) || !isMember && account[rolesIn: caller].contains(role) else {
          throw ServiceError.unknownRole(role, known, caller)
        }
        if isMember {
          account[rolesIn: caller].insert(role)
        } else {
          account[rolesIn: caller].remove(role)
        }
      }
    }
  }

  /// Removes all accounts from the roles other than `kept`, in the container and environment of `caller`.
  ///
  /// Call with the root's lock held exclusively: no other process holds the lock of the accounts then.
  func removeMembers(ofAllRolesBut kept: Set<String>, _ caller: Caller) throws {
    for account in try allAccounts() where !account[rolesIn: caller].isSubset(of: kept) {
      _ = try changeAccount(account.name) { $0[rolesIn: caller].formIntersection(kept) }
    }
  }
}

extension ServiceError {
  fileprivate static func unknownRole(_ role: String, _ known: Set<String>, _ caller: Caller) -> ServiceError {
    ServiceError(
      .unknownItem,
      "There is no role '\(role)' in the schema of \(caller.container), \(caller.environment.rawValue).",
      hint: known.isEmpty
        ? "It has no roles. `CREATE ROLE NAME;` in a text for `localcloud schema import` creates one; "
          + "`localcloud schema deploy` copies roles to production."
        : "Its roles are \(known.sorted().joined(separator: ", ")).")
  }
}
