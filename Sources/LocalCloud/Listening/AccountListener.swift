/// Tells when the account of a device changes, for as long as something refers to this: somebody signed in, signed out or
/// is somebody else, or the account's status is another one.
///
/// Threads: use it from any.
package final class AccountListener: Sendable {
  private let reader: AccountReader

  /// `acting`: whose device; `changed` is called on a thread that may block.
  package init(_ acting: Acting?, changed: @escaping @Sendable () -> Void) {
    reader = AccountReader(acting, changed: changed)
    reader.start()
  }

  deinit { reader.stop() }

  /// Waits until changes from now on are told; false if there is no cloud, or nothing that could be watched.
  @discardableResult
  package func isListening() -> Bool { reader.isListening() }

  /// Whether nothing is told any more: there was no cloud, or it is gone.
  package var isOver: Bool { reader.isOver }
}
