import Dispatch
import Foundation

extension Timer {
  /// Sends the time repeatedly once it is connected.
  public final class TimerPublisher: ConnectablePublisher {
    public typealias Output = Date
    public typealias Failure = Never
    public let interval: TimeInterval
    public let tolerance: TimeInterval?
    public let runLoop: RunLoop
    public let mode: RunLoop.Mode
    private let core = SubjectCore<Date, Never>()

    public init(interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
    }

    public func receive(subscriber: some Subscriber<Date, Never>) {
      core.receive(subscriber: subscriber)
    }

    public func connect() -> any Cancellable {
      let ticks = Handover(core)
      // As in the scheduler, the main queue stands for the main run loop, because a program may not run the latter at
      // all.
      guard runLoop !== RunLoop.main else {
        let source = DispatchSource.makeTimerSource(queue: .main)
        // The tolerance is clamped before the conversion: an integer cannot represent every number, nor infinity or
        // NaN.
        let leeway = tolerance.map { $0 > 0 ? Int(min($0, 1e9) * 1e9) : 0 } ?? 0
        source.schedule(deadline: .now() + interval, repeating: interval, leeway: .nanoseconds(leeway))
        source.setEventHandler { ticks.value.send(Date()) }
        source.activate()
        return AnyCancellable { source.cancel() }
      }
      let timer = Timer(timeInterval: interval, repeats: true) { _ in ticks.value.send(Date()) }
      if let tolerance { timer.tolerance = tolerance }
      runLoop.add(timer, forMode: mode)
      return AnyCancellable { timer.invalidate() }
    }
  }

  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
  }
}
