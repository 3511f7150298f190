import Foundation

/// A subject that sends each value to the subscribers that have demand for it at that moment.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let core = SubjectCore<Output, Failure>()

  public init() {}

  public func send(_ value: Output) { core.send(value) }
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  public func receive(subscriber: some Subscriber<Output, Failure>) { core.receive(subscriber: subscriber) }
}

/// A subject that stores its newest value, sends it to each new subscriber, and sends each later value to all.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let core: SubjectCore<Output, Failure>

  public init(_ value: Output) { core = SubjectCore(current: value) }

  /// Setting the value sends it.
  public var value: Output {
    get {
      guard let value = core.value else { fatalError("A subject with a current value has lost it") }
      return value
    }
    set { send(newValue) }
  }

  public func send(_ value: Output) { core.send(value, keeps: true) }
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  public func receive(subscriber: some Subscriber<Output, Failure>) { core.receive(subscriber: subscriber) }
}

/// The common part of subjects and futures: the subscriptions and the order of their events.
final class SubjectCore<Output, Failure: Error> {
  private let lock = NSLock()
  private var conduits: [Conduit<Output, Failure>] = []
  private var completion: Subscribers.Completion<Failure>?
  /// The subscriptions to publishers that feed this subject.
  private var feeding: [any Subscription] = []
  /// The newest value. A subscriber that missed it gets it with its next demand. Nil in a subject that stores no value.
  private var current: Output?
  /// A future's value, which each subscriber gets before the completion.
  private var result: Output?

  init(current: Output? = nil) { self.current = current }

  deinit { for subscription in feeding { subscription.cancel() } }

  var value: Output? { lock.withLock { current } }

  /// `keeps`: whether the value becomes the current one.
  func send(_ value: Output, keeps: Bool = false) {
    // The value is queued under the lock, so that all subscribers get the values in one order and the current one last.
    // The previous value is released outside it.
    let (receivers, _) = lock.withLock { () -> ([Conduit<Output, Failure>], Output?) in
      guard completion == nil else { return ([], nil) }
      let previous = current
      if keeps { current = value }
      for conduit in conduits { conduit.locked { conduit.offer(value, keeps: keeps) } }
      return (conduits, previous)
    }
    for conduit in receivers { conduit.deliver() }
  }

  /// Sends the result, if there is one, to the current and all later subscribers, and completes them.
  func send(result: Output? = nil, completion end: Subscribers.Completion<Failure>) {
    let receivers = lock.withLock { () -> [Conduit<Output, Failure>] in
      guard completion == nil else { return [] }
      (self.result, completion) = (result, end)
      for conduit in conduits { complete(conduit, end) }
      defer { conduits = [] }
      return conduits
    }
    for conduit in receivers { conduit.deliver() }
  }

  private func complete(_ conduit: Conduit<Output, Failure>, _ completion: Subscribers.Completion<Failure>) {
    conduit.locked {
      if let result { conduit.append(result) }
      conduit.append(completion)
    }
  }

  func send(subscription: any Subscription) {
    lock.withLock { feeding.append(subscription) }
    subscription.request(.unlimited)
  }

  /// The subscription retains `keeping` until it is cancelled.
  func receive(subscriber: some Subscriber<Output, Failure>, keeping: AnyObject? = nil) {
    let conduit = Conduit(subscriber)
    conduit.onCancel = { [weak self, weak conduit] in
      withExtendedLifetime(keeping) { self?.remove(conduit) }
    }
    lock.withLock {
      if let completion { return complete(conduit, completion) }
      if let current { conduit.locked { conduit.offer(current, keeps: true) } }
      conduits.append(conduit)
    }
    conduit.open()
  }

  private func remove(_ conduit: Conduit<Output, Failure>?) { lock.withLock { conduits.removeAll { $0 === conduit } } }
}
