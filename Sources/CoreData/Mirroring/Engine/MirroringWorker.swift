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

/// The thread on which a store is mirrored: setup, then imports and exports as they are asked for, one after another,
/// each in this process's turn ([mirror-33]).
///
/// Threads: safe to use from any. The thread ends with ``stop()``.
final class MirroringWorker: Sendable {
  struct Job: Sendable {
    /// Called while no other process mirrors the store.
    var run: @Sendable (CloudNews) -> Void
    /// Called in place of `run` if that can't be.
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
    /// Whether another mirroring of this process had the store already, so that this one never began.
    var isElsewhere = false
    /// Whether the thread has ended, or never began.
    var isOver = true
    /// Whether the thread runs a block of the program's. The block may wait for the thread that stops the mirroring.
    /// After the block nothing is written once the mirroring is stopped.
    var isInBlock = false
    var isSetUp = false
    /// The account and the place, as the last setup left them.
    var account: JSONObject?
    var wantsSetup = true
    /// Whether a setup that failed is tried again with the next save.
    var isWaitingForSave = false
    var wantsImport = true
    var wantsExport = true
    /// Whether something was sent of which the device's other mirrorings have not heard.
    var hasNews = false
    var jobs: [Job] = []
    /// Whether nothing will tell of a sign-in.
    var isDeaf = false
    /// When the public database is asked again, in nanoseconds.
    var nextPoll: UInt64?
    /// Nothing but jobs is done before this time, in nanoseconds.
    var pauseEnd: UInt64?
    /// Whether the cloud asked for the pause: then nothing that is heard meanwhile ends it ([mirror-39]).
    var isPauseAsked = false
    var nextPause = 1.0
    /// The kinds of runs that failed last: pauses grow until each has succeeded.
    var failing: Set<MirroringEvent.Kind> = []
    /// Whether the device came online after the work under way was begun: a failure says nothing of now.
    var isOnlineAgain = false
    /// When there is something to do, though nobody asks for it.
    var wakeUp: UInt64? { pauseEnd ?? (isSetUp ? nextPoll : nil) }

    mutating func take() -> Work? {
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

    /// Notes that a run of that kind succeeded.
    mutating func succeed(_ kind: MirroringEvent.Kind) {
      failing.remove(kind)
      if failing.isEmpty { nextPause = 1 }
    }

    /// Waits that long, or longer than the last time; not at all if the device came online meanwhile.
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
  let patience: Double
  private let pollSeconds: Double
  let told: @Sendable (MirroringEvent) -> Void
  let state: Condition<State>

  /// - Parameters:
  ///   - state: the state of a mirroring that was not started. It notes the blocks of the program's that run.
  init(
    _ mirrored: MirroredStore, state: Condition<State>, container: String, acting: ActingIdentity?,
    registry: MirroringRegistry, patience: Double, pollSeconds: Double,
    event: @escaping @Sendable (MirroringEvent) -> Void
  ) {
    (self.mirrored, self.state, self.container, self.acting, told) = (mirrored, state, container, acting, event)
    (self.registry, self.patience, self.pollSeconds) = (registry, patience, pollSeconds)
  }

  // MARK: Asking for work

  /// - Difference: programs have no life in the foreground here. Imports follow the start, pushes and news of this
  ///   device, not a program's activation.
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
      told(event)
      event.end(MirroringError.alreadyMirrored)
      return told(event)
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

  /// What requests to a mirroring that is stopped fail with.
  private var whyStopped: NSError {
    state.change { $0.isElsewhere } ? MirroringError.alreadyMirrored : MirroringError.isStopped
  }

  /// Waits until the thread has ended after ``stop()``; false if that takes longer.
  func finish(seconds: Double) -> Bool { state.wait(seconds: seconds) { $0.isOver ? true : nil } ?? false }

  /// Waits until nothing more is written after ``stop()``: the thread has ended, or runs a block of the program's.
  func waitForWrites(seconds: Double) { _ = state.wait(seconds: seconds) { $0.isOver || $0.isInBlock ? true : nil } }

  /// `isOfCloud`: whether the cloud was heard of. Then it is there, and nothing is put off but what it asked to put
  /// off.
  func importSoon(isOfCloud: Bool = true) {
    state.change { state in
      state.wantsImport = true
      if isOfCloud, !state.isPauseAsked { state.pauseEnd = nil }
    }
  }

  /// - Difference: a setup that failed for another reason than the account is tried again with the next save. Apple's
  ///   mirroring stays idle until the program is started again.
  ///
  /// `hasNews`: whether the cloud was changed otherwise already.
  func exportSoon(hasNews: Bool = false) {
    state.change { state in
      state.wantsExport = true
      if hasNews { state.hasNews = true }
      if !state.isSetUp, state.isWaitingForSave { state.wantsSetup = true }
    }
  }

  private func accountChanged() {
    // First: the setup that the thread begins when it is wanted must not be ended by it.
    mirrored.cloud.accountChanged()
    state.change { state in
      (state.isSetUp, state.wantsSetup, state.pauseEnd, state.account) = (false, true, nil, nil)
      (state.failing, state.nextPause) = ([], 1)
    }
  }

  /// Whatever failed may not fail any more ([mirror-40]).
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
    // Here, so that the news, whose functions hold this object only weakly, end with the thread.
    let news = CloudNews(
      acting, container: container, pushed: { [weak self] in self?.importSoon() },
      accountChanged: { [weak self] in self?.accountChanged() },
      cameOnline: { [weak self] in self?.cameOnline() })
    defer {
      news.stop()
      // Who stops this while it starts may come before it is registered.
      registry.remove(self, store: mirrored.store.identifier)
      state.change { $0.isOver = true }
    }
    let turn = MirroringTurn(mirrored.store)
    while true {
      let work = next()
      if case .end = work { return }
      take(turn, for: work, news)
    }
  }

