import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// Chooses the account and device of a test.
///
/// An app needs none of this: without a scope, `CKContainer` reads `LOCALCLOUD_ROOT`, `LOCALCLOUD_ACCOUNT`,
/// `LOCALCLOUD_DEVICE`, `LOCALCLOUD_CONTAINER` and `LOCALCLOUD_ENVIRONMENT`. A scope applies to the task that runs its
/// body and to the tasks created in it. A `CKContainer` that was created in a scope uses the scope's account and device
/// also when it is called from outside.
///
/// ```swift
/// try LocalCloud.createCloud(at: folder)
/// try LocalCloud.addAccount("alice", root: folder)
/// try await LocalCloud.acting(as: "alice", root: folder) {
///   try await CKContainer(identifier: "iCloud.example").privateCloudDatabase.save(record)
/// }
/// ```
public enum LocalCloud {
  /// Runs `body` on an account's device. A nil `root`, `container` or `environment` is taken from the enclosing scope,
  /// and then from the environment variables.
  ///
  /// At the first use, the device has to be signed in to the account or to no account; a new device is signed in. After
  /// that, `LocalCloud.signIn(as:)` or a command in a terminal changes the account of the scope.
  ///
  /// - Parameters:
  ///   - account: the account's name in the cloud; nil: no account is signed in.
  ///   - device: the device's name; by default the account's default device.
  ///   - root: the path of the cloud's folder.
  ///   - container: the identifier of the default container.
  ///   - environment: `development` or `production`.
  ///   - body: called once, on this thread.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`, or an error for another word as environment.
  @discardableResult
  public static func acting<Result>(
    as account: String?, device: String? = nil, root: String? = nil, container: String? = nil,
    environment: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let acting = try identity(account, device, root, container, environment)
    return try ActingIdentity.$current.withValue(acting, operation: body)
  }

  /// Runs asynchronous work on an account's device, like the synchronous function.
  @discardableResult
  public static func acting<Result>(
    as account: String?, device: String? = nil, root: String? = nil, container: String? = nil,
    environment: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    let acting = try identity(account, device, root, container, environment)
    return try await ActingIdentity.$current.withValue(acting, operation: body)
  }

  /// Runs `body` on an account's device, in the cloud in the folder `root`.
  @discardableResult
  public static func acting<Result>(
    as account: String?, device: String? = nil, root: URL, container: String? = nil, environment: String? = nil,
    _ body: () throws -> Result
  ) throws -> Result {
    try acting(
      as: account, device: device, root: root.path, container: container, environment: environment, body)
  }

  /// Runs asynchronous work on an account's device, in the cloud in the folder `root`.
  @discardableResult
  public static func acting<Result>(
    as account: String?, device: String? = nil, root: URL, container: String? = nil, environment: String? = nil,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    let acting = try identity(account, device, root.path, container, environment)
    return try await ActingIdentity.$current.withValue(acting, operation: body)
  }

  /// `scope`: the enclosing scope.
  static func identity(
    _ account: String?, _ device: String?, _ root: String?, _ container: String?, _ environment: String?,
    in scope: ActingIdentity? = ActingIdentity.current
  ) throws -> ActingIdentity {
    var acting = ActingIdentity()
    acting.root = root
    acting.who = account.map { .account($0) } ?? .signedOut
    acting.device = device
    acting.container = container
    acting.environment = try environment.map(Settings.environment(named:))
    return acting.over(scope)
  }

  /// Creates a cloud in a folder that is empty or does not exist yet. It has no accounts: add some with
  /// `addAccount`.
  ///
  /// - Parameter root: the path of the folder.
  /// - Throws: a `CKError` for a folder that has other contents or cannot be written.
  public static func createCloud(at root: String) throws {
    do throws(ServiceError) { _ = try CloudService.create(root: root) } catch { throw CKError.make(error) }
  }

  /// Creates a cloud in a folder that is empty or does not exist yet.
  public static func createCloud(at root: URL) throws { try createCloud(at: root.path) }

  /// Adds an account to a cloud. People are invited to shares by its e-mail addresses and phone numbers.
  ///
  /// - Parameters:
  ///   - name: the account's name, for commands, scopes and `LOCALCLOUD_ACCOUNT`.
  ///   - emails: e-mail addresses; each belongs to at most one account.
  ///   - phoneNumbers: phone numbers; each belongs to at most one account.
  ///   - root: the cloud's folder; nil for the cloud of the scope or the environment.
  /// - Throws: a `CKError`: `serverRejectedRequest` for a name or an address that is taken.
  public static func addAccount(
    _ name: String, emails: [String] = [], phoneNumbers: [String] = [], root: String? = nil
  ) throws {
    var changes = AccountChanges()
    changes.emails = emails
    changes.phones = phoneNumbers
    var acting = ActingIdentity.current ?? ActingIdentity()
    acting.root = root ?? acting.root
    do throws(ServiceError) {
      _ = try Session(acting, as: .administrator).service.accounts.addAccount(name, changes)
    } catch {
      throw CKError.make(error)
    }
  }

  /// Adds an account to the cloud in the folder `root`.
  public static func addAccount(
    _ name: String, emails: [String] = [], phoneNumbers: [String] = [], root: URL
  ) throws {
    try addAccount(name, emails: emails, phoneNumbers: phoneNumbers, root: root.path)
  }

  /// Simulates that a user loses the keychain and starts over: all encrypted data of the account in the container of
  /// the scope or the environment are deleted. See `localcloud help account reset-keys`.
  public static func resetKeys(of account: String) throws {
    let session = try Session(ActingIdentity.current ?? ActingIdentity())
    _ = try session.service.keys.resetKeys(of: account, container: session.caller.container)
  }

  /// Simulates that a user deletes the app's data in Settings: all data of the account in the container of the scope or
  /// the environment are deleted. See `localcloud help account purge`.
  public static func purgeData(of account: String) throws {
    let session = try Session(ActingIdentity.current ?? ActingIdentity())
    _ = try session.service.zones.purgeData(of: account, container: session.caller.container)
  }
}
