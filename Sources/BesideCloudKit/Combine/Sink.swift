import Foundation

extension Subscribers {
  /// Requests unlimited values and passes each to a closure.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private typealias Handlers = (
      start: (any Subscription) -> Void, completion: (Subscribers.Completion<Failure>) -> Void, value: (Input) -> Void
    )

    private let lock = NSLock()
    /// Nil once the publisher has completed or this was cancelled.
    private var handlers: Handlers?
    private var subscription: (any Subscription)?

    public convenience init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      self.init(
        start: { $0.request(.unlimited) }, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }

    /// `start` requests values.
    init(
      start: @escaping (any Subscription) -> Void,
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) { handlers = (start, receiveCompletion, receiveValue) }

    public func receive(subscription: any Subscription) {
      let start = lock.withLock { () -> ((any Subscription) -> Void)? in
        guard let handlers, self.subscription == nil else { return nil }
        self.subscription = subscription
        return handlers.start
      }
      if let start { start(subscription) } else { subscription.cancel() }
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
      lock.withLock { handlers }?.value(input)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) { end().handlers?.completion(completion) }

    public func cancel() { end().subscription?.cancel() }

    /// The caller releases the returned objects outside the lock, because their deinitializers may run any code.
    private func end() -> (handlers: Handlers?, subscription: (any Subscription)?) {
      lock.lock()
      defer { lock.unlock() }
      let held = (handlers, subscription)
      (handlers, subscription) = (nil, nil)
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
