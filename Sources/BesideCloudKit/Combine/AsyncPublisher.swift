import Foundation

/// A publisher's values for `for await`. Each call of `next()` requests one value. Values that arrive while no call
/// waits are dropped.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output
  let publisher: P

  public init(_ publisher: P) { self.publisher = publisher }

  public func makeAsyncIterator() -> Iterator { Iterator(values: AsyncValues(publisher)) }

  public struct Iterator: AsyncIteratorProtocol {
    let values: AsyncValues<P.Output, Never>

    public mutating func next() async -> P.Output? { await values.next().get() }
  }
}

/// The counterpart of ``AsyncPublisher`` for a publisher that may fail.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  let publisher: P

  public init(_ publisher: P) { self.publisher = publisher }

  public func makeAsyncIterator() -> Iterator { Iterator(values: AsyncValues(publisher)) }

  public struct Iterator: AsyncIteratorProtocol {
    let values: AsyncValues<P.Output, P.Failure>

    public mutating func next() async throws -> P.Output? { try await values.next().get() }
  }
}

extension Publisher where Failure == Never {
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  @_disfavoredOverload public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The subscription that all copies of an iterator share. It ends when the last copy is released.
final class AsyncValues<Output, Failure: Error> {
  private let waiters = Waiters()

  init(_ publisher: some Publisher<Output, Failure>) { publisher.subscribe(waiters) }

  deinit { waiters.cancel() }

  func next() async -> Result<Output?, Failure> {
    let waiters = self.waiters
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiters.wait($0) }.value
    } onCancel: {
      waiters.cancel()
    }
  }

  /// - Note: `@unchecked Sendable`: its state is accessed only under its lock, and each value is handed to one
  ///   waiting call.
  private final class Waiters: Subscriber, @unchecked Sendable {
    typealias Waiter = CheckedContinuation<Handover<Result<Output?, Failure>>, Never>

    private let lock = NSLock()
    private var subscription: (any Subscription)?
    private var waiting: [Waiter] = []
    private var isOver = false
    /// The error, until one call of `next()` has returned it.
    private var failure: Failure?

    func wait(_ waiter: Waiter) {
      lock.lock()
      let result: Result<Output?, Failure>? = isOver ? failure.map { .failure($0) } ?? .success(nil) : nil
      if isOver { failure = nil } else { waiting.append(waiter) }
      let subscription = self.subscription
      lock.unlock()
      if let result { waiter.resume(returning: Handover(result)) } else { subscription?.request(.max(1)) }
    }

    func receive(subscription: any Subscription) {
      let count = lock.withLock { () -> Int? in
        if !isOver { self.subscription = subscription }
        return isOver ? nil : waiting.count
      }
      guard let count else { return subscription.cancel() }
      if count > 0 { subscription.request(.max(count)) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let waiter = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
      waiter?.resume(returning: Handover(.success(input)))
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      if case .failure(let error) = completion { end(error) } else { end() }
    }

    func cancel() { end()?.cancel() }

    /// Answers the waiting calls, the first one with the error.
    @discardableResult private func end(_ error: Failure? = nil) -> (any Subscription)? {
      lock.lock()
      let (held, waiting) = (subscription, self.waiting)
      (subscription, self.waiting, isOver) = (nil, [], true)
      if waiting.isEmpty, let error { failure = error }
      lock.unlock()
      for (index, waiter) in waiting.enumerated() {
        let result: Result<Output?, Failure> = index == 0 ? error.map { .failure($0) } ?? .success(nil) : .success(nil)
        waiter.resume(returning: Handover(result))
      }
      return held
    }
  }
}
