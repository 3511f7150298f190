import Foundation

extension NotificationCenter {
  /// The notifications of one name. It observes the center while it has subscribers.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Notification
    public typealias Failure = Never
    public let center: NotificationCenter
    public let name: Notification.Name
    public let object: AnyObject?

    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    public func receive(subscriber: some Subscriber<Notification, Never>) {
      let core = SubjectCore<Notification, Never>()
      let posts = Handover(core)
      let observer = Observer(
        center: center,
        token: center.addObserver(forName: name, object: object, queue: nil) { posts.value.send($0) })
      core.receive(subscriber: subscriber, keeping: observer)
    }
  }

  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Stops observing when the subscription is cancelled or released.
  private final class Observer {
    let center: NotificationCenter
    let token: any NSObjectProtocol

    init(center: NotificationCenter, token: any NSObjectProtocol) {
      self.center = center
      self.token = token
    }

    deinit { center.removeObserver(token) }
  }
}
