import Combine
import Foundation
import Testing

/// A subscriber that requests the test's demand and records all values and completions.
final class Recorder<Input, Failure: Error>: Subscriber, Cancellable {
  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var received: [Input] = []
  private var ended: [Subscribers.Completion<Failure>] = []
  private let first: Subscribers.Demand
  private let each: Subscribers.Demand

  /// `first`: the initial demand; `each`: the additional demand after each value.
  init(first: Subscribers.Demand = .unlimited, each: Subscribers.Demand = .none) {
    self.first = first
    self.each = each
  }

  var values: [Input] { lock.withLock { received } }
  var ends: [Subscribers.Completion<Failure>] { lock.withLock { ended } }
  var isFinished: Bool {
    guard let end = ends.first, case .finished = end else { return false }
    return ends.count == 1
  }

  func receive(subscription: any Subscription) {
    lock.withLock { self.subscription = subscription }
    if first > .none { subscription.request(first) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock.withLock { received.append(input) }
    return each
  }

  func receive(completion: Subscribers.Completion<Failure>) { lock.withLock { ended.append(completion) } }

  func request(_ demand: Subscribers.Demand) {
    let subscription = lock.withLock { self.subscription }
    subscription?.request(demand)
  }

  func cancel() {
    let subscription = lock.withLock { () -> (any Subscription)? in
      defer { self.subscription = nil }
      return self.subscription
    }
    subscription?.cancel()
  }
}

extension Publisher {
  /// Subscribes a new recorder. It has the values that the publisher sends synchronously.
  func recorded(
    first: Subscribers.Demand = .unlimited, each: Subscribers.Demand = .none
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(first: first, each: each)
    subscribe(recorder)
    return recorder
  }
}

/// A scheduler with a clock that only the test advances.
final class TestScheduler: Scheduler {
  typealias SchedulerTimeType = RunLoop.SchedulerTimeType
  typealias SchedulerOptions = Never

  private(set) var now = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0))
  private var work: [(date: RunLoop.SchedulerTimeType, number: Int, action: () -> Void)] = []
  private var count = 0

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    schedule(after: now, tolerance: 0, options: nil, action)
  }

  func schedule(
    after date: RunLoop.SchedulerTimeType, tolerance: RunLoop.SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    count += 1
    work.append((date, count, action))
  }

  func advance(by interval: RunLoop.SchedulerTimeType.Stride) {
    let end = now.advanced(by: interval)
    while let next = work.filter({ $0.date <= end }).min(by: { ($0.date, $0.number) < ($1.date, $1.number) }) {
      work.removeAll { $0.number == next.number }
      now = max(now, next.date)
      next.action()
    }
    now = end
  }
}

struct Failed: Error, Equatable {}

/// Calls a closure when it is released.
final class ReleaseObserver {
  let onEnd: () -> Void
  init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }
  deinit { onEnd() }
}

/// Runs the work on this number of threads concurrently, and waits for all.
func together(_ threads: Int, _ work: @escaping @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: threads) { work($0) }
}

/// Runs the work on another thread. Returns false if the work does not end within ten seconds, as in a deadlock.
func ends(_ work: @escaping @Sendable () -> Void) -> Bool {
  let done = Shared(DispatchSemaphore(value: 0))
  DispatchQueue.global().async {
    work()
    done.value.signal()
  }
  return done.value.wait(timeout: .now() + 10) == .success
}

/// Passes a thread-safe publisher to other threads.
struct Shared<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
