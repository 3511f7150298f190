/// A subject that sends each value to the subscribers that have demand for it at that moment.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let core = SubjectCore<Output, Failure>()

  public init() {}

  public func send(_ value: Output) { core.send(value) }
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    core.receive(subscriber: subscriber)
  }
}

/// A subject that stores its newest value, sends it to each new subscriber, and sends each later value to all.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let core: SubjectCore<Output, Failure>
  private let first: Output

  public init(_ value: Output) {
    first = value
    core = SubjectCore(current: value)
  }

  /// Setting the value sends it.
  public var value: Output {
    get { core.value ?? first }
    set { send(newValue) }
  }

  public func send(_ value: Output) { core.send(value, keeps: true) }
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    core.receive(subscriber: subscriber)
  }
}
