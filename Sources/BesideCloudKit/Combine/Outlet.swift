import Foundation

/// One subscriber that may be fed from any thread.
///
/// A subscriber gets one event at a time and in order. An event that arrives during a delivery, from another thread or
/// from within the subscriber, is queued. The delivering thread continues until the queue is empty. Therefore no lock
/// is held while a subscriber runs.
final class Outlet<Input, Failure: Error> {
  private enum Event {
    /// `isPaid`: the demand was reduced when the value arrived. After the delivery, one more value is requested from
    /// each of the sources.
    /// more value.
    case value(Input, isPaid: Bool, sources: [Int])
    case completion(Subscribers.Completion<Failure>)
  }

  /// Is notified of demand. The reference is weak, because the owner holds this object.
  weak var owner: (any OutletOwner)?

  private let lock = NSLock()
  /// Nil once the subscriber has cancelled or has received the completion.
  private var subscriber: AnySubscriber<Input, Failure>?
  private var demand = Subscribers.Demand.none
  private var events: [Event] = []
  /// The index of the next event; the events before it were delivered.
  private var next = 0
  /// True at first, so that nothing is delivered before the subscriber has its subscription.
  private var isDelivering = true

  init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
  }

  /// Passes the subscription to the subscriber, and then all events that have arrived so far.
  ///
  /// No other thread may deliver before that: a subscriber to a current value has received that value when this
  /// returns.
  func open(_ subscription: any Subscription) {
    let subscriber = lock.withLock { self.subscriber }
    subscriber?.receive(subscription: subscription)
    while deliverNext() {}
  }

  /// Queues the value if there is demand for it, and returns whether it did.
  func offer(_ value: Input) -> Bool {
    lock.withLock {
      guard subscriber != nil, demand > .none else { return false }
      demand -= 1
      events.append(.value(value, isPaid: true, sources: []))
      return true
    }
  }

  /// Queues the value. It is delivered when there is demand for it.
  func queue(_ value: Input, from sources: [Int] = []) {
    lock.withLock { if subscriber != nil { events.append(.value(value, isPaid: false, sources: sources)) } }
  }

  /// Queues the completion behind all queued values.
  func queue(_ completion: Subscribers.Completion<Failure>) {
    lock.withLock { if subscriber != nil { events.append(.completion(completion)) } }
  }

  func request(_ more: Subscribers.Demand) {
    lock.withLock { demand += more }
    owner?.outletWants(more)
    deliver()
  }

  /// Returns true on the first call, if the completion was not delivered before.
  @discardableResult func cancel() -> Bool {
    let held = lock.withLock { clear() }
    return held.subscriber != nil
  }

  /// The caller releases the returned objects outside the lock.
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

  /// The next event, unless it is a value without demand. Needs the lock.
  private func takeEvent() -> Event? {
    guard next < events.count else { return nil }
    let event = events[next]
    if case .value(_, isPaid: false, _) = event {
      guard demand > .none else { return nil }
      demand -= 1
    }
    next += 1
    // Removes delivered events in batches: removing them one by one would move the remaining events each time.
    if next == events.count || next >= 64 {
      events.removeFirst(next)
      next = 0
    }
    return event
  }
}

protocol OutletOwner: AnyObject {
  /// The subscriber's demand grew by `more`.
  func outletWants(_ more: Subscribers.Demand)
  /// A value of these sources was delivered.
  func outletDelivered(from sources: [Int])
}

extension OutletOwner {
  func outletDelivered(from sources: [Int]) {}
}
