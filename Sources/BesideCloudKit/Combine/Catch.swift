import Foundation

extension Publishers {
  /// Replaces an error by another publisher.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where NewPublisher.Output == Upstream.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure
    let upstream: Upstream
    let handler: (Upstream.Failure) -> Result<NewPublisher, NewPublisher.Failure>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Succession(AnySubscriber<Output, Failure>(subscriber)).start(with: upstream, handler)
    }
  }

  /// Subscribes to the same publisher again after an error, up to ``retries`` times.
  public struct Retry<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    /// Nil: no limit.
    public let retries: Int?

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      guard retries != 0 else { return upstream.subscribe(subscriber) }
      let next = Retry(upstream: upstream, retries: retries.map { $0 - 1 })
      upstream.catch { _ in next }.subscribe(subscriber)
    }
  }
}

/// Subscribes to one publisher and then to a second one. The second one gets the remaining demand.
private final class Succession<Output, Failure: Error>: Subscription {
  private let lock = NSLock()
  private var subscriber: AnySubscriber<Output, Failure>?
  private var subscription: (any Subscription)?
  private var demand = Subscribers.Demand.none

  init(_ subscriber: AnySubscriber<Output, Failure>) { self.subscriber = subscriber }

  func start<First: Publisher, Second: Publisher>(
    with first: First, _ next: @escaping (First.Failure) -> Result<Second, Failure>
  ) where First.Output == Output, Second.Output == Output, Second.Failure == Failure {
    first.subscribe(
      AnySubscriber<Output, First.Failure>(
        receiveSubscription: { subscription in
          guard let subscriber = self.lock.withLock({ self.subscriber }) else { return subscription.cancel() }
          self.lock.withLock { self.subscription = subscription }
          subscriber.receive(subscription: self)
        },
        receiveValue: { self.receive($0) },
        receiveCompletion: { end in
          switch end {
          case .finished: self.finish(.finished)
          case .failure(let error):
            switch next(error) {
            case .success(let second): self.goOn(with: second)
            case .failure(let error): self.finish(.failure(error))
            }
          }
        }))
  }

  private func goOn<Second: Publisher>(with second: Second) where Second.Output == Output, Second.Failure == Failure {
    second.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { subscription in
          self.lock.lock()
          let isOver = self.subscriber == nil
          if !isOver { self.subscription = subscription }
          let demand = self.demand
          self.lock.unlock()
          if isOver { subscription.cancel() } else if demand > .none { subscription.request(demand) }
        },
        receiveValue: { self.receive($0) }, receiveCompletion: { self.finish($0) }))
  }

  private func receive(_ value: Output) -> Subscribers.Demand {
    let subscriber = lock.withLock {
      demand -= 1
      return self.subscriber
    }
    let more = subscriber?.receive(value) ?? .none
    lock.withLock { demand += more }
    return more
  }

  private func finish(_ end: Subscribers.Completion<Failure>) { release().subscriber?.receive(completion: end) }

  func request(_ more: Subscribers.Demand) {
    lock.lock()
    demand += more
    let subscription = self.subscription
    lock.unlock()
    subscription?.request(more)
  }

  func cancel() { release().subscription?.cancel() }

  private func release() -> (subscriber: AnySubscriber<Output, Failure>?, subscription: (any Subscription)?) {
    lock.lock()
    defer { lock.unlock() }
    let held = (subscriber, subscription)
    (subscriber, subscription) = (nil, nil)
    return held
  }
}

extension Publisher {
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output { Publishers.Catch(upstream: self) { .success(handler($0)) } }

  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.Catch<Self, AnyPublisher<Output, any Error>> where P.Output == Output {
    Publishers.Catch(upstream: self) { error in
      Result { try handler(error).mapError { $0 }.eraseToAnyPublisher() }
    }
  }

  public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}
