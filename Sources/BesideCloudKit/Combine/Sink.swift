import Foundation

extension Subscribers {
  /// Requests unlimited values and passes each to a closure.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private let lock = NSLock()
    private var subscription: (any Subscription)?
    private var isOver = false
    private var onValue: ((Input) -> Void)?
    private var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?

    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      onValue = receiveValue
      onCompletion = receiveCompletion
    }

    public func receive(subscription: any Subscription) {
      let isFirst = lock.withLock {
        guard !isOver, self.subscription == nil else { return false }
        self.subscription = subscription
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
      let onValue = lock.withLock { self.onValue }
      onValue?(input)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      let held = end()
      held.onCompletion?(completion)
    }

    public func cancel() { end().subscription?.cancel() }

    /// The caller releases the returned objects outside the lock, because their deinitializers may run any code.
    private func end() -> (
      subscription: (any Subscription)?, onValue: ((Input) -> Void)?,
      onCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
      lock.lock()
      defer { lock.unlock() }
      let held = (subscription, onValue, onCompletion)
      isOver = true
      (subscription, onValue, onCompletion) = (nil, nil, nil)
      return held
    }
  }
}

extension Publisher {
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Sets the property to each value. The object is retained until the publisher completes or the result is cancelled.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    sink(receiveValue: { object[keyPath: keyPath] = $0 })
  }
}

/// Passes a publisher's events on to a subject.
final class Feed<S: Subject>: Subscriber, Cancellable {
  private let lock = NSLock()
  private var subject: S?
  private var subscription: (any Subscription)?

  init(_ subject: S) { self.subject = subject }

  func receive(subscription: any Subscription) {
    let subject = lock.withLock {
      self.subscription = subscription
      return self.subject
    }
    if let subject { subject.send(subscription: subscription) } else { subscription.cancel() }
  }

  func receive(_ input: S.Output) -> Subscribers.Demand {
    let subject = lock.withLock { self.subject }
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<S.Failure>) { end().subject?.send(completion: completion) }

  func cancel() { end().subscription?.cancel() }

  private func end() -> (subject: S?, subscription: (any Subscription)?) {
    lock.lock()
    defer { lock.unlock() }
    let held = (subject, subscription)
    (subject, subscription) = (nil, nil)
    return held
  }
}
