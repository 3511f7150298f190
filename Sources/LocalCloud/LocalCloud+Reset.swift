import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

extension LocalCloud {
  /// The part of a cloud that ``LocalCloud/reset(_:accounts:schema:)`` empties.
  public enum ResetScope: Sendable, Hashable {
    /// All containers.
    case all
    /// Both environments of the container of the scope or the environment variables.
    case container
    /// The environment of the scope or the environment variables, in its container.
    case environment
    /// The private databases of the account with this name, in all containers.
    case account(String)
    /// The zone with this name in the private database of the acting account.
    case zone(String)
  }

  /// Empties a part of the cloud, as `localcloud reset` does from a terminal. A test that shares a cloud with others
  /// can start with it.
  ///
  /// ```swift
  /// try LocalCloud.acting(as: "alice", root: folder, container: "iCloud.example") {
  ///   try LocalCloud.reset(.container)
  /// }
  /// ```
  ///
  /// Zones, records, shares and subscriptions are deleted, and so are pushes, opened links and long-lived operations
  /// that wait on devices; the reset of a zone only deletes the zone. Accounts and schemas stay. Running programs see
  /// the zones as deleted. After an error a second call does the rest.
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Parameters:
  ///   - scope: the part to empty.
  ///   - accounts: with `.all`, whether to remove the accounts and to sign out their devices.
  ///   - schema: whether to remove the schemas of the emptied environments; not for an account or a zone.
  /// - Throws: a `CKError`: `invalidArguments` for flags that the scope does not have, `notAuthenticated` for an
  ///   account that the cloud does not have, `zoneNotFound` for a zone that does not exist, `serverResponseLost` if a
  ///   part is deleted.
  public static func reset(_ scope: ResetScope, accounts: Bool = false, schema: Bool = false) throws {
    do throws(ServiceError) {
      let acting = ActingIdentity.current ?? ActingIdentity()
      // Only the reset of a zone is a request of an account.
      let session = if case .zone = scope { try Session(acting) } else { try Session(acting, as: .administrator) }
      var extras: ResetExtras = accounts ? .accounts : []
      if schema { extras.insert(.schema) }
      _ = try session.service.resets.reset(scope.target(session.caller), extras, by: session.caller)
    } catch {
      throw CKError.make(error)
    }
  }
}

extension LocalCloud.ResetScope {
  fileprivate func target(_ caller: Caller) -> ResetTarget {
    switch self {
    case .all: .all
    case .container: .container(caller.container)
    case .environment: .environment(caller.environment, of: caller.container)
    case .account(let name): .account(name)
    case .zone(let name): .zone(ExactName(name))
    }
  }
}
