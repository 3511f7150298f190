import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// The session of work that lasts, for example of a wait. It is opened again when another cloud has replaced its cloud.
///
/// The restore of a snapshot replaces a cloud, and so does a script that removes a cloud and makes one at the same
/// path. ``ChangeWait`` notices it, because it watches the root.
///
/// Threads: use it on one.
package final class LastingSession {
  package private(set) var current: Session
  private let open: () throws -> Session
  /// Called with each new session, for state that belongs to the cloud before: tokens and positions in logs.
  package var replaced: (Session) throws -> Void = { _ in }

  package init(_ open: @escaping () throws -> Session) throws {
    current = try open()
    self.open = open
  }

  /// Opens the session again if its cloud was replaced; returns whether it was.
  ///
  /// - Throws: `badContainer` if the cloud was removed or moved; the errors of opening the session, for example
  ///   `notAuthenticated` if the new cloud does not have the account.
  package func reopenIfReplaced() throws -> Bool {
    guard try current.isReplaced() else { return false }
    current = try open()
    try replaced(current)
    return true
  }
}

extension Session {
  /// Whether another cloud has replaced the session's cloud, so that its requests no longer reach the present one.
  ///
  /// Opens the present cloud. This finishes a restore that was interrupted.
  ///
  /// - Throws: `badContainer` if the cloud was removed or moved; the errors of opening the present cloud.
  package func isReplaced() throws(ServiceError) -> Bool {
    let cloud = service.cloud
    if cloud.isCurrent { return false }
    do { try Session.openCloud(settings) } catch {
      // Of a cloud that is being removed, folders may be left without the marker.
      guard Cloud.exists(at: cloud.path) else {
        throw ServiceError(describing: StoreError.notACloud(path: cloud.path))
      }
      throw error
    }
    return true
  }

  /// Restores a snapshot, and opens the restored cloud: its new histories are drawn from this session's seed, if it has
  /// one. Open a new session for requests to it.
  package func restoreSnapshot(_ name: String) throws(ServiceError) {
    try service.snapshots.restore(name)
    try Session.openCloud(settings)
  }
}
