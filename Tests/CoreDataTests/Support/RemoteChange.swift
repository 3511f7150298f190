import CoreData
import Foundation

/// A remote change notification of a container's store, caused by any process.
struct RemoteChange: @unchecked Sendable {
  let info: [AnyHashable: Any]

  /// The notifications from now on, buffered until they are read.
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

/// Passes a value to another task where the compiler can't prove that this is safe.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
