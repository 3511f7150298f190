import Foundation

extension Publishers {
  /// The publisher of an operator that answers each value with at most one value.
  public struct Step<Upstream: Publisher, Output, Failure: Error>: Publisher {
    let upstream: Upstream
    /// Called once for each subscriber, so that each has its own operator state.
    let begin: () -> StepRules<Upstream.Output, Upstream.Failure, Output, Failure>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(StepSubscription(begin(), AnySubscriber(subscriber)))
    }
  }
}

/// The behaviour of an operator. A publisher sends a subscriber one event at a time, so the closures may have state
/// without a lock.
struct StepRules<Input, InputFailure: Error, Output, Failure: Error> {
  enum Answer {
    case pass(Output)
    case skip
    /// Sends the value and completes.
    case last(Output)
    case end(Subscribers.Completion<Failure>)
  }

  var value: (Input) -> Answer
  /// Maps the completion, and may send one value before it.
  var completion: (Subscribers.Completion<InputFailure>) -> (Output?, Subscribers.Completion<Failure>)
  /// Requests unlimited values, because only the completion is answered with a value.
  var takesAll = false
  /// Requests nothing and completes at once.
  var endsAtOnce = false
  var onSubscription: ((any Subscription) -> Void)?
  var onRequest: ((Subscribers.Demand) -> Void)?
  var onCancel: (() -> Void)?
}

extension StepRules where InputFailure == Failure {
  /// For operators that pass the completion on unchanged.
  init(_ value: @escaping (Input) -> Answer) {
    self.init(value: value, completion: { (nil, $0) })
  }
}

final class StepSubscription<Input, InputFailure: Error, Output, Failure: Error>: Subscriber, Subscription {
  typealias Rules = StepRules<Input, InputFailure, Output, Failure>

  private let lock = NSLock()
  private var rules: Rules?
  private var subscriber: AnySubscriber<Output, Failure>?
  private var upstream: (any Subscription)?
  /// The number of values that the subscriber still wants.
  private var demand = Subscribers.Demand.none
  private var hasAskedForAll = false
  /// The value and the completion that wait for demand.
  private var ending: (value: Output, completion: Subscribers.Completion<Failure>)?

  init(_ rules: Rules, _ subscriber: AnySubscriber<Output, Failure>) {
    self.rules = rules
    self.subscriber = subscriber
  }

  func receive(subscription: any Subscription) {
    let (subscriber, rules) = lock.withLock { () -> (AnySubscriber<Output, Failure>?, Rules?) in
      guard upstream == nil else { return (nil, nil) }
      upstream = subscription
      return (self.subscriber, self.rules)
    }
    guard let subscriber, let rules else { return subscription.cancel() }
    rules.onSubscription?(subscription)
    subscriber.receive(subscription: self)
    if rules.endsAtOnce { finish(.finished, stopping: true) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let rules = lock.withLock({ self.rules }) else { return .none }
    switch rules.value(input) {
    case .pass(let output): return pass(output)
    case .skip: return rules.takesAll ? .none : .max(1)
    case .last(let output):
      _ = pass(output)
      finish(.finished, stopping: true)
      return .none
    case .end(let completion):
      finish(completion, stopping: true)
      return .none
    }
  }

  private func pass(_ output: Output) -> Subscribers.Demand {
    let subscriber = lock.withLock {
      demand -= 1
      return self.subscriber
    }
    guard let subscriber else { return .none }
    let more = subscriber.receive(output)
    lock.withLock { demand += more }
    return more
  }

  func receive(completion: Subscribers.Completion<InputFailure>) {
    guard let rules = lock.withLock({ self.rules }) else { return }
    let (value, end) = rules.completion(completion)
    guard let value else { return finish(end, stopping: false) }
    lock.withLock {
      upstream = nil
      ending = (value, end)
    }
    sendEnding()
  }

  private func sendEnding() {
    let due = lock.withLock { () -> (value: Output, completion: Subscribers.Completion<Failure>)? in
      guard demand > .none, let ending else { return nil }
      self.ending = nil
      return ending
    }
    guard let due else { return }
    _ = pass(due.value)
    finish(due.completion, stopping: false)
  }

  private func finish(_ completion: Subscribers.Completion<Failure>, stopping: Bool) {
    let held = release()
    if stopping { held.upstream?.cancel() }
    held.subscriber?.receive(completion: completion)
  }

  func request(_ more: Subscribers.Demand) {
    lock.lock()
    demand += more
    let (upstream, rules) = (self.upstream, self.rules)
    var asked: Subscribers.Demand? = more
    if rules?.takesAll == true {
      asked = hasAskedForAll ? nil : .unlimited
      hasAskedForAll = true
    }
    if rules?.endsAtOnce == true { asked = nil }
    lock.unlock()
    rules?.onRequest?(more)
    if let asked { upstream?.request(asked) }
    sendEnding()
  }

  func cancel() {
    let held = release()
    if held.subscriber != nil { held.rules?.onCancel?() }
    held.upstream?.cancel()
  }

  /// The caller uses and releases the returned objects outside the lock.
  private func release() -> (
    rules: Rules?, subscriber: AnySubscriber<Output, Failure>?, upstream: (any Subscription)?
  ) {
    lock.lock()
    defer { lock.unlock() }
    let held = (rules, subscriber, upstream)
    (rules, subscriber, upstream) = (nil, nil, nil)
    return held
  }
}
