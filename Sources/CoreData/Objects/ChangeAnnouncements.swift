import Synchronization

/// Notifies module Combine of objects that are about to change. Combine is built on this module.
package enum ChangeAnnouncements {
  /// A function in a structure: one that stands in a mutex by itself is wrapped once more by each access.
  private struct Listener {
    let call: @Sendable (AnyObject) -> Void
  }

  private static let isListening = Atomic(false)
  private static let listener = Mutex<Listener?>(nil)

  /// Calls `listener` before each change from now on; a listener that is there stays.
  package static func begin(_ listener: @escaping @Sendable (AnyObject) -> Void) {
    if isListening.load(ordering: .acquiring) { return }
    Self.listener.withLock { $0 = $0 ?? Listener(call: listener) }
    isListening.store(true, ordering: .releasing)
  }

  static func objectWillChange(_ object: NSManagedObject) {
    guard isListening.load(ordering: .acquiring) else { return }
    listener.withLock { $0 }?.call(object)
  }
}
