import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// Changes to a device and its account, as `localcloud device` and `localcloud account` make them from a terminal.
///
/// All functions block on the disk and on other processes' locks, and throw a `CKError`. `CKAccountChanged` notifies
/// all programs on the device, including this one.
extension LocalCloud {
  /// Signs an account in on the device of the scope or the environment. It replaces the account that was signed in
  /// there: the long-lived operations of that account on the device are removed.
  ///
  /// - Parameter account: the account's name in the cloud.
  /// - Throws: a `CKError`: `notAuthenticated` for an account that the cloud does not have, or where no device is
  ///   chosen.
  public static func signIn(as account: String) throws {
    try administer { (session, device) throws(ServiceError) in
      _ = try session.service.devices.signIn(account, on: try device())
    }
  }

  /// Signs out the account on the device of the scope or the environment. Its long-lived operations on the device are
  /// removed.
  ///
  /// - Throws: a `CKError`: `unknownItem` for a device without a present or earlier sign-in, `notAuthenticated` where
  ///   no device is chosen.
  public static func signOut() throws {
    try administer { (session, device) throws(ServiceError) in _ = try session.service.devices.signOut(try device()) }
  }

  /// Sets the status that an account's devices report.
  ///
  /// - Parameters:
  ///   - status: the new status, for all devices of the account.
  ///   - account: the account's name in the cloud.
  /// - Throws: a `CKError`: `notAuthenticated` for an account that the cloud does not have.
  public static func setStatus(_ status: CKAccountStatus, of account: String) throws {
    var changes = AccountChanges()
    changes.status = AccountStatus(rawValue: status.rawValue)
    try administer { (session, _) throws(ServiceError) in
      _ = try session.service.accounts.setAccount(account, changes)
    }
  }

  /// Marks an account's storage as full, or as free again. While the storage is full, all users' saves in the account's
  /// zones fail with `quotaExceeded`.
  ///
  /// - Parameters:
  ///   - isFull: whether the storage is full.
  ///   - account: the account's name in the cloud.
  /// - Throws: a `CKError`: `notAuthenticated` for an account that the cloud does not have.
  public static func setStorageFull(_ isFull: Bool, of account: String) throws {
    var changes = AccountChanges()
    changes.storage = isFull ? .full : .available
    try administer { (session, _) throws(ServiceError) in
      _ = try session.service.accounts.setAccount(account, changes)
    }
  }

  /// Adds an account to a role that the schema creates with `CREATE ROLE`, in the container and environment of the
  /// scope or the environment variables. The account gets the permissions of the role in the public database.
  ///
  /// - Parameters:
  ///   - role: the role's name in the schema.
  ///   - account: the account's name in the cloud.
  /// - Throws: a `CKError`: `notAuthenticated` for an account that the cloud does not have, `unknownItem` for a role
  ///   that the schema does not have.
  public static func addRole(_ role: String, to account: String) throws {
    try setMembership(of: account, in: role, true)
  }

  /// Removes an account from a role, in the container and environment of the scope or the environment variables. It
  /// keeps its other roles.
  ///
  /// - Parameters:
  ///   - role: the role's name in the schema.
  ///   - account: the account's name in the cloud.
  /// - Throws: a `CKError`, as `addRole` does.
  public static func removeRole(_ role: String, from account: String) throws {
    try setMembership(of: account, in: role, false)
  }

  private static func setMembership(of account: String, in role: String, _ isMember: Bool) throws {
    try administer { (session, _) throws(ServiceError) in
      _ = try session.service.accounts.setMembership(of: account, in: role, isMember, by: session.caller)
    }
  }

  private static func administer(
    _ body: (Session, () throws(ServiceError) -> String) throws(ServiceError) -> Void
  ) throws {
    do throws(ServiceError) {
      let acting = ActingIdentity.current ?? ActingIdentity()
      let settings = try Settings(acting)
      let session = try Session(acting, settings: settings, as: .administrator)
      try body(session) { () throws(ServiceError) in
        guard let device = settings.deviceName else {
          throw ServiceError(
            .notAuthenticated, "No device is chosen", hint: "Set LOCALCLOUD_DEVICE or LOCALCLOUD_ACCOUNT.")
        }
        return device
      }
    } catch {
      throw CKError.make(error)
    }
  }
}
