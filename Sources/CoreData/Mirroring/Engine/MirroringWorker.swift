import Foundation
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// The thread that mirrors a store: first the setup, then requested imports and exports, one after another, each while
/// this process holds the mirroring lease ([mirror-33]).
///
/// Threads: safe to use from any thread. The worker's own thread ends with ``stop()``.
final class MirroringWorker: Sendable {
  struct Job: Sendable {
    /// Called while no other process mirrors the store.
    var run: @Sendable (CloudChangeListener) -> Void
    /// Called instead of `run` if the job can't run.
    var cancel: @Sendable (any Error) -> Void
  }

  enum Work {
    case end
    case job(Job)
    case setup, `import`, export
  }

  struct State {
    var isStarted = false
    var isStopped = false
    /// Whether another mirroring of this process already had the store, so that this one never began.
    var isElsewhere = false
    /// Whether the thread has ended, or never began.
    var isOver = true
    /// Whether the thread runs a handler of the program. The handler may wait for the thread that stops the mirroring.
    /// After the handler returns, a stopped mirroring writes nothing.
    var isInBlock = false
    var isSetUp = false
    /// The account and location of the last setup.
    var account: MirroredAccount?
    var wantsSetup = true
    /// Whether the next save retries a failed setup.
    var isWaitingForSave = false
    var wantsImport = true
    var wantsExport = true
    /// Whether the device's other mirrorings have to be notified of sent changes.
    var wantsNotification = false
    var jobs: [Job] = []
    /// Whether sign-ins cause no notification.
    var cannotObserveAccount = false
    /// The time of the next poll of the public database, in nanoseconds of the monotonic clock.
    var nextPoll: UInt64?
    /// Until this time, in nanoseconds of the monotonic clock, only jobs run.
    var pauseEnd: UInt64?
    /// Whether the cloud requested the pause: then no notification ends it early ([mirror-39]).
    var isPauseAsked = false
    var nextPause = 1.0
    /// The kinds of runs that failed last: pauses grow until each kind has succeeded.
    var failing: Set<MirroringEvent.Kind> = []
    /// Whether the device came online after the current work began: a failure of that work may be outdated.
    var isOnlineAgain = false
    /// When the thread has work without a request.
    var wakeUp: UInt64? { pauseEnd ?? (isSetUp ? nextPoll : nil) }

    mutating func next() -> Work? {
      if isStopped { return .end }
      isOnlineAgain = false
      if !jobs.isEmpty { return .job(jobs.removeFirst()) }
      if let end = pauseEnd {
        if monotonicNanoseconds() < end { return nil }
        pauseEnd = nil
      }
      if !isSetUp {
        guard wantsSetup else { return nil }
        wantsSetup = false
        return .setup
      }
      if wantsImport || nextPoll.map({ $0 <= monotonicNanoseconds() }) == true {
        wantsImport = false
        return .import
      }
      guard wantsExport else { return nil }
      wantsExport = false
      return .export
    }

    /// Records that a run of that kind succeeded.
    mutating func succeed(_ kind: MirroringEvent.Kind) {
      failing.remove(kind)
      if failing.isEmpty { nextPause = 1 }
    }

    /// Pauses for that many seconds; if nil, longer than the last time. No pause if the device came online during the
    /// work.
    mutating func pause(_ seconds: Double?) {
      if isOnlineAgain { return }
      isPauseAsked = seconds != nil
      let length = seconds ?? nextPause
      if seconds == nil { nextPause = min(nextPause * 2, MirroringWorker.longestPause) }
      pauseEnd = monotonicNanoseconds() + UInt64(length * 1_000_000_000)
    }
  }

  /// The longest time between two attempts, in seconds.
  fileprivate static let longestPause = 300.0

  let mirrored: MirroredStore
  private let acting: ActingIdentity?
  private let container: String
  private let registry: MirroringRegistry
  let leaseTimeout: Double
  private let pollSeconds: Double
  let eventHandler: @Sendable (MirroringEvent) -> Void
  let state: ThreadCondition<State>

  /// - Parameters:
  ///   - state: the state of a mirroring that was not started. It records when a handler of the program runs.
  init(
    _ mirrored: MirroredStore, state: ThreadCondition<State>, container: String, acting: ActingIdentity?,
    registry: MirroringRegistry, leaseTimeout: Double, pollSeconds: Double,
    event: @escaping @Sendable (MirroringEvent) -> Void
  ) {
    (self.mirrored, self.state, self.container, self.acting, eventHandler) = (mirrored, state, container, acting, event)
    (self.registry, self.leaseTimeout, self.pollSeconds) = (registry, leaseTimeout, pollSeconds)
  }

