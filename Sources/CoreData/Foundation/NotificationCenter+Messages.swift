#if !canImport(Darwin)
  import Foundation

  // Foundation's messages on Linux have no connection with notifications: an observer of a message is not called for a
  // notification, and a message that is posted stops a process with an observer of all notifications. These functions
  // are preferred over Foundation's for the message types of this module, and observe and post the notification.

  /// The requirements that Apple's `NotificationCenter.MainActorMessage` has, and Linux's lacks.
  ///
  /// - Difference: a program's own message types have no connection with notifications, and a function that is generic
  ///   over `NotificationCenter.MainActorMessage` does not observe the notifications of this module's message types.
  public protocol _NotifiedMainActorMessage: NotificationCenter.MainActorMessage where Subject: AnyObject {
    /// The name of the notification.
    static var name: Notification.Name { get }
    /// The message for a notification; nil if the notification lacks a value of it.
    @MainActor static func makeMessage(_ notification: Notification) -> Self?
    /// The notification for a message.
    @MainActor static func makeNotification(_ message: Self) -> Notification
  }

  /// The requirements that Apple's `NotificationCenter.AsyncMessage` has, and Linux's lacks. See
  /// ``_NotifiedMainActorMessage``.
  public protocol _NotifiedAsyncMessage: NotificationCenter.AsyncMessage where Subject: AnyObject {
    /// The name of the notification.
    static var name: Notification.Name { get }
    /// The message for a notification; nil if the notification lacks a value of it.
    static func makeMessage(_ notification: Notification) -> Self?
    /// The notification for a message.
    static func makeNotification(_ message: Self) -> Notification
  }

  // MARK: Messages of the main actor

  extension NotificationCenter {
    /// Calls an observer with each message about one object, before the post returns. The observation ends with the
    /// token.
    ///
    /// - Assumption: a notification that is not posted on the main queue stops the process, as the public source of
    ///   Apple's Foundation shows.
    public func addObserver<Identifier: MessageIdentifier, Message: _NotifiedMainActorMessage>(
      of subject: Message.Subject, for identifier: Identifier, using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
      observe(subject, observer)
    }

    /// Calls an observer with each message about any object of a type.
    public func addObserver<Identifier: MessageIdentifier, Message: _NotifiedMainActorMessage>(
      of subject: Message.Subject.Type, for identifier: Identifier,
      using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
      observe(nil, observer)
    }

    /// Calls an observer with each message of a type, about one object or any.
    public func addObserver<Message: _NotifiedMainActorMessage>(
      of subject: Message.Subject? = nil, for messageType: Message.Type,
      using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken {
      observe(subject, observer)
    }

    /// Posts a message about an object, also to observers of the notification.
    @MainActor
    public func post<Message: _NotifiedMainActorMessage>(_ message: Message, subject: Message.Subject) {
      post(Message.makeNotification(message).carrying(message, Message.name, subject))
    }

    /// Posts a message, also to observers of the notification.
    @MainActor
    public func post<Message: _NotifiedMainActorMessage>(_ message: Message) {
      post(Message.makeNotification(message).carrying(message, Message.name, nil))
    }

    private func observe<Message: _NotifiedMainActorMessage>(
      _ subject: Message.Subject?, _ observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken {
      let deliver: @MainActor (Notification) -> Void = { notification in
        if let message = notification.carried(Message.self) ?? Message.makeMessage(notification) { observer(message) }
      }
      let observation = NotificationObservation(self, Message.name, subject) { notification in
        // Not `MainActor.assumeIsolated`: a waiting main thread may lend the main queue to another thread.
        guard SerialQueue.main.isCurrent else {
          raiseException(
            "\(Message.self) is observed, and \(notification.name.rawValue) was posted on another queue than the main "
              + "one. Observe the notification itself for a context with a private queue.")
        }
        unsafeBitCast(deliver, to: ((Notification) -> Void).self)(notification)
      }
      return token(subject, Message.self) { message in withExtendedLifetime(observation) { observer(message) } }
    }

    /// A token of Foundation's own observation. It retains the observer, and what that retains.
    private func token<Message: MainActorMessage>(
      _ subject: Message.Subject?, _ type: Message.Type, _ observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Message.Subject: AnyObject {
      addObserver(of: subject, for: type, using: observer)
    }
  }

  // MARK: Asynchronous messages

  extension NotificationCenter {
    /// Calls an observer with each message about one object, in a task of its own. The observation ends with the token.
    public func addObserver<Identifier: MessageIdentifier, Message: _NotifiedAsyncMessage>(
      of subject: Message.Subject, for identifier: Identifier,
      using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
      observe(subject, observer)
    }

    /// Calls an observer with each message about any object of a type.
    public func addObserver<Identifier: MessageIdentifier, Message: _NotifiedAsyncMessage>(
      of subject: Message.Subject.Type, for identifier: Identifier,
      using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
      observe(nil, observer)
    }

    /// Calls an observer with each message of a type, about one object or any.
    public func addObserver<Message: _NotifiedAsyncMessage>(
      of subject: Message.Subject? = nil, for messageType: Message.Type,
      using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken {
      observe(subject, observer)
    }

    /// The messages about one object from now on, in order. If more than `limit` are not read yet, the oldest is lost.
    public func messages<Identifier: MessageIdentifier, Message: _NotifiedAsyncMessage>(
      of subject: Message.Subject, for identifier: Identifier, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable where Identifier.MessageType == Message {
      stream(of: Message.self, subject, limit)
    }

    /// The messages about any object of a type from now on, in order.
    public func messages<Identifier: MessageIdentifier, Message: _NotifiedAsyncMessage>(
      of subject: Message.Subject.Type, for identifier: Identifier, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable where Identifier.MessageType == Message {
      stream(of: Message.self, nil, limit)
    }

    /// The messages of a type from now on, about one object or any, in order.
    public func messages<Message: _NotifiedAsyncMessage>(
      of subject: Message.Subject? = nil, for messageType: Message.Type, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable {
      stream(of: messageType, subject, limit)
    }

    /// Posts a message about an object, also to observers of the notification.
    public func post<Message: _NotifiedAsyncMessage>(_ message: Message, subject: Message.Subject) {
      post(Message.makeNotification(message).carrying(message, Message.name, subject))
    }

    /// Posts a message, also to observers of the notification.
    public func post<Message: _NotifiedAsyncMessage>(_ message: Message) {
      post(Message.makeNotification(message).carrying(message, Message.name, nil))
    }

    private func observe<Message: _NotifiedAsyncMessage>(
      _ subject: Message.Subject?, _ observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken {
      let observation = observation(of: Message.self, subject) { message in Task { await observer(message) } }
      return token(subject, Message.self) { message in
        _ = observation
        await observer(message)
      }
    }

    private func stream<Message: _NotifiedAsyncMessage>(
      of type: Message.Type, _ subject: Message.Subject?, _ limit: Int
    ) -> AsyncStream<Message> {
      let (stream, continuation) = AsyncStream.makeStream(of: type, bufferingPolicy: .bufferingNewest(limit))
      let observation = observation(of: type, subject) { message in continuation.yield(message) }
      // It is released with the sequence and its iterators.
      continuation.onTermination = { _ in _ = observation }
      return stream
    }

    private func observation<Message: _NotifiedAsyncMessage>(
      of type: Message.Type, _ subject: Message.Subject?, _ receive: @escaping @Sendable (Message) -> Void
    ) -> NotificationObservation {
      NotificationObservation(self, type.name, subject) { notification in
        if let message = notification.carried(type) ?? type.makeMessage(notification) { receive(message) }
      }
    }

    /// A token of Foundation's own observation. It retains the observer, and what that retains.
    private func token<Message: AsyncMessage>(
      _ subject: Message.Subject?, _ type: Message.Type, _ observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Message.Subject: AnyObject {
      addObserver(of: subject, for: type, using: observer)
    }
  }

  // MARK: Notifications

  extension Notification {
    /// The key of a posted message. Its observers get the message itself, not another one that is made from the
    /// notification.
    private static var messageKey: AnyHashable { AnyHashable("LocalCloudMessage") }

    fileprivate func carrying(_ message: Any, _ name: Name, _ subject: AnyObject?) -> Notification {
      var userInfo = self.userInfo ?? [:]
      userInfo[Self.messageKey] = message
      return Notification(name: name, object: subject, userInfo: userInfo)
    }

    fileprivate func carried<Message>(_ type: Message.Type) -> Message? {
      userInfo?[Self.messageKey] as? Message
    }
  }

  /// Receives the notifications of a name as long as it exists.
  // Sendable: the properties are set in the initializer only.
  private final class NotificationObservation: @unchecked Sendable {
    private weak var center: NotificationCenter?
    private var token: (any NSObjectProtocol)?

    init(
      _ center: NotificationCenter, _ name: Notification.Name, _ subject: AnyObject?,
      _ receive: @escaping @Sendable (Notification) -> Void
    ) {
      self.center = center
      token = center.addObserver(forName: name, object: subject, queue: nil) { [weak self] notification in
        if self != nil { receive(notification) }
      }
    }

    deinit {
      guard let center, let token else { return }
      let observer = UncheckedSendable<Any>(token)
      // Later: the centre releases the closures of its observers under its lock.
      Task { center.removeObserver(observer.value, name: nil, object: nil) }
    }
  }
#endif
