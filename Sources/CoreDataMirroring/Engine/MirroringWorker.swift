import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudPlatform

/// Accepts the requests of a store's mirroring, and owns its thread: see ``MirroringThread``.
///
/// Threads: safe to use from any thread. The worker's own thread ends with ``stop()``.
final class MirroringWorker: FolderUser {
  struct Job: Sendable {
    /// Called on the mirroring's thread while no other process mirrors the store.
    var run: @Sendable (MirroringThread) -> Void
    /// Called instead of `run` if the job can't run.
    var cancel: @Sendable (any Error) -> Void
  }

  enum Work {
    case end
    case job(Job)
    case run(MirroringEvent.Kind)
  }

  /// The longest time, in seconds, that a process may be expected to hold the lease.
  static let defaultLeaseTimeout = 60.0

  let mirrored: MirroredStore
  let acting: ActingIdentity?
  let container: String
  let registry: MirroringRegistry
  let leaseTimeout: Double
  let pollSeconds: Double
  let eventHandler: @Sendable (MirroringEvent) -> Void
  let state: ThreadCondition<State>

  /// - Parameters:
  ///   - state: the state of a mirroring that was not started. It records when a handler of the program runs.
  init(
    _ mirrored: MirroredStore, state: ThreadCondition<State>, container: String, acting: ActingIdentity?,
    registry: MirroringRegistry, leaseTimeout: Double, pollSeconds: Double,
    eventHandler: @escaping @Sendable (MirroringEvent) -> Void
  ) {
    (self.mirrored, self.state, self.container, self.acting) = (mirrored, state, container, acting)
    (self.registry, self.leaseTimeout, self.pollSeconds) = (registry, leaseTimeout, pollSeconds)
    self.eventHandler = eventHandler
  }

  // MARK: Start and stop

  /// - Difference: programs have no foreground state here. Imports follow the start, pushes and notifications of the
  ///   device's other mirrorings, not a program's activation.
  func start() {
    guard state.change({ $0.start() }) else { return }
    guard registry.add(self) else {
      state.change { $0.end(isRefused: true) }
      stop()
      var event = MirroringEvent(.setup, of: mirrored.store)
      eventHandler(event)
      event.end(MirroringError.alreadyMirrored)
      return eventHandler(event)
    }
    let root = try? Settings(acting ?? ActingIdentity()).root.value
    FolderUsers.add(self, in: [root, mirrored.store.path].compactMap { $0 })
    if startThreadIfPossible({ [self] in runThread() }) { return }
    FolderUsers.remove(self)
    state.change { $0.end() }
    stop()
  }

  private func runThread() {
    // Created here, so that it ends with the thread. Its handlers hold this object weakly.
    let cloudEvents = CloudChangeListener(
      acting, container: container, pushed: { [weak self] _ in self?.importSoon() },
      accountChanged: { [weak self] in self?.accountChanged() },
      cameOnline: { [weak self] in self?.cameOnline() })
    MirroringThread(self, cloudEvents).run()
    cloudEvents.stop()
    // If ``stop()`` is called during the start, it may run before the registration.
    registry.remove(self)
    FolderUsers.remove(self)
    state.change { $0.end() }
  }

  func stop() {
    let jobs = state.change { $0.stop() }
    mirrored.cloud.stop()
    registry.remove(self)
    for job in jobs { job.cancel(stopError) }
  }

  /// The error of requests to a stopped mirroring.
  private var stopError: NSError {
    state.change { $0.phase == .refused } ? MirroringError.alreadyMirrored : MirroringError.isStopped
  }

  /// Waits until the thread has ended after ``stop()``; false if that takes longer.
  func finish(seconds: Double) -> Bool { state.wait(seconds: seconds) { $0.isOver ? true : nil } ?? false }

  /// Waits after ``stop()`` until nothing more is written: the thread has ended, or runs a handler of the program.
  func waitForWrites(seconds: Double) { _ = state.wait(seconds: seconds) { $0.isOver || $0.isInHandler ? true : nil } }

  // MARK: Requests

  /// `isOfCloud`: whether the cloud sent a notification. Then it is reachable, and the pause ends unless the cloud
  /// requested it.
  func importSoon(isOfCloud: Bool = true) {
    state.change { state in
      state.wanted.insert(.import)
      if isOfCloud { state.pauses.endUnlessRequested() }
    }
  }

  /// - Difference: a setup that failed for a reason other than the account is tried again with the next save. Apple's
  ///   mirroring stays idle until the program is started again.
  ///
  /// `notifiesOthers`: whether another request already changed the cloud.
  func exportSoon(notifiesOthers: Bool = false) {
    state.change { state in
      state.wanted.insert(.export)
      if notifiesOthers { state.hasUnreportedChanges = true }
      if state.setup == .failed { state.wanted.insert(.setup) }
    }
  }

  func add(_ job: Job) {
    if !state.change({ $0.add(job) }) { job.cancel(stopError) }
  }

  private func accountChanged() {
    // First, because it must not end the setup that the thread begins once it is wanted.
    mirrored.cloud.accountChanged()
    state.change { $0.accountChanged() }
  }

  /// Ends the pause: a run that failed offline may succeed now ([mirror-40]).
  private func cameOnline() {
    state.change { state in
      state.pauses.reset()
      state.pauses.isOnlineAgain = true
    }
  }
}
