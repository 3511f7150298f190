import Dispatch
import Foundation

extension DispatchQueue: Scheduler {
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    public var dispatchTime: DispatchTime

    public init(_ time: DispatchTime) { dispatchTime = time }

    public func distance(to other: Self) -> Stride {
      let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      return to >= from ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
    }

    public func advanced(by interval: Stride) -> Self {
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
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = Handover(action)
    asyncAfter(deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      work.value()
    }
  }
}

extension DispatchQueue.SchedulerTimeType {
  /// The interval of all schedulers.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable, Codable, Sendable,
    ExpressibleByFloatLiteral
  {
    var nanoseconds: Int

    public init(integerLiteral value: Int) { self = .seconds(value) }
    public init(floatLiteral value: Double) { self = .seconds(value) }
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      self = .seconds(seconds)
    }
    private init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    public var timeInterval: TimeInterval { Double(nanoseconds) / 1e9 }
    public var magnitude: Self { Self(nanoseconds: abs(nanoseconds)) }

    /// An interval that overflows is replaced by the longest one.
    private static func times(_ count: Int, _ unit: Int) -> Self {
      let (result, isTooMuch) = count.multipliedReportingOverflow(by: unit)
      return Self(nanoseconds: isTooMuch ? (count < 0 ? .min / 2 : .max / 2) : result)
    }

    public static func seconds(_ count: Int) -> Self { times(count, 1_000_000_000) }
    public static func seconds(_ count: Double) -> Self {
      // More than about 292 years of nanoseconds do not fit into an integer.
      Self(nanoseconds: Int(max(-4e18, min(4e18, (count * 1e9).rounded()))))
    }
    public static func milliseconds(_ count: Int) -> Self { times(count, 1_000_000) }
    public static func microseconds(_ count: Int) -> Self { times(count, 1_000) }
    public static func nanoseconds(_ count: Int) -> Self { times(count, 1) }

    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
    public static func + (left: Self, right: Self) -> Self { Self(nanoseconds: left.nanoseconds + right.nanoseconds) }
    public static func - (left: Self, right: Self) -> Self { Self(nanoseconds: left.nanoseconds - right.nanoseconds) }
    /// Multiplies the two lengths in seconds. Seconds are also the unit of literals.
    public static func * (left: Self, right: Self) -> Self { .seconds(left.timeInterval * right.timeInterval) }
    public static func += (left: inout Self, right: Self) { left = left + right }
    public static func -= (left: inout Self, right: Self) { left = left - right }
    public static func *= (left: inout Self, right: Self) { left = left * right }
  }
}

extension RunLoop: Scheduler {
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    public typealias Stride = DispatchQueue.SchedulerTimeType.Stride
    public var date: Date

    public init(_ date: Date) { self.date = date }

    public func distance(to other: Self) -> Stride { .seconds(other.date.timeIntervalSince(date)) }
    public func advanced(by interval: Stride) -> Self { Self(date.addingTimeInterval(interval.timeInterval)) }
  }

  public struct SchedulerOptions: Sendable {}

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Work for the main run loop is sent to the main queue: a program that waits in `dispatchMain()` or in an
  /// asynchronous `main` runs no run loop here.
  private var isMain: Bool { self === RunLoop.main }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Handover(action)
    if isMain { DispatchQueue.main.async { work.value() } } else { perform { work.value() } }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
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
  public typealias SchedulerTimeType = RunLoop.SchedulerTimeType

  public struct SchedulerOptions: Sendable {}

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Handover(action)
    addOperation { work.value() }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = Handover(action)
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) {
      self.addOperation { work.value() }
    }
  }
}
