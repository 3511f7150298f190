import Foundation

/// The subscription of one subscriber that may be fed from any thread: by a subject, or by the publishers that an
/// operator combines.
///
/// The subscriber gets one event at a time and in order. An event that arrives during a delivery, from another thread
/// or from within the subscriber, is queued. The delivering thread continues until the queue is empty, and then
/// requests further values from the sources. Therefore no lock is held while a subscriber runs. Operators with a
/// scheduler deliver only on it; requests go to the sources at once.
final class Conduit<Output, Failure: Error>: Subscription {
  /// How many values a source may send before the subscriber receives them.
  enum Supply {
    /// As many as the subscriber wants. For operators with one source at a time.
    case forwarded
    /// Any number if the subscriber wants any number, otherwise one.
    case balanced
    case fixed(Subscribers.Demand)

    func limit(for demand: Subscribers.Demand) -> Subscribers.Demand {
      switch self {
      case .forwarded: demand
      case .balanced: demand == .unlimited ? demand : min(demand, .max(1))
      case .fixed(let count): count
      }
    }
  }

  /// A publisher that feeds the subscriber. The conduit's lock guards its state.
  final class Source {
    fileprivate let supply: Supply
    fileprivate var subscription: (any Subscription)?
    /// The number of values that were requested and that the subscriber has not received.
    fileprivate var requested = Subscribers.Demand.none
    fileprivate var isAttached = true
    /// While the source waits for the answer to a value, requests are added up and are part of the answer.
    fileprivate var isSending = false
    fileprivate var answer = Subscribers.Demand.none

    fileprivate init(_ supply: Supply) { self.supply = supply }
  }

  private enum Event {
    /// A value without a source was made from one value of each source.
    case value(Output, Source?)
    case completion(Subscribers.Completion<Failure>)
  }

  /// Set these before other threads reach the conduit. They are released when the subscription ends.
  var onRequest: ((Subscribers.Demand) -> Void)?
  var onCancel: (() -> Void)?
  /// Runs an action on the operator's scheduler. Nil: events are delivered on the thread that sends or requests.
  var schedule: ((@escaping () -> Void) -> Void)?

  private let lock = NSLock()
  /// Nil once the subscriber has cancelled or has received the completion.
  private var subscriber: AnySubscriber<Output, Failure>?
  private var demand = Subscribers.Demand.none
  /// Whether the subscriber has requested values. Nothing is requested from the sources before.
  private var isWanted = false
  private var events = Queue<Event>()
  /// The newest value of a subject that stores it, if the subscriber had no demand for it.
  private var missed: Output?
  private var sources: [Source] = []
  private var isOpen = false
  private var isEnding = false
  /// True at first, so that nothing is delivered before the subscriber has its subscription.
  private var isDelivering = true

  init(_ subscriber: some Subscriber<Output, Failure>) { self.subscriber = AnySubscriber(subscriber) }

  /// Passes the subscription to the subscriber, and delivers all events that have arrived so far. `joining`: completes if
  /// all attached sources have completed.
  ///
  /// No other thread delivers before that: a subscriber to a current value has received that value when this returns.
  func open(joining: Bool = false) {
    locked { subscriber }?.receive(subscription: self)
    locked {
      isOpen = true
      if joining, sources.isEmpty { append(.finished) }
    }
    drain()
  }

  func request(_ more: Subscribers.Demand) {
    let onRequest = locked { self.onRequest }
    onRequest?(more)
    update {
      if more > .none { isWanted = true }
      demand += more
    }
  }

  func cancel() {
    lock.lock()
    let stopped = detachAll()
    let held = clear()
    lock.unlock()
    held.onCancel?()
    for subscription in stopped { subscription.cancel() }
    withExtendedLifetime(held) {}
  }

  // MARK: Events

