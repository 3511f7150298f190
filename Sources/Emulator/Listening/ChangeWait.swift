import LocalCloudModel
import LocalCloudPlatform
import Synchronization

/// Waits until a condition on a cloud or a store is met, by watches of folders. It never asks at intervals.
///
/// The folders are watched before the condition is checked, so that a change after the check is an event. After each
/// event the folders are looked up again: a zone may have been made, or deleted and made again. They are looked up once
/// more before the wait: a folder that is made after the first look, but before its parent is watched, sends no event.
/// The old watch ends after the new one has begun. `CloudService.watchedFolders(of:by:)` says why no commit is missed
/// in between, and why none needs a second event.
///
/// With a ``LastingSession`` a wait continues in a restored cloud: the session is opened again before the next check,
/// and also if the restore made a check fail.
///
/// Threads: ``run(in:seconds:watching:until:)`` and ``runUntilQuiet(in:for:seconds:watching:)`` block their thread, so
/// call them on one that may block, and on one at a time; ``stop()`` may be called from any.
package final class ChangeWait: Sendable {
  package enum Outcome<Value> {
    case met(Value)
    /// The time is up.
    case timedOut
    /// ``ChangeWait/stop()`` was called.
    case stopped
  }

  private struct State {
    var isStopped = false
    var watch: DirectoryWatch?
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits until `check` returns a value.
  ///
  /// - Parameters:
  ///   - session: the session that `watched` and `check` use.
  ///   - seconds: the longest time to wait; with 0, `check` is called once.
  ///   - watched: returns the folders with the data that `check` reads. It is called before and after `check`.
  ///   - next: returns the longest time in seconds until the next check. A change may precede it.
  ///   - check: returns nil if the wait goes on. It must not write to the folders. It is called again if the cloud was
  ///     replaced during the call.
  /// - Throws: the errors of `watched` and `check`; an error with `isOutOfWatches` if no more watches are allowed; if
  ///   the cloud was removed, or can't be opened again, the errors of ``LastingSession/reopenIfReplaced()``.
  package func run<Value>(
    in session: LastingSession? = nil, seconds: Double, watching watched: () throws -> WatchedFolders,
    checkingAgainAfter next: () throws -> Double = { .infinity }, until check: () throws -> Value?
  ) throws -> Outcome<Value> {
    defer { end() }
    let start = monotonicNanoseconds()
    while true {
      guard let (watch, folders, value) = try watching(session, watched, check) else { continue }
      if let value {
        // The check may have read one part before the restore and another after it.
        if (try? session?.reopenIfReplaced()) == true { continue }
        return .met(value)
      }
      let left = max(0, seconds - Self.seconds(since: start))
      if left > 0, !isStopped, try !areSame(folders, session, watched) { continue }
      let limit = try next()
      switch watch.wait(seconds: min(limit, left)) {
      case .changed, .gone: continue
      case .nothing where limit < left: continue
      case .nothing: return .timedOut
      case .stopped: return .stopped
      }
    }
  }

  /// Waits until nothing has changed in the folders for `quiet` seconds.
  ///
  /// - Parameters:
  ///   - session: the session that `watched` uses.
  ///   - seconds: the longest time to wait.
  package func runUntilQuiet(
    in session: LastingSession? = nil, for quiet: Double, seconds: Double, watching watched: () throws -> WatchedFolders
  ) throws -> Outcome<Void> {
    defer { end() }
    let start = monotonicNanoseconds()
    var left = seconds
    while true {
      // A change before this precedes the time that is measured.
      guard let (watch, folders, _) = try watching(session, watched, {}) else { continue }
      let isSame = try left <= 0 || isStopped || areSame(folders, session, watched)
      switch isSame ? watch.wait(seconds: min(quiet, left)) : .changed {
      case .changed, .gone: left = max(0, seconds - Self.seconds(since: start))
      case .nothing: return quiet <= left ? .met(()) : .timedOut
      case .stopped: return .stopped
      }
    }
  }

  /// Ends the present wait and all later ones.
  package func stop() {
    let watch = state.withLock { state in
      state.isStopped = true
      return state.watch
    }
    watch?.stop()
  }

  /// Calls `body` after a watch of the folders has begun. Returns nil if the session was opened again instead: the
  /// watched folders and the result of `body` would be those of the cloud before.
  private func watching<Value>(
    _ session: LastingSession?, _ watched: () throws -> WatchedFolders, _ body: () throws -> Value
  ) throws -> (watch: DirectoryWatch, folders: Set<FileIdentity>, value: Value)? {
    do {
      let (watch, folders) = try begin(watched())
      if try session?.reopenIfReplaced() == true { return nil }
      return (watch, folders, try body())
    } catch {
      // A restore moves folders that `body` reads.
      if (try? session?.reopenIfReplaced()) == true { return nil }
      throw error
    }
  }

  /// Whether the folders to watch are still these.
  private func areSame(
    _ folders: Set<FileIdentity>, _ session: LastingSession?, _ watched: () throws -> WatchedFolders
  ) throws -> Bool {
    do { return try watched().identities() == folders } catch {
      if (try? session?.reopenIfReplaced()) == true { return false }
      throw error
    }
  }

  private func begin(_ watched: WatchedFolders) throws -> (DirectoryWatch, folders: Set<FileIdentity>) {
    let watch = try DirectoryWatch(watched)
    let isStopped = state.withLock { state in
      state.watch = watch
      return state.isStopped
    }
    if isStopped { watch.stop() }
    return (watch, try watched.identities())
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func end() { state.withLock { $0.watch = nil } }

  private static func seconds(since start: UInt64) -> Double {
    Double(monotonicNanoseconds() - start) / 1_000_000_000
  }
}

extension ChangeWait.Outcome: Sendable where Value: Sendable {}

extension ChangeWait {
  /// Runs a wait on a thread of its own. It stops when the task is cancelled.
  package func onThread<Value: Sendable>(
    _ body: @escaping @Sendable (ChangeWait) throws -> Outcome<Value>
  ) async throws -> Outcome<Value> {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isStarted = startThreadIfPossible { [self] in continuation.resume(with: Result { try body(self) }) }
        if !isStarted {
          continuation.resume(
            throwing: ServiceError(
              .serviceUnavailable, "There is no thread left to wait for changes.", cause: .storage))
        }
      }
    } onCancel: {
      stop()
    }
  }
}
