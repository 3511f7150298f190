/// Operators that deliver on a scheduler.
extension Publishers {
  /// Delivers values and the completion on the scheduler, one at a time and in order.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber, on: scheduler, options)
      conduit.attach(upstream, .forwarded) { conduit.finish($0) }
      conduit.open()
    }
  }

  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      scheduler.schedule(options: options) { upstream.subscribe(subscriber) }
    }
  }

  /// Sends a value once no newer value has arrived for `dueTime`.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let dueTime: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber, on: scheduler, options)
      var newest = 0
      conduit.attach(upstream, .fixed(.unlimited)) { _, value in
        let number = conduit.locked {
          newest += 1
          return newest
        }
        conduit.postpone(by: dueTime, on: scheduler, options) { _ in if newest == number { conduit.offer(value) } }
      } completion: {
        conduit.finish($0)
      }
      conduit.open()
    }
  }

  /// Sends at most one value in each interval: the newest one if `latest` is true, otherwise the first one.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let latest: Bool

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber, on: scheduler, nil)
      var waiting: Output?
      var isWaiting = false
      var last: Context.SchedulerTimeType?
      conduit.attach(upstream, .fixed(.unlimited)) { _, value in
        let now = scheduler.now
        // Declared here so that the replaced value is released outside the lock.
        var replaced: Output?
        let wait = conduit.locked { () -> Context.SchedulerTimeType.Stride? in
          if isWaiting {
            if latest { (replaced, waiting) = (waiting, value) }
            return nil
          }
          waiting = value
          isWaiting = true
          guard let last, last.distance(to: now) < interval else { return .nanoseconds(0) }
          return now.distance(to: last.advanced(by: interval))
        }
        withExtendedLifetime(replaced) {}
        guard let wait else { return }
        conduit.postpone(by: wait, on: scheduler, nil) { now -> Output? in
          defer { (waiting, isWaiting, last) = (nil, false, now) }
          if let waiting { conduit.offer(waiting) }
          return waiting
        }
      } completion: {
        conduit.finish($0)
      }
      conduit.open()
    }
  }

  /// Delays each value and the completion by `interval`.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let conduit = Conduit(subscriber, on: scheduler, options)
      // The scheduler may run actions with close deadlines in any order. The queue preserves the order of sending.
      var waiting = Queue<() -> Void>()
      func postpone(_ append: @escaping () -> Void) {
        conduit.locked { waiting.append(append) }
        conduit.postpone(by: interval, on: scheduler, options) { _ -> (() -> Void)? in
          let append = waiting.removeFirst()
          append?()
          return append
        }
      }
      conduit.attach(upstream, .forwarded) { _, value in
        postpone { conduit.append(value) }
      } completion: { end in
        postpone { conduit.append(end) }
      }
      conduit.open()
    }
  }
}

extension Conduit {
  /// Creates a conduit that delivers on the scheduler.
  fileprivate convenience init<S: Scheduler>(
    _ subscriber: some Subscriber<Output, Failure>, on scheduler: S, _ options: S.SchedulerOptions?
  ) {
    self.init(subscriber)
    schedule = { scheduler.schedule(options: options, $0) }
  }

  /// Runs `change` like ``update(onScheduler:_:)``, but after the interval and on the scheduler. `change` gets the time
  /// at which it runs.
  fileprivate func postpone<S: Scheduler, T>(
    by interval: S.SchedulerTimeType.Stride, on scheduler: S, _ options: S.SchedulerOptions?,
    _ change: @escaping (S.SchedulerTimeType) -> T
  ) {
    let date = scheduler.now.advanced(by: interval)
    scheduler.schedule(after: date, tolerance: scheduler.minimumTolerance, options: options) {
      let now = scheduler.now
      self.update(onScheduler: true) { change(now) }
    }
  }
}

extension Publisher {
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> { Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options) }

  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }

  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }

  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }

  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(upstream: self, interval: interval, scheduler: scheduler, options: options)
  }
}
