import CloudService
import Emulator

/// Choosing, in a test, whose device this is.
///
/// An app needs none of this: without a scope, `CKContainer` reads `LOCALCLOUD_ROOT`, `LOCALCLOUD_ACCOUNT`,
/// `LOCALCLOUD_DEVICE`, `LOCALCLOUD_CONTAINER` and `LOCALCLOUD_ENVIRONMENT`. A scope holds for the task that runs its
/// body and for the tasks made in it; a `CKContainer` made in a scope keeps the scope's choice for calls from outside.
///
/// ```swift
/// try await LocalCloud.acting(as: "alice", root: folder) {
///   try await CKContainer(identifier: "iCloud.example").privateCloudDatabase.save(record)
/// }
/// ```
public enum LocalCloud {
  /// Runs `body` on an account's device. `account` nil: signed in to no account. What is nil besides comes from the
  /// scope around, and then from the environment.
  ///
  /// The device has to be signed in to the account, or to nobody, when it is first used so; a new device is signed in.
  /// After that the scope is whoever signs in there, by `LocalCloud.signIn(as:)` or from a terminal.
  public static func acting<Result>(
    as account: String?, device: String? = nil, root: String? = nil, container: String? = nil,
    environment: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let acting = try acting(account, device, root, container, environment)
    return try Acting.$current.withValue(acting, operation: body)
  }

  /// The same for asynchronous work.
  public static func acting<Result>(
    as account: String?, device: String? = nil, root: String? = nil, container: String? = nil,
    environment: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    let acting = try acting(account, device, root, container, environment)
    return try await Acting.$current.withValue(acting, operation: body)
  }

  private static func acting(
    _ account: String?, _ device: String?, _ root: String?, _ container: String?, _ environment: String?
  ) throws -> Acting {
    var acting = Acting()
    acting.root = root
    acting.who = account.map { .account($0) } ?? .signedOut
    acting.device = device
    acting.container = container
    acting.environment = try environment.map(Settings.environment(named:))
    return acting.over(Acting.current)
  }

  /// Makes a cloud in a folder that is empty or not there yet.
  public static func createCloud(at root: String) throws {
    _ = try CloudService.create(root: root)
  }

  /// Adds an account to the cloud of the scope or the environment.
  public static func addAccount(_ name: String, emails: [String] = [], phoneNumbers: [String] = []) throws {
    var changes = AccountChanges()
    changes.emails = emails
    changes.phones = phoneNumbers
    _ = try Session(Acting.current ?? Acting()).service.accounts.addAccount(name, changes)
  }

  /// What happens when an account's person loses the keychain and starts over: all that is encrypted in the container of
  /// the scope or the environment is gone. See `localcloud help account reset-keys`.
  public static func resetKeys(of account: String) throws {
    let session = try Session(Acting.current ?? Acting())
    _ = try session.service.keys.resetKeys(of: account, container: session.caller.container)
  }

  /// What happens when an account's person deletes the app's data in Settings: all that the account keeps in the
  /// container of the scope or the environment is gone. See `localcloud help account purge`.
  public static func purgeData(of account: String) throws {
    let session = try Session(Acting.current ?? Acting())
    _ = try session.service.zones.purgeData(of: account, container: session.caller.container)
  }
}
