import Foundation
import LocalCloudEmulator
import Synchronization

/// Posts `CKAccountChanged` while an instance exists: one notification for all containers that were made in the same
/// scope. Every container holds an instance.
final class AccountWatch: Sendable {
  private struct Entry {
    var listener: AccountListener
    var watches = 1
  }

  private static let entries = Mutex<[ActingIdentity?: Entry]>([:])

  private let acting: ActingIdentity?

  init(_ acting: ActingIdentity?) {
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
    // The listener is released after the lock of the table.
    _ = Self.entries.withLock { entries -> AccountListener? in
      entries[acting]?.watches -= 1
      return entries[acting]?.watches == 0 ? entries.removeValue(forKey: acting)?.listener : nil
    }
  }

  /// Called before a request of a container is made, so that later changes are reported.
  static func begin(_ acting: ActingIdentity?) {
    let acting = device(acting)
    let listener = entries.withLock { entries in
      // The listener may have ended because there was no cloud; a cloud may exist now.
      if entries[acting]?.listener.isOver == true { entries[acting]?.listener = Self.listener(acting) }
      return entries[acting]?.listener
    }
    listener?.isListening()
  }

  /// Removes the container and the environment: they have no influence on the account.
  private static func device(_ acting: ActingIdentity?) -> ActingIdentity? {
    guard var acting else { return nil }
    acting.container = nil
    acting.environment = nil
    return acting
  }

  private static func listener(_ acting: ActingIdentity?) -> AccountListener {
    AccountListener(acting) {
      ActingIdentity.$current.withValue(acting) {
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
      }
    }
  }
}
