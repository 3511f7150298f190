import LocalCloudCloudKitImport
import LocalCloudEmulator

/// The automatic synchronization of the engines of this process. Each function applies to the engines of one cloud: the
/// cloud of the scope, or of the environment. So tests with a cloud each do not disturb each other.
extension LocalCloud {
  /// Stops the automatic work of each `CKSyncEngine`, so that a test determines when it happens. This also applies to
  /// engines that are created later.
  ///
  /// ```swift
  /// LocalCloud.holdSyncEngines()
  /// await phone.set("Buy milk", of: "note")
  /// await tablet.set("Buy tea", of: "note")
  /// await LocalCloud.runSyncEnginesUntilIdle()
  /// ```
  ///
  /// A held engine does not look up the account, fetch, send or report a new state. Work that runs at the time of the
  /// call continues. `fetchChanges` and `sendChanges` work as always.
  ///
  /// - Difference: not Apple's; it stands for the system's scheduler.
  public static func holdSyncEngines() { SyncSchedules.hold(acting: ActingIdentity.current) }

  /// Lets held engines work automatically again. They do the work that has become due.
  ///
  /// - Difference: not Apple's; it stands for the system's scheduler.
  public static func releaseSyncEngines() { SyncSchedules.release(acting: ActingIdentity.current) }

  /// Does the automatic work of the engines now, whether they are held or not, until no engine has any.
  ///
  /// The engines work one after another, in the order of their creation, and again as long as there are pending changes
  /// or changes to fetch. Each first looks up the account. An engine with `automaticallySync` fetches changes without
  /// their push. Work that waits for a time after a failure is tried once, and so are pending changes and unfetched
  /// zones after `cancelOperations`. Errors are not thrown, because the delegate receives them in events.
  ///
  /// The delegates are called as usual, and have returned when the function returns. Do not call the function in a
  /// delegate's callback: this stops the process, as `fetchChanges` does there.
  ///
  /// - Difference: not Apple's; it stands for the system's scheduler.
  public static func runSyncEnginesUntilIdle() async {
    await SyncSchedules.runUntilIdle(acting: ActingIdentity.current)
  }
}
