import CoreData
import Synchronization

/// The errors of a container's last run of each kind in each store.
final class SyncEvents: Sendable {
  private struct Kind: Hashable {
    var store: String
    var type: NSPersistentCloudKitContainer.EventType
  }

  private let last = Mutex<[Kind: String?]>([:])

  init(_ container: NSPersistentCloudKitContainer) {
    _ = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
    ) { [weak self] notification in
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      guard let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event, event.endDate != nil
      else { return }
      let kind = Kind(store: event.storeIdentifier, type: event.type)
      let text = event.error.map { "\(event.type): \($0)" }
      self?.last.withLock { $0[kind] = .some(text) }
    }
  }

  var errors: [String] { last.withLock { $0.values.compactMap(\.self).sorted() } }
}
