import Foundation

/// Delays values and the completion, and delivers them on a scheduler.
///
/// Its lock guards the state of operators. Operators run no client code while they hold it.
final class Postponement<Input, Failure: Error, Context: Scheduler>: Subscriber, Subscription, OutletOwner {
  /// The operator's handlers for a value and for the completion.
  struct Rules {
    var value: (Postponement, Input) -> Void
    var completion: (Postponement, Subscribers.Completion<Failure>) -> Void
    /// Whether the upstream gets the subscriber's demand; otherwise it gets unlimited demand.
    var passesDemand = false
  }

  let scheduler: Context
  let options: Context.SchedulerOptions?
  let lock = NSLock()
  private let outlet: Outlet<Input, Failure>
  private let rules: Rules
  private var subscription: (any Subscription)?
  private var isOver = false

  init<S: Subscriber>(_ subscriber: S, on scheduler: Context, options: Context.SchedulerOptions? = nil, rules: Rules)
  where S.Input == Input, S.Failure == Failure {
    outlet = Outlet(subscriber)
    self.scheduler = scheduler
    self.options = options
    self.rules = rules
    outlet.owner = self
  }

  func receive(subscription: any Subscription) {
    let isFirst = lock.withLock {
      guard !isOver, self.subscription == nil else { return false }
      self.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    outlet.open(self)
    if !rules.passesDemand { subscription.request(.unlimited) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    rules.value(self, input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    _ = release()
    rules.completion(self, completion)
  }

  /// Queues the value behind the earlier ones, without delivering it.
  func queue(_ value: Input) { outlet.queue(value) }
  func queue(_ completion: Subscribers.Completion<Failure>) { outlet.queue(completion) }

  func deliver() { outlet.deliver() }

  func send(_ value: Input) {
    queue(value)
    schedule { $0.deliver() }
  }

  func send(_ completion: Subscribers.Completion<Failure>) {
    queue(completion)
    schedule { $0.deliver() }
  }

  /// Delivers the value at once, from a scheduled action. Drops it if there is no demand.
  func sendNow(_ value: Input) { if outlet.offer(value) { outlet.deliver() } }

  func schedule(_ action: @escaping (Postponement) -> Void) {
    scheduler.schedule(options: options) { action(self) }
  }

  func schedule(after interval: Context.SchedulerTimeType.Stride, _ action: @escaping (Postponement) -> Void) {
    scheduler.schedule(
      after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance, options: options
    ) { action(self) }
  }

  func request(_ demand: Subscribers.Demand) { outlet.request(demand) }

  func outletWants(_ more: Subscribers.Demand) {
    guard rules.passesDemand, more > .none else { return }
    let subscription = lock.withLock { self.subscription }
    subscription?.request(more)
  }

  func cancel() {
    outlet.cancel()
    release()?.cancel()
  }

  private func release() -> (any Subscription)? {
    lock.withLock {
      isOver = true
      defer { subscription = nil }
      return subscription
    }
  }
}

extension Publishers {
  /// The publisher returned by the operators on a scheduler.
  public struct Postponed<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let scheduler: Context
    let options: Context.SchedulerOptions?
    let begin: () -> Postponement<Output, Failure, Context>.Rules

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Postponement(subscriber, on: scheduler, options: options, rules: begin()))
    }
  }

  /// Subscribes on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      scheduler.schedule(options: options) { upstream.subscribe(subscriber) }
    }
  }
}

extension Publisher {
  /// Delivers values and the completion on the scheduler, one at a time and in order.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Postponed<Self, S> {
    Publishers.Postponed(upstream: self, scheduler: scheduler, options: options) {
      Postponement.Rules(value: { $0.send($1) }, completion: { $0.send($1) }, passesDemand: true)
    }
  }

  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}
