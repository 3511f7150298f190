import Foundation

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NSPersistentCloudKitContainer {
  /// The begin or the end of a run of the mirroring, as ``eventChangedNotification`` reports it.
  ///
  /// ```swift
  /// for await message in NotificationCenter.default.messages(of: container, for: .eventChanged) {
  ///   print(message.event)
  /// }
  /// ```
  public struct EventChangedMessage: NotificationCenter.AsyncMessage {
    /// The message is about a container.
    public typealias Subject = NSPersistentCloudKitContainer

    /// The name of the notification.
    public static var name: Notification.Name { NSPersistentCloudKitContainer.eventChangedNotification }

    /// The run.
    public let event: NSPersistentCloudKitContainer.Event

    /// The message for a notification; nil if the notification has no event.
    public static func makeMessage(_ notification: Notification) -> EventChangedMessage? {
      let event = notification.userInfo?[NSPersistentCloudKitContainer.eventNotificationUserInfoKey]
      return (event as? NSPersistentCloudKitContainerEvent).map { EventChangedMessage(event: $0) }
    }

    /// The notification for a message.
    public static func makeNotification(_ message: EventChangedMessage) -> Notification {
      Notification(name: name, userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: message.event])
    }
  }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentCloudKitContainer.EventChangedMessage> {
  /// Identifies ``NSPersistentCloudKitContainer/EventChangedMessage``.
  public static var eventChanged: Self { .init() }
}

#if !canImport(Darwin)
  extension NSPersistentCloudKitContainer.EventChangedMessage: _NotifiedAsyncMessage {}
#endif
