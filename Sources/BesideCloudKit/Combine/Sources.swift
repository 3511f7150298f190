import Foundation

/// Sends one value and completes.
public struct Just<Output>: Publisher {
  public typealias Failure = Never
  public let output: Output

  public init(_ output: Output) { self.output = output }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    Publishers.Sequence(sequence: CollectionOfOne(output)).receive(subscriber: subscriber)
  }
}

/// Sends no values, and completes at once if `completeImmediately` is true.
public struct Empty<Output, Failure: Error>: Publisher {
  public let completeImmediately: Bool

  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Fails with an error at once.
public struct Fail<Output, Failure: Error>: Publisher {
  public let error: Failure

  public init(error: Failure) { self.error = error }
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

/// Creates a publisher for each subscriber.
public struct Deferred<Made: Publisher>: Publisher {
  public typealias Output = Made.Output
  public typealias Failure = Made.Failure
  public let createPublisher: () -> Made

  public init(createPublisher: @escaping () -> Made) { self.createPublisher = createPublisher }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher().subscribe(subscriber)
  }
}

/// Sends one value or an error at some time. The work starts at once, and its result is stored for later subscribers.
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void
  private let kept = Kept()

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let kept = self.kept
    attemptToFulfill { kept.fulfil($0) }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    kept.receive(AnySubscriber(subscriber))
  }

  /// - Note: `@unchecked Sendable`: its state is accessed only under its lock, and a result is only passed on.
  private final class Kept: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Result<Output, Failure>?
    private var waiting: [Place] = []

    func fulfil(_ new: Result<Output, Failure>) {
      let told = lock.withLock { () -> [Place] in
        guard result == nil else { return [] }
        result = new
        for place in waiting { place.queue(new) }
        defer { waiting = [] }
        return waiting
      }
      for place in told { place.outlet.deliver() }
    }

    func receive(_ subscriber: AnySubscriber<Output, Failure>) {
      let place = Place(Outlet(subscriber), self)
      lock.withLock { if let result { place.queue(result) } else { waiting.append(place) } }
      place.outlet.open(place)
    }

    func remove(_ place: Place) { lock.withLock { waiting.removeAll { $0 === place } } }
  }

  private final class Place: Subscription {
    let outlet: Outlet<Output, Failure>
    private weak var kept: Kept?

    init(_ outlet: Outlet<Output, Failure>, _ kept: Kept) {
      self.outlet = outlet
      self.kept = kept
    }

    func queue(_ result: Result<Output, Failure>) {
      switch result {
      case .success(let value):
        outlet.queue(value)
        outlet.queue(.finished)
      case .failure(let error): outlet.queue(.failure(error))
      }
    }

    func request(_ demand: Subscribers.Demand) { outlet.request(demand) }

    func cancel() {
      outlet.cancel()
      kept?.remove(self)
    }
  }
}
