import Synchronization

/// The registrations of generated code from the program's load until the first lookup.
///
/// It is created at the first use, possibly before `main`, so it uses only the standard library.
struct PendingRegistrations<Item: Sendable>: ~Copyable {
  private let pending = Mutex<[Item]>([])
  /// Held while registrations are processed, so that every lookup waits for the result. Registering does not acquire
  /// it, because generated code may register more items while it is held.
  private let learning = Mutex(())

  func add(_ item: Item) { pending.withLock { $0.append(item) } }

  func learn(_ body: ([Item]) -> Void) {
    learning.withLock { _ in
      let items = pending.withLock { pending in
        defer { pending = [] }
        return pending
      }
      body(items)
    }
  }
}
