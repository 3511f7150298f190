import Foundation

/// The common part of subjects: the subscriptions and the order of their events.
final class SubjectCore<Output, Failure: Error> {
  private let lock = NSLock()
  private var conduits: [Conduit] = []
  private var completion: Subscribers.Completion<Failure>?
  /// The subscriptions to publishers that feed this subject.
  private var feeding: [any Subscription] = []
  /// The newest value. A subscriber that missed it gets it with its next demand. Nil in a subject that stores no value.
  private var current: Output?

  init(current: Output? = nil) { self.current = current }

  deinit { for subscription in feeding { subscription.cancel() } }

  var value: Output? { lock.withLock { current } }

  /// `keeps`: whether the value becomes the current one.
  func send(_ value: Output, keeps: Bool = false) {
    // The value is queued under the lock, so that all subscribers get the values in one order and the current one last.
    let (told, _) = lock.withLock { () -> ([Conduit], Output?) in
      guard completion == nil else { return ([], nil) }
      let previous = current
      if keeps { current = value }
      for conduit in conduits { conduit.missesValue = !conduit.outlet.offer(value) }
      return (conduits, previous)
    }
    for conduit in told { conduit.outlet.deliver() }
  }

  func send(completion end: Subscribers.Completion<Failure>) {
    let told = lock.withLock { () -> [Conduit] in
      guard completion == nil else { return [] }
      completion = end
      for conduit in conduits { conduit.outlet.queue(end) }
      defer { conduits = [] }
      return conduits
    }
    for conduit in told { conduit.outlet.deliver() }
  }

  func send(subscription: any Subscription) {
    lock.withLock { feeding.append(subscription) }
    subscription.request(.unlimited)
  }

  /// The subscription retains `keeping` until it is cancelled.
  func receive<S: Subscriber>(subscriber: S, keeping: AnyObject? = nil) where S.Input == Output, S.Failure == Failure {
    let conduit = Conduit(Outlet(subscriber), core: self, keeping: keeping)
    lock.withLock {
      conduit.missesValue = current != nil
      if let completion { conduit.outlet.queue(completion) } else { conduits.append(conduit) }
    }
    conduit.outlet.open(conduit)
  }

  private func remove(_ conduit: Conduit) {
    lock.withLock { conduits.removeAll { $0 === conduit } }
  }

  private func catchUp(_ conduit: Conduit) {
    lock.withLock {
      guard conduit.missesValue, completion == nil, let current else { return }
      conduit.missesValue = !conduit.outlet.offer(current)
    }
  }

  /// One subscription.
  private final class Conduit: Subscription, OutletOwner {
    let outlet: Outlet<Output, Failure>
    private weak var core: SubjectCore?
    private let lock = NSLock()
    private var keeping: AnyObject?
    /// Needs the core's lock.
    var missesValue = false

    init(_ outlet: Outlet<Output, Failure>, core: SubjectCore, keeping: AnyObject?) {
      self.outlet = outlet
      self.core = core
      self.keeping = keeping
      outlet.owner = self
    }

    func request(_ demand: Subscribers.Demand) { outlet.request(demand) }

    func cancel() {
      outlet.cancel()
      core?.remove(self)
      let held = lock.withLock { () -> AnyObject? in
        defer { keeping = nil }
        return keeping
      }
      withExtendedLifetime(held) {}
    }

    func outletWants(_ more: Subscribers.Demand) { core?.catchUp(self) }
  }
}
