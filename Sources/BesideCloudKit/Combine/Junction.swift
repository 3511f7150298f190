import Foundation

/// Merges several publishers into one subscriber.
///
/// While the subscriber's demand is unlimited, each publisher gets unlimited demand. Otherwise each publisher gets a
/// demand of one at first, and one more whenever one of its values was delivered.
final class Junction<Output, Failure: Error>: Subscription, OutletOwner {
  /// The reaction to a value. The closures that return it run under the lock. They update the operator's state and run
  /// no client code.
  enum Reaction {
    /// Sends a value. `replaced` is the value that the operator no longer stores. It is released outside the lock,
    /// because its deinitializer may run any code.
    /// because its deinitializer may run any code.
    case emit(Output, sources: [Int], replaced: Any? = nil)
    case emitLast(Output)
    /// Sends nothing yet: values of other publishers have to arrive first.
    case wait
    /// Sends nothing, and requests one more value.
    case more(replaced: Any? = nil)
    /// Runs an action outside the lock.
    case then(() -> Void)
  }

  enum Ending {
    /// Continues, and requests one more value from the publisher `asking`.
    case goOn(asking: Int? = nil)
    case end(Subscribers.Completion<Failure>)
  }

  private let lock = NSLock()
  private let outlet: Outlet<Output, Failure>
  private var wantsAll = false
  private var hasStarted = false
  private var isOver = false
  /// The attached publishers by ID, with their subscriptions once those have arrived.
  private var sources: [Int: (any Subscription)?] = [:]
  /// The IDs of publishers with a demand that is independent of the subscriber's.
  private var steadies: Set<Int> = []
  private var last = 0

  init<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    outlet = Outlet(subscriber)
    outlet.owner = self
  }

  /// Passes the subscription to the subscriber. Attach the publishers first.
  func open() { outlet.open(self) }

  /// Subscribes to a publisher and returns its ID. `steady` is the demand it gets at once, independent of the
  /// subscriber's demand.
  @discardableResult func attach<P: Publisher>(
    _ publisher: P, steady: Subscribers.Demand? = nil, value: @escaping (Int, P.Output) -> Reaction,
    completion: @escaping (Int, Subscribers.Completion<P.Failure>) -> Ending
  ) -> Int {
    let id = lock.withLock {
      last += 1
      if !isOver { sources[last] = .some(nil) }
      if steady != nil { steadies.insert(last) }
      return last
    }
    publisher.subscribe(
      AnySubscriber(
        receiveSubscription: { self.start(id, $0, steady) },
        receiveValue: { input in
          self.react(id) { value(id, input) }
        },
        receiveCompletion: { end in self.finish(id) { completion(id, end) } }))
    return id
  }

  private func start(_ id: Int, _ subscription: any Subscription, _ steady: Subscribers.Demand?) {
    lock.lock()
    guard let known = sources[id], known == nil else {
      lock.unlock()
      return subscription.cancel()
    }
    sources[id] = .some(subscription)
    let demand = steady ?? (wantsAll ? .unlimited : hasStarted ? .max(1) : .none)
    lock.unlock()
    if demand > .none { subscription.request(demand) }
  }

  /// Returns the additional demand for the publisher.
  private func react(_ id: Int, _ reaction: () -> Reaction) -> Subscribers.Demand {
    lock.lock()
    guard !isOver, sources[id] != nil else {
      lock.unlock()
      return .none
    }
    let reaction = reaction()
    var stopped: [any Subscription] = []
    // The value is queued under the lock, so that the order of delivery is the order of the reactions.
    switch reaction {
    case .emit(let output, let from, _): outlet.queue(output, from: wantsAll ? [] : from)
    case .emitLast(let output):
      outlet.queue(output)
      stopped = end(.finished)
    case .wait, .more, .then: break
    }
    let wantsMore = !wantsAll && !steadies.contains(id)
    lock.unlock()
    for subscription in stopped { subscription.cancel() }
    outlet.deliver()
    switch reaction {
    case .then(let action): action()
    case .more: return wantsMore ? .max(1) : .none
    case .emit, .emitLast, .wait: break
    }
    return .none
  }

  private func finish(_ id: Int, _ completion: () -> Ending) {
    lock.lock()
    guard !isOver, sources[id] != nil else { return lock.unlock() }
    sources[id] = nil
    var stopped: [any Subscription] = []
    var asked: (any Subscription)?
    switch completion() {
    case .end(let completion): stopped = end(completion)
    case .goOn(let other): asked = other.flatMap { sources[$0] ?? nil }
    }
    lock.unlock()
    for subscription in stopped { subscription.cancel() }
    outlet.deliver()
    asked?.request(.max(1))
  }

  /// Needs the lock. The caller cancels the returned subscriptions outside it.
  private func end(_ completion: Subscribers.Completion<Failure>) -> [any Subscription] {
    isOver = true
    outlet.queue(completion)
    defer { sources = [:] }
    return sources.values.compactMap { $0 }
  }

  /// Completes the subscriber when there are no publishers to attach.
  func finish() {
    _ = withLock { end(.finished) }
    outlet.deliver()
  }

  /// Cancels the publisher and removes it.
  func detach(_ id: Int) {
    let subscription = lock.withLock { sources.removeValue(forKey: id) ?? nil }
    subscription?.cancel()
  }

  private func withLock<T>(_ body: () -> T) -> T {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  func request(_ demand: Subscribers.Demand) { outlet.request(demand) }

  func cancel() {
    outlet.cancel()
    let stopped = withLock { () -> [any Subscription] in
      isOver = true
      defer { sources = [:] }
      return sources.values.compactMap { $0 }
    }
    for subscription in stopped { subscription.cancel() }
  }

  func outletWants(_ more: Subscribers.Demand) {
    guard more > .none else { return }
    lock.lock()
    let isFirst = !hasStarted
    let becomesAll = more == .unlimited && !wantsAll
    hasStarted = true
    if becomesAll { wantsAll = true }
    // Requests are sent in the order of attachment.
    let ids = isFirst || becomesAll ? sources.keys.filter { !steadies.contains($0) }.sorted() : []
    let asked = ids.compactMap { sources[$0] ?? nil }
    lock.unlock()
    for subscription in asked { subscription.request(becomesAll ? .unlimited : .max(1)) }
  }

  func outletDelivered(from ids: [Int]) {
    lock.lock()
    let asked = wantsAll ? [] : ids.compactMap { sources[$0] ?? nil }
    lock.unlock()
    for subscription in asked { subscription.request(.max(1)) }
  }
}
