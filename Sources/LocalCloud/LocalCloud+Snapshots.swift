import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// Snapshots of the cloud of the scope or the environment, as `localcloud snapshot` saves and restores them.
///
/// All functions block on the disk and on other processes' locks, and throw a `CKError`: `badContainer` without a
/// cloud.
extension LocalCloud {
  /// A state of a whole cloud, saved under a name.
  public struct Snapshot: Sendable, Hashable {
    /// The name.
    public let name: String
    /// When it was saved.
    public let created: Date
    /// A text for people.
    public let note: String?
    /// The names of the accounts, sorted.
    public let accounts: [String]
    /// The number of records in all zones.
    public let recordCount: Int
  }

  /// The snapshots, sorted by name.
  public static var snapshots: [Snapshot] {
    get throws {
      try withSession { (session) throws(ServiceError) in
        try session.service.snapshots.list().map {
          Snapshot(
            name: $0.name, created: Date(timeIntervalSince1970: Double($0.created) / 1000), note: $0.note,
            accounts: $0.accounts, recordCount: $0.records)
        }
      }
    }
  }

  /// Saves the state of the whole cloud: accounts, devices, and the data of all containers.
  ///
  /// A test saves a state that takes long to make once, and restores it before each case:
  ///
  /// ```swift
  /// try LocalCloud.saveSnapshot("two people, one shared list")
  /// try await renameTheList()
  /// try LocalCloud.restoreSnapshot("two people, one shared list")
  /// ```
  ///
  /// - Difference: not Apple's; iCloud has no snapshots.
  ///
  /// - Parameters:
  ///   - name: 1 to 200 bytes without control characters; does not begin with a dot.
  ///   - note: a text for people.
  ///   - replacing: whether a snapshot of this name is replaced.
  /// - Throws: a `CKError`: `invalidArguments` for an invalid name, `serverRejectedRequest` for a name that is taken.
  public static func saveSnapshot(_ name: String, note: String? = nil, replacing: Bool = false) throws {
    try withSession { (session) throws(ServiceError) in
      _ = try session.service.snapshots.save(name, note: note, replacing: replacing)
    }
  }

  /// Gives the cloud the state of a snapshot again, as a whole or not at all. The present state is lost; the snapshots
  /// stay.
  ///
  /// The restored cloud has new histories: change tokens from after the snapshot are refused with `changeTokenExpired`.
  /// Waits, listeners and other processes go on in the restored cloud. Core Data stores keep their objects.
  ///
  /// - Difference: not Apple's; iCloud has no snapshots.
  ///
  /// - Throws: a `CKError`: `unknownItem` if there is no snapshot of this name; the state is unchanged then.
  public static func restoreSnapshot(_ name: String) throws {
    try withSession { (session) throws(ServiceError) in try session.restoreSnapshot(name) }
  }

  /// Deletes a snapshot. The state of the cloud does not change.
  ///
  /// - Throws: a `CKError`: `unknownItem` if there is no snapshot of this name.
  public static func deleteSnapshot(_ name: String) throws {
    try withSession { (session) throws(ServiceError) in try session.service.snapshots.delete(name) }
  }

  /// Calls `body` with a session of the scope or the environment that acts without an account.
  ///
  /// - Throws: a `CKError`.
  static func withSession<Result>(
    _ body: (Session) throws(ServiceError) -> Result
  ) throws -> Result {
    do throws(ServiceError) {
      return try body(Session(ActingIdentity.current ?? ActingIdentity(), as: .administrator))
    } catch {
      throw CKError.make(error)
    }
  }
}