  func locked<T>(_ body: () -> T) -> T {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Runs `change` with the lock, and delivers what it appended. `change` runs no client code. Its result is released
  /// outside the lock, because a deinitializer may run any code. `onScheduler`: as in ``deliver(onScheduler:)``.
  ///
  /// The change and the beginning of the delivery are one step: a subscriber to a current value receives it on the
  /// thread of its first request, before that request returns.
  func update<T>(onScheduler: Bool = false, _ change: () -> T) {
    lock.lock()
    let held = change()
    let stopped = isEnding ? detachAll() : []
    let delivers = !isDelivering && hasWork
    if delivers { isDelivering = true }
    lock.unlock()
    for subscription in stopped { subscription.cancel() }
    if delivers { drain(onScheduler: onScheduler) }
    withExtendedLifetime(held) {}
  }

  func send(_ value: Output, from source: Source? = nil) { update { append(value, from: source) } }
  func finish(_ completion: Subscribers.Completion<Failure>) { update { append(completion) } }

  /// Queues the value until there is demand for it. Needs the lock.
  func append(_ value: Output, from source: Source? = nil) {
    if subscriber != nil, !isEnding, source?.isAttached != false { events.append(.value(value, source)) }
  }

  /// Queues the completion behind all queued values. Needs the lock.
  func append(_ completion: Subscribers.Completion<Failure>) {
    guard subscriber != nil, !isEnding else { return }
    isEnding = true
    events.append(.completion(completion))
  }

  /// Queues the value if there is demand for it. If not, `keeps` stores it until there is. Needs the lock.
  func offer(_ value: Output, keeps: Bool = false) {
    guard subscriber != nil else { return }
    let hasDemand = demand > .max(events.count)
    if hasDemand { append(value) }
    if keeps { missed = hasDemand ? nil : value }
  }

  /// Delivers events until none is left or the demand is used up. If there is a scheduler and the caller does not run on
  /// it (`onScheduler`), the scheduler delivers them.
  func deliver(onScheduler: Bool = false) { update(onScheduler: onScheduler) {} }

  /// Whether there is an event to deliver or to schedule, or a source that may send more. Needs the lock.
  private var hasWork: Bool {
    if isWanted, !isEnding, !sources.isEmpty { return true }
    guard let event = events.first else { return demand > .none && missed != nil }
    if schedule != nil { return true }
    if case .value = event { return demand > .none }
    return true
  }

  private func drain(onScheduler: Bool = false) {
    while true {
      lock.lock()
      let mayDeliver = onScheduler || schedule == nil
      guard mayDeliver, let subscriber, let event = takeEvent() else {
        isDelivering = false
        let requests = takeRequests()
        let isLater = !mayDeliver && !events.isEmpty
        lock.unlock()
        if isLater { schedule?({ self.deliver(onScheduler: true) }) }
        for (subscription, count) in requests { subscription.request(count) }
        return
      }
      switch event {
      case .value(let value, let source):
        lock.unlock()
        let more = subscriber.receive(value)
        locked {
          demand += more
          for source in source.map({ [$0] }) ?? sources { skip(source) }
        }
      case .completion(let completion):
        let held = clear()
        lock.unlock()
        withExtendedLifetime(held) { subscriber.receive(completion: completion) }
      }
    }
  }

  /// The next event, unless it is a value without demand. Needs the lock.
  private func takeEvent() -> Event? {
    guard let event = events.first else {
      guard demand > .none, let missed else { return nil }
      demand -= 1
      self.missed = nil
      return .value(missed, nil)
    }
    if case .value = event {
      guard demand > .none else { return nil }
      demand -= 1
    }
    return events.removeFirst()
  }

  /// Needs the lock. The caller releases the result outside it.
  private func clear() -> (onCancel: (() -> Void)?, others: Any) {
    defer { (subscriber, events, missed, onRequest, onCancel) = (nil, Queue(), nil, nil, nil) }
    return (onCancel, (subscriber, events, missed, onRequest))
  }

  // MARK: Sources

  /// Subscribes to a publisher. The handlers run on its thread, without the lock.
  @discardableResult func attach<P: Publisher>(
    _ publisher: P, _ supply: Supply, value: @escaping (Source, P.Output) -> Void,
    completion: @escaping (Subscribers.Completion<P.Failure>) -> Void
  ) -> Source {
    let source = Source(supply)
    locked {
      source.isAttached = subscriber != nil && !isEnding
      if source.isAttached { sources.append(source) }
    }
    publisher.subscribe(
      AnySubscriber<P.Output, P.Failure>(
        receiveSubscription: { self.start(source, $0) },
        receiveValue: { input in
          let isAttached = self.locked {
            source.isSending = true
            return source.isAttached
          }
          if isAttached { value(source, input) }
          return self.locked {
            defer { (source.isSending, source.answer) = (false, .none) }
            return source.answer
          }
        },
        receiveCompletion: { if self.remove(source).wasAttached { completion($0) } }))
    return source
  }

  /// Subscribes to a publisher whose values the subscriber gets unchanged.
  @discardableResult func attach<P: Publisher>(
    _ publisher: P, _ supply: Supply, completion: @escaping (Subscribers.Completion<P.Failure>) -> Void
  ) -> Source where P.Output == Output {
    attach(publisher, supply, value: { self.send($1, from: $0) }, completion: completion)
  }

  private func start(_ source: Source, _ subscription: any Subscription) {
    let isFirst = locked {
      guard source.isAttached, source.subscription == nil else { return false }
      source.subscription = subscription
      return true
    }
    if isFirst { deliver() } else { subscription.cancel() }
  }

  /// Lets the source send another value in place of one that the subscriber received or will not receive. Needs the
  /// lock.
  func skip(_ source: Source) { source.requested -= 1 }

  /// A source completed. A failure completes the subscriber, and so does the end of the last source. Otherwise `outer`,
  /// which sent the source, may send another one.
  func join(_ completion: Subscribers.Completion<Failure>, sentBy outer: Source? = nil) {
    update {
      if let outer { skip(outer) }
      if case .finished = completion, !isOpen || !sources.isEmpty { return }
      append(completion)
    }
  }

  /// Cancels the source. Its later events are ignored.
  func detach(_ source: Source) { remove(source).subscription?.cancel() }

  private func remove(_ source: Source) -> (wasAttached: Bool, subscription: (any Subscription)?) {
    locked {
      let held = (source.isAttached, source.subscription)
      source.isAttached = false
      source.subscription = nil
      sources.removeAll { $0 === source }
      return held
    }
  }

  /// Needs the lock. The caller cancels the returned subscriptions outside it.
  private func detachAll() -> [any Subscription] {
    let subscriptions = sources.compactMap { $0.subscription }
    for source in sources { (source.isAttached, source.subscription) = (false, nil) }
    sources = []
    return subscriptions
  }

  /// What each source may send in addition to its earlier requests. Needs the lock.
  private func takeRequests() -> [(any Subscription, Subscribers.Demand)] {
    guard isWanted, !isEnding else { return [] }
    return sources.compactMap { source in
      let more = source.supply.limit(for: demand) - source.requested
      guard more > .none, let subscription = source.subscription else { return nil }
      source.requested += more
      guard source.isSending else { return (subscription, more) }
      source.answer += more
      return nil
    }
  }
}

/// Elements that are taken out in the order of their arrival.
struct Queue<Element> {
  private var slots: [Element?] = []
  /// The index of the first element. The slots before it are empty.
  private var next = 0

  var count: Int { slots.count - next }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : slots[next] }

  mutating func append(_ element: Element) { slots.append(element) }

  /// Retains nothing of the returned element, so that the caller chooses where it is released.
  mutating func removeFirst() -> Element? {
    if isEmpty { return nil }
    let element = slots[next].take()
    next += 1
    // Removing the empty slots one by one would move the remaining elements each time.
    if 2 * next >= slots.count {
      slots.removeFirst(next)
      next = 0
    }
    return element
  }
}