  private func next() -> Work {
    while true {
      let seconds = state.change { state in
        state.wakeUp.map { Double($0 - min($0, monotonicNanoseconds())) / 1_000_000_000 } ?? .infinity
      }
      if let work = state.wait(seconds: seconds, { $0.take() }) { return work }
    }
  }

  /// Sets up what is not set up yet; fails as the setup does.
  func ensureSetup(_ news: CloudNews) throws {
    if !state.change({ $0.isSetUp }) { try setUp(news) }
  }

  func setUp(_ news: CloudNews) throws {
    // First, so that no change after the look at the account goes unnoticed.
    let isListening = news.listenToAccount()
    let before = state.change { state in
      (state.wantsSetup, state.isDeaf) = (false, !isListening)
      return state.account
    }
    var account: JSONObject?
    mirrored.cloud.beginSetup()
    do {
      try event(.setup) {
        account = try MirroringSetup(mirrored: mirrored, before: before).run()
        if mirrored.scope == .public { return }
        do { try news.listenToPushes() } catch { throw CKError.wrapping(error, container: container) }
      }
    } catch {
      fail(.setup, error) { $0.wantsSetup = true }
      if !isListening, case .noAccount = CloudFailure(error) {
        // Nothing will tell of a sign-in.
        state.change { state in
          state.wantsSetup = true
          state.pause(nil)
        }
      }
      throw error
    }
    state.change { state in
      // The account may have changed again meanwhile.
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

  /// An import, alone or as part of an export, which decides what happens after a failure.
  private func importChanges() throws {
    let isPublic = mirrored.scope == .public
    let poll = isPublic ? monotonicNanoseconds() + UInt64(pollSeconds * 1e9) : nil
    state.change { ($0.wantsImport, $0.nextPoll) = (false, poll) }
    var isTakenOver = false
    do {
      try event(.import) {
        lookAtUser()
        var importer: any Importing = isPublic ? PublicImporter(mirrored) : Importer(mirrored)
        defer { if importer.wantsExport { state.change { $0.wantsExport = true } } }
        try importer.run()
        isTakenOver = importer.errors.isEmpty
        // Also what an earlier run had to leave.
        try mirrored.scrub()
        if !importer.errors.isEmpty { throw MirroringError.partial(importer.errors) }
      }
      state.change { $0.succeed(.import) }
    } catch  where isTakenOver && !(error is MirroringStopped) {
      // What came is here all the same: the export of which this is a part goes on.
      fail(.import, error) { $0.wantsImport = true }
    }
  }

  func export() throws {
    state.change { $0.wantsExport = false }
    var lacksImport = false
    do {
      try event(.export) {
        lookAtUser()
        var round = 0
        while try !send(round) {
          // The cloud is ahead: what it has comes first, then this device's changes on top of it.
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
    let hasNews = state.change { state in
      defer { state.hasNews = false }
      return state.hasNews
    }
    if hasNews { registry.tellOthers(than: self, container: container, acting: acting) }
  }

  /// Sends what was changed here; false if something has to be imported before the rest can be sent. `round`: how often
  /// that was so already.
  private func send(_ round: Int) throws -> Bool {
    var exporter = try Exporter(mirrored, round: round)
    // Also if the rest fails: an answer that was lost does not come again.
    defer { if exporter.hasSent { state.change { $0.hasNews = true } } }
    let outcome = try exporter.run()
    if let error = outcome.temporary { throw error }
    if outcome.isDone, let error = outcome.graphError { throw error }
    if outcome.isDone, !outcome.errors.isEmpty { throw MirroringError.partial(outcome.errors) }
    return outcome.isDone
  }
}
