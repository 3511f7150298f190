import Synchronization

/// Notifies module Combine of objects that changed. Combine is built on this module.
package enum ChangeAnnouncements {
  /// A function in a structure: one that stands in a mutex by itself is wrapped once more by each access.
  private struct Listener {
    let call: @Sendable (AnyObject) -> Void
  }

  private static let isListening = Atomic(false)
  private static let listener = Mutex<Listener?>(nil)

  /// Calls `listener` for each object that a context processes changes of from now on. The first listener stays.
  package static func begin(_ listener: @escaping @Sendable (AnyObject) -> Void) {
    if isListening.load(ordering: .acquiring) { return }
    Self.listener.withLock { $0 = $0 ?? Listener(call: listener) }
    isListening.store(true, ordering: .releasing)
  }

  static func send(_ event: ChangeEvent) {
    guard isListening.load(ordering: .acquiring), let listener = listener.withLock({ $0 }) else { return }
    for object in event.objects { listener.call(object) }
  }
}
