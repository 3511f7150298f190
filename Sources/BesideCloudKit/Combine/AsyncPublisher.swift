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

    public mutating func next() async -> P.Output? {
      switch await values.next() {
      case .success(let value): value
      }
    }
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
  private let inlet = Inlet()

  init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure { publisher.subscribe(inlet) }

  deinit { inlet.cancel() }

  func next() async -> Result<Output?, Failure> {
    let inlet = self.inlet
    return await withTaskCancellationHandler {
      await withCheckedContinuation { inlet.wait($0) }.value
    } onCancel: {
      inlet.cancel()
    }
  }

  /// - Note: `@unchecked Sendable`: its state is accessed only under its lock, and each value is handed to one
  ///   waiting call.
  private final class Inlet: Subscriber, @unchecked Sendable {
    typealias Waiter = CheckedContinuation<Handover<Result<Output?, Failure>>, Never>

    private let lock = NSLock()
    private var subscription: (any Subscription)?
    private var waiting: [Waiter] = []
    private var isOver = false
    /// The error, until one call of `next()` has returned it.
    private var failure: Failure?

    func wait(_ waiter: Waiter) {
      lock.lock()
      guard !isOver else {
        let result: Result<Output?, Failure> = failure.map { .failure($0) } ?? .success(nil)
        failure = nil
        lock.unlock()
        return waiter.resume(returning: Handover(result))
      }
      waiting.append(waiter)
      let subscription = self.subscription
      lock.unlock()
      subscription?.request(.max(1))
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      let isOver = self.isOver
      if !isOver { self.subscription = subscription }
      let count = waiting.count
      lock.unlock()
      if isOver { subscription.cancel() } else if count > 0 { subscription.request(.max(count)) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let waiter = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
      waiter?.resume(returning: Handover(.success(input)))
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard case .failure(let error) = completion else {
        end()
        return
      }
      let waiter = lock.withLock { () -> Waiter? in
        isOver = true
        if waiting.isEmpty { failure = error }
        return waiting.isEmpty ? nil : waiting.removeFirst()
      }
      waiter?.resume(returning: Handover(.failure(error)))
      end()
    }

    func cancel() { end()?.cancel() }

    @discardableResult private func end() -> (any Subscription)? {
      lock.lock()
      isOver = true
      let (held, told) = (subscription, waiting)
      subscription = nil
      waiting = []
      lock.unlock()
      for waiter in told { waiter.resume(returning: Handover(.success(nil))) }
      return held
    }
  }
}
