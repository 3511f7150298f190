import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import Synchronization

/// What a program that mirrors the cloud has to hear of, as the identity with which it was set up: pushes of its
/// container, whichever of the device's processes takes them, what the sharing screen does on its device (that device
/// gets no push of it), changes of its account, and that its device comes online.
///
/// Threads: safe to use from any that may block. The functions that are called may block, too.
package final class CloudNews: Sendable {
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
  private let pushed: @Sendable () -> Void
  private let accountChanged: @Sendable () -> Void
  private let cameOnline: @Sendable () -> Void
  private let state = Mutex(State())

  package init(
    _ acting: ActingIdentity?, container: String, pushed: @escaping @Sendable () -> Void,
    accountChanged: @escaping @Sendable () -> Void, cameOnline: @escaping @Sendable () -> Void
  ) {
    var acting = acting ?? ActingIdentity()
    acting.container = container
    (self.acting, self.pushed) = (acting, pushed)
    (self.accountChanged, self.cameOnline) = (accountChanged, cameOnline)
  }

  deinit { stop() }

  /// Begins to report changes of the account, and that the device comes online, if that is possible and not done yet, and
  /// returns once all from now on are reported; false if none will be.
  package func listenToAccount() -> Bool {
    if let listener = state.withLock({ $0.account }), listener.isListening() { return true }
    let listener = AccountListener(acting, changed: accountChanged, cameOnline: cameOnline)
    let isStopped = state.withLock { state in
      if !state.isStopped { state.account = listener }
      return state.isStopped
    }
    return !isStopped && listener.isListening()
  }

  /// Begins to report pushes to the account that is signed in by now, and what is done to its shares on this device.
  package func listenToPushes() throws(ServiceError) {
    stopPushes()
    let sharing = SharingReader(acting) { [pushed] _, _ in pushed() }
    try sharing.start()
    let pushes: Pushes
    do {
      let (reader, number) = try PushReader.join(
        PushListeners.Listener(acting: acting, failed: { _ in }, overheard: pushed, handler: { [pushed] _ in pushed() })
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
