import CoreData
import Foundation

/// A notice that a container's store was changed, by whomever.
struct RemoteChange: @unchecked Sendable {
  let info: [AnyHashable: Any]

  /// The notices from now on. None of them is lost while nobody waits.
  static func stream(of container: NSPersistentContainer) -> AsyncStream<RemoteChange> {
    AsyncStream { continuation in
      let token = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
      ) { continuation.yield(RemoteChange(info: $0.userInfo ?? [:])) }
      let box = UncheckedBox(token)
      continuation.onTermination = { _ in NotificationCenter.default.removeObserver(box.value) }
    }
  }
}

/// Lets a value pass to another task that the compiler can't know to be safe there.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
