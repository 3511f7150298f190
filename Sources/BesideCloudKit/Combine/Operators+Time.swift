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
      let conduit = Conduit(subscriber)
      conduit.attach(upstream, .forwarded) { _, value in
        conduit.locked { conduit.append(value) }
        scheduler.schedule(options: options) { conduit.deliver() }
      } completion: { end in
        conduit.locked { conduit.append(end) }
        scheduler.schedule(options: options) { conduit.deliver() }
      }
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
      let conduit = Conduit(subscriber)
      var newest = 0
      conduit.attach(upstream, .fixed(.unlimited)) { _, value in
        let number = conduit.locked {
          newest += 1
          return newest
        }
        scheduler.schedule(after: dueTime, options) {
          conduit.update { if newest == number { conduit.offer(value) } }
        }
      } completion: { end in
        conduit.locked {
          newest += 1
          conduit.append(end)
        }
        scheduler.schedule(options: options) { conduit.deliver() }
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
      let conduit = Conduit(subscriber)
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
        scheduler.schedule(after: wait, nil) {
          let now = scheduler.now
          conduit.update { () -> Output? in
            defer { (waiting, isWaiting, last) = (nil, false, now) }
            if let waiting { conduit.offer(waiting) }
            return waiting
          }
        }
      } completion: { end in
        conduit.locked { conduit.append(end) }
        scheduler.schedule { conduit.deliver() }
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
      let conduit = Conduit(subscriber)
      // The scheduler may run actions with close deadlines in any order. The queue preserves the order of sending.
      var waiting = Queue<() -> Void>()
      func postpone(_ append: @escaping () -> Void) {
        conduit.locked { waiting.append(append) }
        scheduler.schedule(after: interval, options) {
          conduit.update {
            let append = waiting.removeFirst()
            append?()
            return append
          }
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

extension Scheduler {
  fileprivate func schedule(
    after interval: SchedulerTimeType.Stride, _ options: SchedulerOptions?, _ action: @escaping () -> Void
  ) { schedule(after: now.advanced(by: interval), tolerance: minimumTolerance, options: options, action) }
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
