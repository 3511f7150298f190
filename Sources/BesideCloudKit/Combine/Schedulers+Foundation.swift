import Dispatch
import Foundation

extension DispatchQueue: Scheduler {
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    public typealias Stride = SchedulerInterval
    public var dispatchTime: DispatchTime

    public init(_ time: DispatchTime) { dispatchTime = time }

    public func distance(to other: Self) -> SchedulerInterval {
      let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      return to >= from ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
    }

    public func advanced(by interval: SchedulerInterval) -> Self {
      Self(dispatchTime + .nanoseconds(interval.nanoseconds))
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }
  }

  public struct SchedulerOptions {
    public var qos: DispatchQoS
    public var flags: DispatchWorkItemFlags

    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = []) {
      self.qos = qos
      self.flags = flags
    }
  }

  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Handover(action)
    async(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerInterval, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = Handover(action)
    asyncAfter(deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      work.value()
    }
  }
}

/// The time type of ``RunLoop`` and ``OperationQueue``.
public struct SchedulerDate: Strideable, Hashable, Codable, Sendable {
  public typealias Stride = SchedulerInterval
  public var date: Date

  public init(_ date: Date) { self.date = date }

  public func distance(to other: Self) -> SchedulerInterval { .seconds(other.date.timeIntervalSince(date)) }
  public func advanced(by interval: SchedulerInterval) -> Self {
    Self(date.addingTimeInterval(interval.timeInterval))
  }
}

extension RunLoop: Scheduler {
  public typealias SchedulerTimeType = SchedulerDate

  public struct SchedulerOptions: Sendable {}

  public var now: SchedulerDate { SchedulerDate(Date()) }

  /// Work for the main run loop is sent to the main queue: a program that waits in `dispatchMain()` or in an
  /// asynchronous `main` runs no run loop here.
  private var isMain: Bool { self === RunLoop.main }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Handover(action)
    if isMain { DispatchQueue.main.async { work.value() } } else { perform { work.value() } }
  }

  public func schedule(
    after date: SchedulerDate, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    let work = Handover(action)
    if isMain {
      DispatchQueue.main.asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) { work.value() }
    } else {
      add(Timer(fire: date.date, interval: 0, repeats: false) { _ in work.value() }, forMode: .default)
    }
  }
}

extension OperationQueue: Scheduler {
  public typealias SchedulerTimeType = SchedulerDate

  public struct SchedulerOptions: Sendable {}

  public var now: SchedulerDate { SchedulerDate(Date()) }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Handover(action)
    addOperation { work.value() }
  }

  public func schedule(
    after date: SchedulerDate, tolerance: SchedulerInterval, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    let work = Handover(action)
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) {
      self.addOperation { work.value() }
    }
  }
}
