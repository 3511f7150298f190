import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage

/// A thread that waits for changes in one of a device's folders, or in a store's, and after each change handles all
/// waiting items, one after another.
///
/// Threads: any may call it; ``begin()`` to ``call(_:)`` are for the loop's own thread.
package final class ListeningLoop: FolderUser {
  /// The source of the loop's items: a watch, and the function that handles the waiting ones.
  package struct Source: Sendable {
    var watch: DirectoryWatch
    /// Returns the longest time in seconds until the next call; infinity: only a change needs one.
    var takeAll: @Sendable () -> Double

    /// - Parameter takeAll: returns false if a step has to be retried.
    package init(watch: DirectoryWatch, takeAll: @escaping @Sendable () -> Bool) {
      // A failure that may be temporary is retried soon.
      self.init(watch: watch, nextCall: { takeAll() ? .infinity : ListeningLoop.retryDelay })
    }

    /// - Parameter takeAll: returns the longest time in seconds until its next call.
    init(watch: DirectoryWatch, nextCall takeAll: @escaping @Sendable () -> Double) {
      (self.watch, self.takeAll) = (watch, takeAll)
    }
  }

  static let retryDelay = 1.0

  private struct Failure: Hashable {
    var version: FileVersion?
    var error: ServiceError
  }

  private struct State {
    var isStopped = false
    /// Whether the thread may still handle items.
    var hasThread = false
    /// True from the lock of an item to its removal.
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watch: DirectoryWatch?
    /// The failures that were reported: each is reported once.
    var failures: Set<Failure> = []
  }

  /// The loop that runs the present handler.
  @TaskLocal private static var running: ObjectIdentifier?

  private let failed: @Sendable (ServiceError) -> Void
  private let state = ThreadCondition(State())

  package init(failed: @escaping @Sendable (ServiceError) -> Void) { self.failed = failed }

  /// `open`: called again whenever the watched folder was removed. `ended`: called after the last item.
  package func start(
    ended: @escaping @Sendable () -> Void = {}, _ open: @escaping @Sendable () throws -> Source
  ) throws(ServiceError) {
    let source = try self.open(open)
    state.change { $0.hasThread = true }
    let hasStarted = startThreadIfPossible { [self] in
      run(source, open)
      ended()
      endThread()
    }
    guard hasStarted else {
      endThread()
      throw ServiceError(.serviceUnavailable, "There is no thread left to wait for news.", cause: .storage)
    }
  }

  package func stop() {
    let watch = state.change { state in
      state.isStopped = true
      return state.watch
    }
    watch?.stop()
  }

  private func endThread() {
    FolderUsers.remove(self)
    state.change { ($0.hasThread, $0.watch) = (false, nil) }
  }

  /// Waits after ``stop()`` until the thread has ended.
  package func waitForWrites(seconds: Double) { _ = state.wait(seconds: seconds) { $0.hasThread ? nil : true } }

  /// Waits until the handler of the present item has returned, unless the caller is that handler.
  package func finish() async {
    if Self.running == ObjectIdentifier(self) { return }
    await withCheckedContinuation { continuation in
      let isBusy = state.change { state in
        if state.isBusy { state.waiting.append(continuation) }
        return state.isBusy
      }
      if !isBusy { continuation.resume() }
    }
  }

  var isStopped: Bool { state.change { $0.isStopped } }

  /// False before the start, after ``stop()``, and if the watched folder was removed and could not be opened again.
  var isRunning: Bool { state.change { $0.hasThread && !$0.isStopped } }

  private func open(_ open: () throws -> Source) throws(ServiceError) -> Source {
    do {
      let source = try open()
      let isStopped = state.change { state in
        state.watch = source.watch
        return state.isStopped
      }
      FolderUsers.add(self, in: source.watch.paths)
      if isStopped { source.watch.stop() }
      return source
    } catch {
      throw ServiceError(describing: error)
    }
  }

  // MARK: On the thread

  private func run(_ first: Source, _ open: () throws -> Source) {
    var source = first
    while true {
      let seconds = source.takeAll()
      switch source.watch.wait(seconds: seconds) {
      case .stopped: return
      case .changed, .nothing: continue
      case .gone:
        // A process that removes a whole cloud must not find a new folder in it.
        pause(microseconds: 500_000)
        if isStopped { return }
        do { source = try self.open(open) } catch { return failed(error) }
      }
    }
  }

  /// Marks the loop as busy. Returns false if it was stopped.
  func begin() -> Bool {
    state.change { state in
      state.isBusy = !state.isStopped
      return state.isBusy
    }
  }

  func end() {
    let waiting = state.change { state in
      defer { state.waiting = [] }
      state.isBusy = false
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Runs handlers concurrently, each with its own acting identity; this thread waits for them.
  func call(_ handlers: [(acting: ActingIdentity?, body: @Sendable () async -> Void)]) {
    let left = ThreadCondition(handlers.count)
    for (acting, body) in handlers {
      ActingIdentity.$current.withValue(acting) {
        _ = Task {
          await Self.$running.withValue(ObjectIdentifier(self)) { await body() }
          left.change { $0 -= 1 }
        }
      }
    }
    while left.wait(seconds: .infinity, { $0 == 0 ? true : nil }) == nil {}
  }

  func report(_ error: any Error, _ version: FileVersion? = nil) {
    let failure = Failure(version: version, error: ServiceError(describing: error))
    if state.change({ $0.failures.insert(failure).inserted }) { failed(failure.error) }
  }
}

extension Error {
  /// Whether the error stays until the data is repaired, so that waiting does not help.
  var isDamage: Bool {
    if case .damaged? = self as? StorageError { true } else { false }
  }
}
