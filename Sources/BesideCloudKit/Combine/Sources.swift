/// Sends one value and completes.
public struct Just<Output>: Publisher {
  public typealias Failure = Never
  public let output: Output

  public init(_ output: Output) { self.output = output }

  public func receive(subscriber: some Subscriber<Output, Never>) {
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

  public func receive(subscriber: some Subscriber<Output, Failure>) {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Fails with an error at once.
public struct Fail<Output, Failure: Error>: Publisher {
  public let error: Failure

  public init(error: Failure) { self.error = error }
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  public func receive(subscriber: some Subscriber<Output, Failure>) {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

/// Creates a publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public let createPublisher: () -> DeferredPublisher

  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  public func receive(subscriber: some Subscriber<Output, Failure>) { createPublisher().subscribe(subscriber) }
}

/// Sends one value or an error at some time. The work starts at once, and its result is stored for later subscribers.
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void
  private let core = SubjectCore<Output, Failure>()

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let core = Handover(self.core)
    attemptToFulfill { result in
      switch result {
      case .success(let value): core.value.send(result: value, completion: .finished)
      case .failure(let error): core.value.send(completion: .failure(error))
      }
    }
  }

  public func receive(subscriber: some Subscriber<Output, Failure>) { core.receive(subscriber: subscriber) }
}
