import Emulator
import Foundation
import Synchronization

/// Posts `CKAccountChanged` as long as one of these lives: one notification for all containers that were made in the same
/// scope. Every container holds one.
final class AccountWatch: Sendable {
  private struct Entry {
    var listener: AccountListener
    var watches = 1
  }

  private static let entries = Mutex<[Acting?: Entry]>([:])

  private let acting: Acting?

  init(_ acting: Acting?) {
    let acting = Self.device(acting)
    self.acting = acting
    Self.entries.withLock { entries in
      if entries[acting] == nil {
        entries[acting] = Entry(listener: Self.listener(acting))
      } else {
        entries[acting]?.watches += 1
      }
    }
  }

  deinit {
    // The listener goes when the table is not locked any more.
    _ = Self.entries.withLock { entries -> AccountListener? in
      entries[acting]?.watches -= 1
      return entries[acting]?.watches == 0 ? entries.removeValue(forKey: acting)?.listener : nil
    }
  }

  /// Before a request of a container is made: what changes after its answer is told.
  static func begin(_ acting: Acting?) {
    let acting = device(acting)
    let listener = entries.withLock { entries in
      // Perhaps there is a cloud by now.
      if entries[acting]?.listener.isOver == true { entries[acting]?.listener = Self.listener(acting) }
      return entries[acting]?.listener
    }
    listener?.isListening()
  }

  /// Which container is no matter.
  private static func device(_ acting: Acting?) -> Acting? {
    guard var acting else { return nil }
    acting.container = nil
    acting.environment = nil
    return acting
  }

  private static func listener(_ acting: Acting?) -> AccountListener {
    AccountListener(acting) {
      Acting.$current.withValue(acting) { NotificationCenter.default.post(name: .CKAccountChanged, object: nil) }
    }
  }
}
