import Synchronization

/// What generated code registered when the program was loaded, until somebody looks something up.
///
/// Made at the first use, which may be before `main`: it has to do with nothing but the standard library.
struct PendingRegistrations<Item: Sendable>: ~Copyable {
  private let pending = Mutex<[Item]>([])
  /// Held while registrations are learned, so that nobody looks something up in between. Registering does not need it:
  /// what generated code calls may register more.
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
