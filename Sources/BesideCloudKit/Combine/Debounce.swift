/// Operators that depend on time.
extension Publisher {
  /// Sends a value once no newer value has arrived for `dueTime`.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Postponed<Self, S> {
    Publishers.Postponed(upstream: self, scheduler: scheduler, options: options) {
      var newest = 0
      return Postponement.Rules(
        value: { postponement, value in
          let mine = postponement.lock.withLock {
            newest += 1
            return newest
          }
          postponement.schedule(after: dueTime) { postponement in
            if postponement.lock.withLock({ newest == mine }) { postponement.sendNow(value) }
          }
        },
        completion: { postponement, end in
          postponement.lock.withLock { newest += 1 }
          postponement.send(end)
        })
    }
  }

  /// Sends at most one value in each interval: the newest one if `latest` is true, otherwise the first one.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Postponed<Self, S> {
    Publishers.Postponed(upstream: self, scheduler: scheduler, options: nil) {
      var waiting: Output?
      var isWaiting = false
      var last: S.SchedulerTimeType?
      return Postponement.Rules(
        value: { postponement, value in
          let now = scheduler.now
          // Declared outside the closure so that the replaced value is released outside the lock.
          var replaced: Output?
          let wait = postponement.lock.withLock { () -> S.SchedulerTimeType.Stride? in
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
          postponement.schedule(after: wait) { postponement in
            let value = postponement.lock.withLock { () -> Output? in
              isWaiting = false
              last = scheduler.now
              defer { waiting = nil }
              return waiting
            }
            if let value { postponement.sendNow(value) }
          }
        },
        completion: { $0.send($1) })
    }
  }

  /// Delays each value and the completion by `interval`.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Postponed<Self, S> {
    Publishers.Postponed(upstream: self, scheduler: scheduler, options: options) {
      // The scheduler may run actions with close deadlines in any order. The queue preserves the order of sending.
      var waiting: [(Postponement<Output, Failure, S>) -> Void] = []
      func postpone(_ postponement: Postponement<Output, Failure, S>) {
        postponement.schedule(after: interval) { postponement in
          postponement.lock.withLock { waiting.removeFirst()(postponement) }
          postponement.deliver()
        }
      }
      return Postponement.Rules(
        value: { postponement, value in
          postponement.lock.withLock { waiting.append { $0.queue(value) } }
          postpone(postponement)
        },
        completion: { postponement, end in
          postponement.lock.withLock { waiting.append { $0.queue(end) } }
          postpone(postponement)
        }, passesDemand: true)
    }
  }
}
