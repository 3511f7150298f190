import Synchronization

/// Notifies the module Combine of objects that changed. Combine is built on this module.
package enum ChangeAnnouncements {
  /// A function in a structure: a function that is stored in a mutex directly is wrapped once more by each access.
  private struct Listener {
    let call: @Sendable (AnyObject) -> Void
  }

  private static let listener = Mutex<Listener?>(nil)

  /// Calls `listener` for each object with changes that a context processes from now on. Only the first listener is
  /// used.
  package static func begin(_ listener: @escaping @Sendable (AnyObject) -> Void) {
    Self.listener.withLock { $0 = $0 ?? Listener(call: listener) }
  }

  static func send(_ event: ChangeEvent) {
    guard let listener = listener.withLock({ $0 }) else { return }
    for object in event.objects { listener.call(object) }
  }
}
