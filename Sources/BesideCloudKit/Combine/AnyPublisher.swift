/// A publisher that hides the type of the publisher it wraps.
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  private let subscribe: (AnySubscriber<Output, Failure>) -> Void

  public init(_ publisher: some Publisher<Output, Failure>) {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      subscribe = { publisher.receive(subscriber: $0) }
    }
  }

  public func receive(subscriber: some Subscriber<Output, Failure>) {
    subscribe(AnySubscriber(subscriber))
  }

  public var description: String { "AnyPublisher" }
}

/// A subscriber that hides the type of the subscriber it wraps, or that consists of closures.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  public let combineIdentifier: CombineIdentifier
  private let onSubscription: (any Subscription) -> Void
  private let onValue: (Input) -> Subscribers.Demand
  private let onCompletion: (Subscribers.Completion<Failure>) -> Void

  public init(_ subscriber: some Subscriber<Input, Failure>) {
    if let erased = subscriber as? AnySubscriber<Input, Failure> {
      self = erased
    } else {
      combineIdentifier = subscriber.combineIdentifier
      onSubscription = { subscriber.receive(subscription: $0) }
      onValue = { subscriber.receive($0) }
      onCompletion = { subscriber.receive(completion: $0) }
    }
  }

  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    combineIdentifier = CombineIdentifier()
    onSubscription = { receiveSubscription?($0) }
    onValue = { receiveValue?($0) ?? .none }
    onCompletion = { receiveCompletion?($0) }
  }

  public func receive(subscription: any Subscription) { onSubscription(subscription) }
  public func receive(_ input: Input) -> Subscribers.Demand { onValue(input) }
  public func receive(completion: Subscribers.Completion<Failure>) { onCompletion(completion) }
}
