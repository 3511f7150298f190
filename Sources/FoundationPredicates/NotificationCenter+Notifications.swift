import Foundation

#if !canImport(ObjectiveC)
  // Foundation on Linux has no notifications as an asynchronous sequence.
  extension NotificationCenter {
    /// The notifications of one name, as they are posted. Each iterator observes the center from its creation until its
    /// release, and buffers the notifications until the program reads them. A cancelled task gets nil.
    // Sendable: every stored property is a constant, and the center is safe to use from any thread.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
      /// A notification.
      public typealias Element = Notification
      /// No sequence of notifications fails.
      public typealias Failure = Never

      private let center: NotificationCenter
      private let name: Notification.Name
      private let object: AnyObject?

      fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
        (self.center, self.name, self.object) = (center, name, object)
      }

      /// Returns the notifications one after another.
      public struct Iterator: AsyncIteratorProtocol {
        /// A notification.
        public typealias Element = Notification
        /// No sequence of notifications fails.
        public typealias Failure = Never

        fileprivate var posts: AsyncStream<PostedNotification>.Iterator

        /// The next notification, once it is posted.
        public mutating func next() async -> Notification? { await posts.next()?.notification }

        /// The next notification, for a caller isolated to an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
          await posts.next(isolation: actor)?.notification
        }
      }

      /// Starts to observe the center.
      public func makeAsyncIterator() -> Iterator {
        let (stream, posts) = AsyncStream.makeStream(of: PostedNotification.self)
        let token = Token(
          center,
          center.addObserver(forName: name, object: object, queue: nil) {
            posts.yield(PostedNotification(notification: $0))
          })
        posts.onTermination = { _ in token.remove() }
        return Iterator(posts: stream.makeAsyncIterator())
      }
    }

    /// The notifications of a name, posted by an object if one is given, as an asynchronous sequence:
    ///
    ///     for await change in NotificationCenter.default.notifications(named: .NSPersistentStoreRemoteChange) { … }
    ///
    /// - Difference: the number of buffered notifications is not limited.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
      Notifications(self, name, object)
    }
  }

  // Sendable: Apple's sequence passes notifications to other threads in the same way; the posting code does not change
  // a notification.
  private struct PostedNotification: @unchecked Sendable {
    var notification: Notification
  }

  // Sendable: both properties are constants, and the center is safe to use from any thread.
  private final class Token: @unchecked Sendable {
    private let center: NotificationCenter
    private let observer: any NSObjectProtocol

    init(_ center: NotificationCenter, _ observer: any NSObjectProtocol) {
      (self.center, self.observer) = (center, observer)
    }

    func remove() { center.removeObserver(observer) }
  }
#endif
