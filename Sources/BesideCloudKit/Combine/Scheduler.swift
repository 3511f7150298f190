import Dispatch

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

/// Runs work at once, on the thread that schedules it.
public struct ImmediateScheduler: Scheduler, Sendable {
  public static let shared = ImmediateScheduler()
  public typealias SchedulerOptions = Never

  public struct SchedulerTimeType: Strideable, Sendable {
    public typealias Stride = DispatchQueue.SchedulerTimeType.Stride
    public func distance(to other: Self) -> Stride { 0 }
    public func advanced(by interval: Stride) -> Self { self }
  }

  public var now: SchedulerTimeType { SchedulerTimeType() }

  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { action() }
}

/// Passes a value to another thread.
///
/// - Note: `@unchecked Sendable`: the sender does not use the value afterwards. Operators pass on events of an
///   ``Conduit``, and that has a lock and runs its subscriber on one thread at a time. Values of clients have to suit
///   their chosen scheduler, as with Apple's.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