  // MARK: Asking for work

  /// - Difference: programs have no foreground state here. Imports follow the start, pushes and notifications of the
  ///   device's other mirrorings, not a program's activation.
  func start() {
    let isFirst = state.change { state in
      defer { state.isStarted = true }
      return !state.isStarted && !state.isStopped
    }
    guard isFirst else { return }
    guard registry.add(self, store: mirrored.store.identifier, container: container, acting: acting) else {
      state.change { $0.isElsewhere = true }
      stop()
      var event = MirroringEvent(.setup, of: mirrored.store)
      eventHandler(event)
      event.end(MirroringError.alreadyMirrored)
      return eventHandler(event)
    }
    state.change { $0.isOver = false }
    if startThreadIfPossible({ [self] in run() }) { return }
    state.change { $0.isOver = true }
    stop()
  }

  func stop() {
    let jobs = state.change { state in
      state.isStopped = true
      defer { state.jobs = [] }
      return state.jobs
    }
    mirrored.cloud.stop()
    registry.remove(self, store: mirrored.store.identifier)
    for job in jobs { job.cancel(whyStopped) }
  }

  /// The error of requests to a stopped mirroring.
  private var whyStopped: NSError {
    state.change { $0.isElsewhere } ? MirroringError.alreadyMirrored : MirroringError.isStopped
  }

  /// Waits until the thread has ended after ``stop()``; false if that takes longer.
  func finish(seconds: Double) -> Bool { state.wait(seconds: seconds) { $0.isOver ? true : nil } ?? false }

  /// Waits after ``stop()`` until nothing more is written: the thread has ended, or runs a handler of the program.
  func waitForWrites(seconds: Double) { _ = state.wait(seconds: seconds) { $0.isOver || $0.isInBlock ? true : nil } }

  /// `isOfCloud`: whether the cloud sent a notification. Then it is reachable, and the pause ends unless the cloud
  /// requested it.
  func importSoon(isOfCloud: Bool = true) {
    state.change { state in
      state.wantsImport = true
      if isOfCloud, !state.isPauseAsked { state.pauseEnd = nil }
    }
  }

  /// - Difference: a setup that failed for a reason other than the account is tried again with the next save. Apple's
  ///   mirroring stays idle until the program is started again.
  ///
  /// `notifiesOthers`: whether another request already changed the cloud.
  func exportSoon(notifiesOthers: Bool = false) {
    state.change { state in
      state.wantsExport = true
      if notifiesOthers { state.wantsNotification = true }
      if !state.isSetUp, state.isWaitingForSave { state.wantsSetup = true }
    }
  }

  private func accountChanged() {
    // First, because it must not end the setup that the thread begins after `wantsSetup` is set.
    mirrored.cloud.accountChanged()
    state.change { state in
      (state.isSetUp, state.wantsSetup, state.pauseEnd, state.account) = (false, true, nil, nil)
      (state.failing, state.nextPause) = ([], 1)
    }
  }

  /// Ends the pause: a run that failed offline may succeed now ([mirror-40]).
  private func cameOnline() {
    state.change { state in
      (state.isOnlineAgain, state.pauseEnd, state.nextPause) = (true, nil, 1)
      state.failing = []
    }
  }

  func add(_ job: Job) {
    let isTaken = state.change { state in
      let isTaken = state.isStarted && !state.isStopped
      if isTaken { state.jobs.append(job) }
      return isTaken
    }
    if !isTaken { job.cancel(whyStopped) }
  }

  // MARK: On the thread

  private func run() {
    // Created here, so that it ends with the thread. Its handlers hold this object weakly.
    let cloudEvents = CloudChangeListener(
      acting, container: container, pushed: { [weak self] in self?.importSoon() },
      accountChanged: { [weak self] in self?.accountChanged() },
      cameOnline: { [weak self] in self?.cameOnline() })
    defer {
      cloudEvents.stop()
      // If ``stop()`` is called during the start, it may run before the registration.
      registry.remove(self, store: mirrored.store.identifier)
      state.change { $0.isOver = true }
    }
    let lease = MirroringLease(mirrored.store)
    while true {
      let work = next()
      if case .end = work { return }
      perform(work, with: lease, cloudEvents)
    }
  }

