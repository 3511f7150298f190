import Foundation
import Synchronization

/// Makes `Timer(timeInterval:target:…)` create a timer of this library's class, with `userInfo`: an initialiser in a
/// class extension could create only Foundation's class.
public protocol _TimerWithMethod {}

extension Timer: _TimerWithMethod {}

extension _TimerWithMethod where Self: Timer {
  /// A timer that calls a method of its target. It retains the target until it is invalid. It runs only after it is
  /// added to a run loop.
  public init(timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool) {
    self.init(
      fireAt: Date(timeIntervalSinceNow: timeInterval), interval: timeInterval, target: target, selector: selector,
      userInfo: userInfo, repeats: repeats)
  }

  /// A timer that calls a method of an object, starting at a date.
  public init(
    fireAt date: Date, interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
  ) {
    let timer: Timer = MethodTimer(date, interval, TimerTarget(target, selector), userInfo, repeats)
    guard let timer = timer as? Self else { preconditionFailure("subclasses of Timer have no such initialiser") }
    self = timer
  }
}

extension Timer {
  /// A timer that calls a method of its target, and runs in the current run loop.
  @discardableResult
  public class func scheduledTimer(
    timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
  ) -> Timer {
    let timer = Timer(
      timeInterval: timeInterval, target: target, selector: selector, userInfo: userInfo, repeats: repeats)
    RunLoop.current.add(timer, forMode: .default)
    return timer
  }
}

private final class MethodTimer: Timer {
  private let target: TimerTarget
  private let information: Any?

  init(_ date: Date, _ interval: TimeInterval, _ target: TimerTarget, _ userInfo: Any?, _ repeats: Bool) {
    self.target = target
    information = userInfo
    // As on Apple's platforms, this is the shortest interval.
    super.init(fire: date, interval: max(interval, 0.0001), repeats: repeats) { timer in
      target.send(timer)
      if !repeats { timer.invalidate() }
    }
  }

  override var userInfo: Any? { isValid ? information : nil }

  override func invalidate() {
    super.invalidate()
    target.forget()
  }
}

/// The target of a timer and its method.
///
/// Threads: the target is read and released under the lock.
private final class TimerTarget: Sendable {
  private struct Target: @unchecked Sendable {
    var value: Any?
  }

  private let target: Mutex<Target>
  private let selector: Selector

  init(_ target: Any, _ selector: Selector) {
    self.target = Mutex(Target(value: target))
    self.selector = selector
  }

  func send(_ timer: Timer) {
    let target = target.withLock { $0 }
    if let value = target.value { _ = selector.send(to: value, with: timer) }
  }

  func forget() {
    // Released outside of the lock, because its deinitialiser may run any code.
    let forgotten = target.withLock { target in
      defer { target.value = nil }
      return target
    }
    _ = forgotten
  }
}
