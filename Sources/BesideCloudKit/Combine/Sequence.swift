import Foundation

extension Publishers {
  /// Sends the elements of a sequence as they are requested.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element
    public let sequence: Elements

    public init(sequence: Elements) { self.sequence = sequence }

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let walk = Walk(sequence.makeIterator(), AnySubscriber<Output, Failure>(subscriber))
      subscriber.receive(subscription: walk)
      // A sequence without elements completes even without demand.
      walk.request(.none)
    }
  }

  private final class Walk<Iterator: IteratorProtocol, Failure: Error>: Subscription {
    private let lock = NSLock()
    private var subscriber: AnySubscriber<Iterator.Element, Failure>?
    private var demand = Subscribers.Demand.none
    private var isWalking = false
    /// Accessed only by the iterating thread. One element is read ahead, so that the completion follows the last
    /// element directly.
    private var iterator: Iterator
    private var ahead: Iterator.Element?

    init(_ iterator: Iterator, _ subscriber: AnySubscriber<Iterator.Element, Failure>) {
      self.iterator = iterator
      self.subscriber = subscriber
      ahead = self.iterator.next()
    }

    func request(_ more: Subscribers.Demand) {
      let isFree = lock.withLock {
        demand += more
        defer { isWalking = true }
        return !isWalking
      }
      guard isFree else { return }
      while let subscriber = goOn() {
        guard let value = ahead else { return subscriber.receive(completion: .finished) }
        // The iterator may run any code, so it runs outside the lock.
        ahead = iterator.next()
        let more = subscriber.receive(value)
        lock.withLock { demand += more }
      }
    }

    /// The subscriber if another event can be delivered to it now.
    private func goOn() -> AnySubscriber<Iterator.Element, Failure>? {
      lock.lock()
      defer { lock.unlock() }
      guard let subscriber else { return nil }
      if ahead == nil {
        self.subscriber = nil
      } else if demand > .none {
        demand -= 1
      } else {
        isWalking = false
        return nil
      }
      return subscriber
    }

    func cancel() {
      let held = lock.withLock { () -> AnySubscriber<Iterator.Element, Failure>? in
        defer { subscriber = nil }
        return subscriber
      }
      withExtendedLifetime(held) {}
    }
  }
}

extension Swift.Sequence {
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Optional {
  /// Sends the value, if there is one, and completes.
  public var publisher: Publishers.Sequence<[Wrapped], Never> { Publishers.Sequence(sequence: map { [$0] } ?? []) }
}

extension Result {
  /// Sends the value and completes, or fails with the error.
  public var publisher: AnyPublisher<Success, Failure> {
    switch self {
    case .success(let value): Publishers.Sequence(sequence: CollectionOfOne(value)).eraseToAnyPublisher()
    case .failure(let error): Fail(error: error).eraseToAnyPublisher()
    }
  }
}