  private func next() -> Work {
    while true {
      let seconds = state.change { state in
        state.wakeUp.map { Double($0 - min($0, monotonicNanoseconds())) / 1_000_000_000 } ?? .infinity
      }
      if let work = state.wait(seconds: seconds, { $0.next() }) { return work }
    }
  }

  /// Runs the setup unless it is done; throws the setup's error.
  func ensureSetup(_ cloudEvents: CloudChangeListener) throws {
    if !state.change({ $0.isSetUp }) { try setUp(cloudEvents) }
  }

  func setUp(_ cloudEvents: CloudChangeListener) throws {
    // First, so that no change of the account after the check is missed.
    let isListening = cloudEvents.listenToAccount()
    let before = state.change { state in
      (state.wantsSetup, state.cannotObserveAccount) = (false, !isListening)
      return state.account
    }
    var account: MirroredAccount?
    mirrored.cloud.beginSetup()
    do {
      try event(.setup) {
        account = try MirroringSetup(mirrored: mirrored, before: before).run()
        if mirrored.scope == .public { return }
        do { try cloudEvents.listenToPushes() } catch { throw CKError.wrapping(error, container: container) }
      }
    } catch {
      fail(.setup, error) { $0.wantsSetup = true }
      if !isListening, case .noAccount = CloudFailure(error) {
        // No notification will report a sign-in.
        state.change { state in
          state.wantsSetup = true
          state.pause(nil)
        }
      }
      throw error
    }
    state.change { state in
      // The account may have changed again since then.
      if !state.wantsSetup { state.account = account }
      (state.isSetUp, state.isWaitingForSave) = (!state.wantsSetup, false)
      (state.wantsImport, state.wantsExport) = (true, true)
      state.succeed(.setup)
    }
  }

  func `import`() throws {
    do {
      try importChanges()
    } catch {
      fail(.import, error) { $0.wantsImport = true }
      throw error
    }
  }

  /// Runs an import, by itself or as part of an export. The caller decides how a failure is handled.
  private func importChanges() throws {
    let isPublic = mirrored.scope == .public
    let poll = isPublic ? monotonicNanoseconds() + UInt64(pollSeconds * 1e9) : nil
    state.change { ($0.wantsImport, $0.nextPoll) = (false, poll) }
    var isTakenOver = false
    do {
      try event(.import) {
        refreshAccount()
        var importer: any Importing = isPublic ? PublicImporter(mirrored) : Importer(mirrored)
        defer { if importer.wantsExport { state.change { $0.wantsExport = true } } }
        try importer.run()
        isTakenOver = importer.errors.isEmpty
        // Also erases objects that an earlier run could not erase.
        try mirrored.eraseDeletedObjects()
        if !importer.errors.isEmpty { throw MirroringError.partial(importer.errors) }
      }
      state.change { $0.succeed(.import) }
    } catch  where isTakenOver && !(error is MirroringStopped) {
      // The changes are stored all the same: an export that this import is part of continues.
      fail(.import, error) { $0.wantsImport = true }
    }
  }

  func export() throws {
    state.change { $0.wantsExport = false }
    var lacksImport = false
    do {
      try event(.export) {
        refreshAccount()
        var round = 0
        while try !send(round) {
          // The cloud is ahead: its changes are imported first, then this device's changes are sent on top of them.
          lacksImport = true
          try importChanges()
          lacksImport = false
          round += 1
        }
      }
      state.change { $0.succeed(.export) }
    } catch {
      fail(.export, error) { state in
        state.wantsExport = true
        if lacksImport { state.wantsImport = true }
      }
      throw error
    }
    let notifiesOthers = state.change { state in
      defer { state.wantsNotification = false }
      return state.wantsNotification
    }
    if notifiesOthers { registry.notifyOthers(than: self, container: container, acting: acting) }
  }

  /// Sends the local changes; false if an import is needed before the rest can be sent. `round`: how many imports this
  /// export has needed so far.
  private func send(_ round: Int) throws -> Bool {
    var exporter = try Exporter(mirrored, round: round)
    // Also if the rest fails: after a lost answer the cloud may have the changes already.
    defer { if exporter.hasSent { state.change { $0.wantsNotification = true } } }
    let outcome = try exporter.run()
    if let error = outcome.temporary { throw error }
    if outcome.isDone, let error = outcome.graphError { throw error }
    if outcome.isDone, !outcome.errors.isEmpty { throw MirroringError.partial(outcome.errors) }
    return outcome.isDone
  }
}
