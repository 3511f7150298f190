import CloudModel
import CloudService
import Emulator
import Foundation
import Synchronization

/// Tells a program which shares the system's sharing screen saved, and which it stopped, on this device.
///
/// ```swift
/// let observer = CKSystemSharingUIObserver(container: container)
/// observer.systemSharingUIDidSaveShareBlock = { shareID, result in … }
/// observer.systemSharingUIDidStopSharingBlock = { shareID, result in … }
/// ```
///
/// It reports what is done on the device and as the account of the scope in which it was made, in its container and
/// environment, from then on until nothing refers to it any more. What the program saves itself, and what other devices and
/// other people do, is not reported; the change feeds and subscriptions tell of that. Every observer of every program that
/// runs on the device is told. The screen saves a share itself and tells of it afterwards, so copies of the share and its
/// root that the program keeps are out of date then.
///
/// Threads: use it from any. Its blocks are called on a serial queue of its own, in the order in which things happened, in
/// the scope in which it was made; a block that is set while another one runs is called from the next time on.
///
/// - Difference: the sharing screen is the command line: `localcloud share create`, `invite`, `set`, `remove`, `link`,
///   `approve`, `deny`, `block` and `unblock` save a share, `share stop` and `share leave` delete it, and `share manage`
///   does any of them.
/// - Difference: an observer that finds no cloud, or for which neither an account nor a device is chosen, reports nothing;
///   it looks again when one of its blocks is set.
// Sendable: constants of Sendable types, and what changes is behind a lock.
open class CKSystemSharingUIObserver: NSObject, @unchecked Sendable {
  private let acting: ActingIdentity
  private let calls = SharingScreenCalls()
  private let reader = Mutex<SharingReader?>(nil)

  /// Makes an observer of what the sharing screen does with shares of that container. What happens from the return on is
  /// reported. Blocks on the disk.
  public init(container: CKContainer) {
    acting = container.identity.acting(now: ActingIdentity.current)
    super.init()
    startIfNeeded()
  }

  deinit {
    reader.withLock { $0 }?.stop()
    calls.end()
  }

  /// Called when the sharing screen saved a share, with the share as it was saved, or could not: with the `CKError` that it
  /// got, such as `serverRecordChanged`, `permissionFailure` or `tooManyParticipants`. Nil: nobody wants to know.
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

  /// Called when somebody stopped sharing by the sharing screen, after the share's record was deleted, or could not be
  /// deleted: with the `CKError` that the screen got. Nil: nobody wants to know.
  ///
  /// - Assumption: a participant who leaves by the screen deletes the share's record, too, in the shared database; it is
  ///   called for that as well.
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
