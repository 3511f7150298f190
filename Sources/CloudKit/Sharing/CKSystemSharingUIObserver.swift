import Foundation
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import Synchronization

/// Reports the shares that the system's sharing screen saved or stopped on this device.
///
/// ```swift
/// let observer = CKSystemSharingUIObserver(container: container)
/// observer.systemSharingUIDidSaveShareBlock = { shareID, result in … }
/// observer.systemSharingUIDidStopSharingBlock = { shareID, result in … }
/// ```
///
/// The observer reports the actions of the sharing screen from then on, until the observer is released. It reports only
/// actions on the device and by the account of the scope in force when the observer was made, in its container and
/// environment. It does not report saves by the program itself, other devices or other users; change feeds and
/// subscriptions report those. Every observer in every program on the device is called. The screen saves a share itself
/// and reports it afterwards, so the program's own copies of the share and its root are out of date then.
///
/// Threads: use it from any. The blocks are called on a serial queue of the observer, in the order of events, in the
/// scope of its creation. A block that is set while another block runs is called from the next event on.
///
/// - Difference: the sharing screen is the command line: `localcloud share create`, `invite`, `set`, `remove`,
///   `link`, `approve`, `deny`, `block` and `unblock` save a share, `share stop` and `share leave` delete it, and
///   `share manage` does any of them.
/// - Difference: an observer reports nothing if it finds no cloud, or if neither an account nor a device is chosen; it
///   looks again when one of its blocks is set.
// Sendable: the constants have Sendable types, and the mutable state is behind a lock.
open class CKSystemSharingUIObserver: NSObject, @unchecked Sendable {
  private let acting: ActingIdentity
  private let calls = SharingScreenCalls()
  private let reader = Mutex<SharingReader?>(nil)

  /// Makes an observer for the shares of that container. Events after the return are reported. Blocks on the disk.
  public init(container: CKContainer) {
    acting = container.identity.acting(now: ActingIdentity.current)
    super.init()
    startIfNeeded()
  }

  deinit {
    reader.withLock { $0 }?.stop()
    calls.end()
  }

  /// Called after the sharing screen saved a share, with the saved share, or failed to save it, with the `CKError`, for
  /// example `serverRecordChanged`, `permissionFailure` or `tooManyParticipants`. Nil: saves are not reported.
  ///
  /// - Assumption: the ID is that of the share's record; Apple says "a record ID".
  /// - Difference: the share comes without its encrypted values and its assets' files; fetch it for those.
  @preconcurrency
  open var systemSharingUIDidSaveShareBlock: (@Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void)? {
    get { calls.didSave }
    set {
      calls.didSave = newValue
      startIfNeeded()
    }
  }

  /// Called after the sharing screen stopped sharing and deleted the share's record, or failed to delete it, with the
  /// `CKError`. Nil: stops are not reported.
  ///
  /// - Assumption: a participant that leaves by the screen also deletes the share's record, in the shared database; the
  ///   block is called for that as well.
  @preconcurrency
  open var systemSharingUIDidStopSharingBlock: (@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)? {
    get { calls.didStop }
    set {
      calls.didStop = newValue
      startIfNeeded()
    }
  }

  private func startIfNeeded() {
    reader.withLock { reader in
      guard reader?.isOver != false else { return }
      let new = SharingReader(acting) { [calls, acting] event, session in calls.call(event, session, acting) }
      do throws(ServiceError) {
        try new.start()
        reader = new
      } catch {
        reader = nil
      }
    }
  }
}
