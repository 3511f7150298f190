import Synchronization

/// Tells module Combine, which is built on this one, of objects that are about to change.
package enum ChangeAnnouncements {
  private static let isListening = Atomic(false)
  private static let listener = Mutex<(@Sendable (AnyObject) -> Void)?>(nil)

  /// Calls `listener` before each change from now on; a listener that is there stays.
  package static func begin(_ listener: @escaping @Sendable (AnyObject) -> Void) {
    if isListening.load(ordering: .acquiring) { return }
    Self.listener.withLock { $0 = $0 ?? listener }
    isListening.store(true, ordering: .releasing)
  }

  static func objectWillChange(_ object: NSManagedObject) {
    guard isListening.load(ordering: .acquiring) else { return }
    listener.withLock { $0 }?(object)
  }
}
