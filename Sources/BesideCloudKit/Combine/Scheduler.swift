import Foundation

/// Runs work on a certain thread or queue at a certain time.
public protocol Scheduler<SchedulerTimeType> {
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  associatedtype SchedulerOptions

  var now: SchedulerTimeType { get }
  var minimumTolerance: SchedulerTimeType.Stride { get }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)
}

extension Scheduler {
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }
}

/// A length of time.
public protocol SchedulerTimeIntervalConvertible {
  static func seconds(_ count: Int) -> Self
  static func seconds(_ count: Double) -> Self
  static func milliseconds(_ count: Int) -> Self
  static func microseconds(_ count: Int) -> Self
  static func nanoseconds(_ count: Int) -> Self
}

/// The interval type of all schedulers here. Apple's schedulers have one type each, with the same initializers.
public struct SchedulerInterval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable, Codable,
  Sendable,
  ExpressibleByFloatLiteral
{
  public var nanoseconds: Int

  init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  public init(integerLiteral value: Int) { self = .seconds(value) }
  public init(floatLiteral value: Double) { self = .seconds(value) }
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  public var timeInterval: TimeInterval { Double(nanoseconds) / 1e9 }
  public var magnitude: SchedulerInterval { SchedulerInterval(nanoseconds: abs(nanoseconds)) }

  /// An interval that overflows is replaced by the longest one.
  private static func times(_ count: Int, _ unit: Int) -> SchedulerInterval {
    let (result, isTooMuch) = count.multipliedReportingOverflow(by: unit)
    return SchedulerInterval(nanoseconds: isTooMuch ? (count < 0 ? .min / 2 : .max / 2) : result)
  }

  public static func seconds(_ count: Int) -> SchedulerInterval { times(count, 1_000_000_000) }
  public static func seconds(_ count: Double) -> SchedulerInterval {
    // More than about 292 years of nanoseconds do not fit into an integer.
    SchedulerInterval(nanoseconds: Int(max(-4e18, min(4e18, (count * 1e9).rounded()))))
  }
  public static func milliseconds(_ count: Int) -> SchedulerInterval { times(count, 1_000_000) }
  public static func microseconds(_ count: Int) -> SchedulerInterval { times(count, 1_000) }
  public static func nanoseconds(_ count: Int) -> SchedulerInterval { times(count, 1) }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  public static func + (left: Self, right: Self) -> Self { Self(nanoseconds: left.nanoseconds + right.nanoseconds) }
  public static func - (left: Self, right: Self) -> Self { Self(nanoseconds: left.nanoseconds - right.nanoseconds) }
  /// Multiplies the two lengths in seconds. Seconds are also the unit of literals.
  public static func * (left: Self, right: Self) -> Self { .seconds(left.timeInterval * right.timeInterval) }
  public static func += (left: inout Self, right: Self) { left = left + right }
  public static func -= (left: inout Self, right: Self) { left = left - right }
  public static func *= (left: inout Self, right: Self) { left = left * right }
}

/// Runs work at once, on the thread that schedules it.
public struct ImmediateScheduler: Scheduler, Sendable {
  public static let shared = ImmediateScheduler()
  public typealias SchedulerOptions = Never

  public struct SchedulerTimeType: Strideable, Sendable {
    public typealias Stride = SchedulerInterval
    public func distance(to other: Self) -> SchedulerInterval { 0 }
    public func advanced(by interval: SchedulerInterval) -> Self { self }
  }

  public var now: SchedulerTimeType { SchedulerTimeType() }

  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerInterval, options: Never?, _ action: @escaping () -> Void
  ) { action() }
}

/// Passes a value to another thread.
///
/// - Note: `@unchecked Sendable`: the sender does not use the value afterwards. Operators pass on events of an
///   ``Outlet``, and that has a lock and runs its subscriber on one thread at a time. Values of clients have to suit
///   their chosen scheduler, as with Apple's.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
