import Foundation
import Synchronization

/// The times at which an engine does its scheduled work.
///
/// Requests within ``delay`` become one, and so do those that arrive while earlier work runs. Nothing polls: one task
/// sleeps until the earliest time.
///
/// Threads: safe to use from any.
final class SyncSchedule: Sendable {
  enum Work: Hashable, Sendable {
    /// Looks up the account.
    case account
    /// Delivers the state after the app has changed it.
    case state
    case fetch
    case send
  }

  private struct State {
    var due: [Work: ContinuousClock.Instant] = [:]
    /// The end of the pause that the cloud asked for. Neither a success nor a new network ends it.
    var requestedPause: ContinuousClock.Instant?
    /// The end of the engine's own pause after a failure.
    var ownPause: ContinuousClock.Instant?
    /// Failures since the last success.
    var failures = 0
    /// The work that runs, by its task.
    var running: [Task<Void, Never>: Set<Work>] = [:]
    var isHeld = false
    var isStopped = false
    var timer: Task<Void, Never>?
    var perform: (@Sendable (Set<Work>) async -> Void)?

    var isPaused: Bool { requestedPause != nil || ownPause != nil }

    /// Whether work runs. Beside it only account checks begin, because they may cancel it.
    var isWorking: Bool { running.values.contains { $0 != [.account] } }
  }

  /// The time between a change of the state by the app and the event with the new state, in seconds.
  static let stateDelay = 0.1
  /// The longest time between two attempts, in seconds, where the cloud names none.
  private static let longestPause = 60.0

  /// The time between a request for work and the work, in seconds.
  private let delay: Double
  private let state: Mutex<State>

  init(delay: Double) {
    self.delay = delay
    state = Mutex(State())
  }

  /// Sets the function that does the work.
  func start(_ perform: @escaping @Sendable (Set<Work>) async -> Void) {
    state.withLock { state in
      state.perform = perform
      arm(&state)
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.due = [:]
      state.perform = nil
      arm(&state)
    }
  }

  // MARK: Requests

  /// Schedules work, unless it is scheduled for an earlier time.
  func request(_ work: Work) {
    state.withLock { state in
      guard !state.isStopped else { return }
      let time = ContinuousClock.now + .seconds(work == .state ? Self.stateDelay : delay)
      state.due[work] = min(state.due[work] ?? time, time)
      arm(&state)
    }
  }

  /// Schedules work that failed. Nothing is fetched or sent before that time.
  ///
  /// - Parameter seconds: the cloud's retry-after; nil: a time that doubles with each failure.
  func retry(_ work: Work, after seconds: Double?) {
    state.withLock { state in
      guard !state.isStopped else { return }
      let own = min(Self.longestPause, max(delay, 1) * pow(2, Double(state.failures)))
      state.failures += 1
      let end = ContinuousClock.now + .seconds(max(seconds ?? own, 0))
      if seconds == nil {
        state.ownPause = max(end, state.ownPause ?? end)
      } else {
        state.requestedPause = max(end, state.requestedPause ?? end)
      }
      state.due[work] = end
      arm(&state)
    }
  }

  /// Removes work that a pass does now.
  func drop(_ work: Work) {
    state.withLock { state in
      state.due[work] = nil
      arm(&state)
    }
  }

  /// Ends a pause that the cloud did not ask for, after a success.
  func succeeded() {
    state.withLock { state in
      (state.ownPause, state.failures) = (nil, 0)
      arm(&state)
    }
  }

  /// Ends a pause that the cloud did not ask for: the device is online, or an account is signed in.
  func resume() {
    state.withLock { state in
      state.failures = 0
      guard state.ownPause != nil else { return }
      state.ownPause = nil
      for work in state.due.keys { state.due[work] = .now }
      arm(&state)
    }
  }

  // MARK: By hand

  /// Stops scheduled work, or lets it go on.
  func hold(_ isHeld: Bool) {
    state.withLock { state in
      state.isHeld = isHeld
      arm(&state)
    }
  }

  /// Waits for the work that has begun.
  func finishRunning() async {
    while let task = state.withLock({ $0.running.keys.first }) { await task.value }
  }

  var isPaused: Bool { state.withLock { $0.isPaused } }

  /// Whether the cloud asked for a pause.
  var isPauseRequested: Bool { state.withLock { $0.requestedPause != nil } }

  /// Removes and returns the work that waits, at any time. Work in a pause waits on, unless `endingPause`.
  func takeAll(endingPause: Bool) -> Set<Work> {
    state.withLock { state in
      if endingPause { (state.requestedPause, state.ownPause) = (nil, nil) }
      let taken = state.due.keys.filter { !Self.isPausable($0) || !state.isPaused }
      for work in taken { state.due[work] = nil }
      arm(&state)
      return Set(taken)
    }
  }

  // MARK: The timer

  private static func isPausable(_ work: Work) -> Bool { work == .fetch || work == .send }

  /// The time at which work is to begin; nil if it is not scheduled, or waits for the end of other work.
  private static func time(of work: Work, _ state: State) -> ContinuousClock.Instant? {
    guard let time = state.due[work], work == .account || !state.isWorking else { return nil }
    guard isPausable(work) else { return time }
    return max(time, state.requestedPause ?? time, state.ownPause ?? time)
  }

  /// Starts the task that sleeps until the earliest time, instead of the one before.
  private func arm(_ state: inout State) {
    state.timer?.cancel()
    state.timer = nil
    guard !state.isHeld, !state.isStopped, state.perform != nil,
      let time = state.due.keys.compactMap({ Self.time(of: $0, state) }).min()
    else { return }
    state.timer = Task.detached { [weak self] in
      do { try await Task.sleep(until: time, clock: .continuous) } catch { return }
      await self?.fire()
    }
  }

  private func fire() async {
    typealias Perform = @Sendable (Set<Work>) async -> Void
    let (works, perform, task) = state.withLock { state -> (Set<Work>, Perform?, Task<Void, Never>?) in
      guard !Task.isCancelled, !state.isHeld, let task = state.timer else { return ([], nil, nil) }
      // The work runs in this task. The next request must not cancel it.
      state.timer = nil
      let now = ContinuousClock.now
      let due = Set(state.due.keys.filter { work in Self.time(of: work, state).map { $0 <= now } ?? false })
      for work in due { state.due[work] = nil }
      if let end = state.requestedPause, end <= now { state.requestedPause = nil }
      if let end = state.ownPause, end <= now { state.ownPause = nil }
      if !due.isEmpty { state.running[task] = due }
      arm(&state)
      return (due, state.perform, task)
    }
    guard !works.isEmpty, let perform, let task else { return }
    await perform(works)
    state.withLock { state in
      state.running[task] = nil
      arm(&state)
    }
  }
}
