import Foundation

/// One subscriber that may be fed from any thread.
///
/// A subscriber is told one thing at a time and in order. What arrives while it is being told something, from another thread
/// or from within the subscriber, waits for whoever is telling, who goes on until nothing waits. So no lock is ever held
/// while a subscriber runs.
final class Outlet<Input, Failure: Error> {
  private enum Event {
    /// `isPaid`: the demand was taken when it arrived. The sources are asked for one more each once it was delivered.
    case value(Input, isPaid: Bool, sources: [Int])
    case completion(Subscribers.Completion<Failure>)
  }

  /// Told of demand; not held, since it holds this.
  weak var owner: (any OutletOwner)?

  private let lock = NSLock()
  /// Nil once the subscriber has cancelled or was told of the end.
  private var subscriber: AnySubscriber<Input, Failure>?
  private var demand = Subscribers.Demand.none
  private var events: [Event] = []
  /// Those before it were delivered.
  private var next = 0
  /// At first nothing is delivered: the subscriber gets its subscription before anything else.
  private var isDelivering = true

  init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
  }

  /// Hands the subscription over, and what has arrived until then.
  ///
  /// No other thread may deliver in between: who subscribes to a current value has got it when this returns.
  func open(_ subscription: any Subscription) {
    let subscriber = lock.withLock { self.subscriber }
    subscriber?.receive(subscription: subscription)
    while deliverNext() {}
  }

  /// Queues the value if it is wanted now; else it is not queued.
  func offer(_ value: Input) -> Bool {
    lock.withLock {
      guard subscriber != nil, demand > .none else { return false }
      demand -= 1
      events.append(.value(value, isPaid: true, sources: []))
      return true
    }
  }

  /// Queues the value until it is wanted.
  func queue(_ value: Input, from sources: [Int] = []) {
    lock.withLock { if subscriber != nil { events.append(.value(value, isPaid: false, sources: sources)) } }
  }

  /// Queues the end, behind all values or in place of those that wait.
  func queue(_ completion: Subscribers.Completion<Failure>) {
    lock.withLock { if subscriber != nil { events.append(.completion(completion)) } }
  }

  func request(_ more: Subscribers.Demand) {
    lock.withLock { demand += more }
    owner?.outletWants(more)
    deliver()
  }

  /// True the first time, if the end was not told before.
  @discardableResult func cancel() -> Bool {
    let held = lock.withLock { clear() }
    return held.subscriber != nil
  }

  /// What was held is released by the caller, outside the lock.
  private func clear() -> (subscriber: AnySubscriber<Input, Failure>?, events: [Event]) {
    let held = (subscriber, events)
    subscriber = nil
    events = []
    next = 0
    return held
  }

  func deliver() {
    let isFree = lock.withLock {
      defer { isDelivering = true }
      return !isDelivering
    }
    guard isFree else { return }
    while deliverNext() {}
  }

  private func deliverNext() -> Bool {
    lock.lock()
    guard let subscriber, let event = takeEvent() else {
      isDelivering = false
      lock.unlock()
      return false
    }
    switch event {
    case .value(let value, _, let sources):
      lock.unlock()
      let more = subscriber.receive(value)
      if more > .none {
        lock.withLock { demand += more }
        owner?.outletWants(more)
      }
      if !sources.isEmpty { owner?.outletDelivered(from: sources) }
    case .completion(let completion):
      let held = clear()
      lock.unlock()
      withExtendedLifetime(held) { subscriber.receive(completion: completion) }
    }
    return true
  }

  /// The first event, unless it has to wait for demand; under the lock.
  private func takeEvent() -> Event? {
    guard next < events.count else { return nil }
    let event = events[next]
    if case .value(_, isPaid: false, _) = event {
      guard demand > .none else { return nil }
      demand -= 1
    }
    next += 1
    // In one go now and then: removing the first of many each time would move all the others.
    if next == events.count || next >= 64 {
      events.removeFirst(next)
      next = 0
    }
    return event
  }
}

protocol OutletOwner: AnyObject {
  /// The subscriber wants so many more.
  func outletWants(_ more: Subscribers.Demand)
  /// A value was delivered that came from these sources.
  func outletDelivered(from sources: [Int])
}

extension OutletOwner {
  func outletDelivered(from sources: [Int]) {}
}
