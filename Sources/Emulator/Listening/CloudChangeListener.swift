import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import Synchronization

/// Reports the events that a mirroring program needs, for one acting identity: pushes of its container, also those that
/// other processes of the device take; changes by the sharing screen of its device, as that device gets no push for
/// them; changes of its account; and when its device becomes online.
///
/// Threads: safe to use from any that may block. The functions that are called may block, too.
package final class CloudChangeListener: Sendable {
  private struct Pushes {
    var reader: PushReader
    var number: Int
  }

  private struct State {
    var isStopped = false
    var pushes: Pushes?
    var sharing: SharingReader?
    var account: AccountListener?
  }

  private let acting: ActingIdentity
  private let pushed: @Sendable (JSONObject?) -> Void
  private let accountChanged: @Sendable () -> Void
  private let cameOnline: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter pushed: gets the push's dictionary; nil if another process has taken it, for a change by the sharing
  ///   screen, and when another cloud has replaced the present one.
  package init(
    _ acting: ActingIdentity?, container: String, pushed: @escaping @Sendable (JSONObject?) -> Void,
    accountChanged: @escaping @Sendable () -> Void, cameOnline: @escaping @Sendable () -> Void
  ) {
    var acting = acting ?? ActingIdentity()
    acting.container = container
    (self.acting, self.pushed) = (acting, pushed)
    (self.accountChanged, self.cameOnline) = (accountChanged, cameOnline)
  }

  deinit { stop() }

  /// Begins to report changes of the account, and when the device becomes online, unless that has begun already.
  /// Returns once all later changes are reported; false if none will be.
  package func listenToAccount() -> Bool {
    if let listener = state.withLock({ $0.account }), listener.isListening() { return true }
    let listener = AccountListener(acting, changed: accountChanged, cameOnline: cameOnline)
    let isStopped = state.withLock { state in
      if !state.isStopped { state.account = listener }
      return state.isStopped
    }
    return !isStopped && listener.isListening()
  }

  /// Whether pushes to this user are reported. That ends when the cloud is removed, or replaced by one in which the
  /// account is not signed in on the device.
  package func isListeningToPushes(to userRecordName: String) -> Bool {
    state.withLock { state in
      guard let pushes = state.pushes, let sharing = state.sharing else { return false }
      return pushes.reader.isListening(to: userRecordName) && !sharing.isOver
    }
  }

  /// Begins to report pushes to the account that is signed in by now, and changes of its shares by this device's
  /// sharing screen.
  package func listenToPushes() throws(ServiceError) {
    stopPushes()
    let sharing = SharingReader(acting) { [pushed] _, _ in pushed(nil) }
    try sharing.start()
    let pushes: Pushes
    do {
      let (reader, number) = try PushReader.join(
        PushListeners.Listener(
          acting: acting, failed: { _ in }, takenElsewhere: { [pushed] in pushed(nil) },
          handler: { [pushed] push in pushed(push) })
      )
      pushes = Pushes(reader: reader, number: number)
    } catch {
      sharing.stop()
      throw ServiceError(describing: error)
    }
    let isStopped = state.withLock { state in
      if !state.isStopped { (state.pushes, state.sharing) = (pushes, sharing) }
      return state.isStopped
    }
    guard isStopped else { return }
    pushes.reader.leave(pushes.number)
    sharing.stop()
  }

  package func stop() {
    let account = state.withLock { state in
      state.isStopped = true
      defer { state.account = nil }
      return state.account
    }
    stopPushes()
    _ = account
  }

  private func stopPushes() {
    let (pushes, sharing) = state.withLock { state in
      defer { (state.pushes, state.sharing) = (nil, nil) }
      return (state.pushes, state.sharing)
    }
    if let pushes { pushes.reader.leave(pushes.number) }
    sharing?.stop()
  }
}
