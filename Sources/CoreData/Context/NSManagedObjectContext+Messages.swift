import Foundation

// The typed forms of two notifications. A message holds objects, which are not sent between threads, so it is one of the
// main actor.

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NSManagedObjectContext {
  /// A save of a context with the main queue, as ``didSaveObjectsNotification`` reports it.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(of: container.viewContext, for: .didSave) { message in
  ///   print(message.inserted.count)
  /// }
  /// ```
  ///
  /// Observe the notification itself for a context with a private queue.
  public struct DidSaveMessage: NotificationCenter.MainActorMessage {
    /// The message is about a context.
    public typealias Subject = NSManagedObjectContext

    /// The name of the notification.
    public static var name: Notification.Name { NSManagedObjectContext.didSaveObjectsNotification }

    /// The context that was saved.
    public let context: NSManagedObjectContext
    /// The objects that the save inserted.
    public let inserted: Set<NSManagedObject>
    /// The objects that the save changed.
    public let updated: Set<NSManagedObject>
    /// The objects that the save deleted.
    public let deleted: Set<NSManagedObject>
    /// The point in the history after the save; nil if no written store has a history.
    public let historyToken: NSPersistentHistoryToken?
    /// The state of the stores after the save.
    public let queryGeneration: NSQueryGenerationToken?

    /// The message for a notification; nil if the notification is not about a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> DidSaveMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return DidSaveMessage(
        context: context, inserted: notification.objects(NSInsertedObjectsKey),
        updated: notification.objects(NSUpdatedObjectsKey), deleted: notification.objects(NSDeletedObjectsKey),
        historyToken: notification.userInfo?[SavedObjects.historyTokenKey] as? NSPersistentHistoryToken,
        queryGeneration: notification.userInfo?[NotificationKey.queryGeneration.rawValue] as? NSQueryGenerationToken)
    }

    /// The notification for a message.
    @MainActor
    public static func makeNotification(_ message: DidSaveMessage) -> Notification {
      var info = changeInfo([
        NSInsertedObjectsKey: message.inserted, NSUpdatedObjectsKey: message.updated,
        NSDeletedObjectsKey: message.deleted,
      ])
      info[SavedObjects.historyTokenKey] = message.historyToken
      info[NotificationKey.queryGeneration.rawValue] = message.queryGeneration
      return Notification(name: name, object: message.context, userInfo: info)
    }
  }

  /// Changes of objects in a context with the main queue, as ``didChangeObjectsNotification`` reports them.
  ///
  /// Observe the notification itself for a context with a private queue.
  public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The message is about a context.
    public typealias Subject = NSManagedObjectContext

    /// The name of the notification.
    public static var name: Notification.Name { NSManagedObjectContext.didChangeObjectsNotification }

    /// The context with the objects.
    public let context: NSManagedObjectContext
    /// Objects that were inserted.
    public let inserted: Set<NSManagedObject>
    /// Objects that were changed.
    public let updated: Set<NSManagedObject>
    /// Objects that were deleted.
    public let deleted: Set<NSManagedObject>
    /// Objects that were read again, or became faults.
    public let refreshed: Set<NSManagedObject>
    /// Objects that were made invalid.
    public let invalidated: Set<NSManagedObject>
    /// True if all objects of the context were made invalid, otherwise nil.
    ///
    /// - Assumption: it is never false: the notification has a value only if the context was reset.
    public var invalidatedAll: Bool? { allInvalidated == nil ? nil : true }

    private let allInvalidated: Any?

    /// The message for a notification; nil if the notification is not about a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> ObjectsDidChangeMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return ObjectsDidChangeMessage(
        context: context, inserted: notification.objects(NSInsertedObjectsKey),
        updated: notification.objects(NSUpdatedObjectsKey), deleted: notification.objects(NSDeletedObjectsKey),
        refreshed: notification.objects(NSRefreshedObjectsKey),
        invalidated: notification.objects(NSInvalidatedObjectsKey),
        allInvalidated: notification.userInfo?[NSInvalidatedAllObjectsKey])
    }

    /// The notification for a message.
    @MainActor
    public static func makeNotification(_ message: ObjectsDidChangeMessage) -> Notification {
      var info = changeInfo([
        NSInsertedObjectsKey: message.inserted, NSUpdatedObjectsKey: message.updated,
        NSDeletedObjectsKey: message.deleted, NSRefreshedObjectsKey: message.refreshed,
        NSInvalidatedObjectsKey: message.invalidated,
      ])
      info[NSInvalidatedAllObjectsKey] = message.allInvalidated
      return Notification(name: name, object: message.context, userInfo: info)
    }
  }
}

/// The sets that are not empty, by key.
private func changeInfo(_ sets: [String: Set<NSManagedObject>]) -> [AnyHashable: Any] {
  var info: [AnyHashable: Any] = [:]
  for (key, set) in sets where !set.isEmpty { info[key] = set }
  return info
}

extension Notification {
  /// The set of objects of a key; empty if there is none.
  fileprivate func objects(_ key: String) -> Set<NSManagedObject> { userInfo?[key] as? Set<NSManagedObject> ?? [] }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
  /// Identifies ``NSManagedObjectContext/DidSaveMessage``.
  public static var didSave: Self { .init() }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage> {
  /// Identifies ``NSManagedObjectContext/ObjectsDidChangeMessage``.
  public static var objectsDidChange: Self { .init() }
}

#if !canImport(Darwin)
  extension NSManagedObjectContext.DidSaveMessage: _NotifiedMainActorMessage {}
  extension NSManagedObjectContext.ObjectsDidChangeMessage: _NotifiedMainActorMessage {}
#endif
