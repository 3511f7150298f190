import LocalCloudObjectStore
import LocalCloudPlatform

extension MirroringWorker {
  /// The phase of the mirroring, the work that is wanted, and the pauses between failed runs. It decides on the next
  /// work; the thread does it.
  struct State {
    enum Phase {
      case new
      case running
      /// The mirroring was stopped, and the thread has not ended yet.
      case stopping
      /// The thread has ended, or never began.
      case ended
      /// The thread never began, because another mirroring of this process had the store already.
      case refused
    }

    enum Setup {
      /// The next run begins with a setup.
      case needed
      /// The setup failed, and a pause does not help: the next save retries it.
      case failed
      case done
    }

    private(set) var phase = Phase.new
    /// Whether the thread runs a handler of the program. The handler may wait for the thread that stops the mirroring.
    /// After the handler returns, a stopped mirroring writes nothing.
    var isInHandler = false
    /// The kinds of runs that the thread begins by itself.
    var wanted: Set<MirroringEvent.Kind> = [.setup, .import, .export]
    /// Whether the device's other mirrorings have to be notified of sent changes.
    var hasUnreportedChanges = false
    private(set) var jobs: [Job] = []
    var setup = Setup.needed
    /// The account of the last setup; nil after a change of account.
    var account: MirroredAccount?
    /// Whether sign-ins cause a notification.
    var observesAccount = true
    /// The time of the next poll of the public database, in nanoseconds of the monotonic clock.
    var nextPoll: UInt64?
    var pauses = RunPauses()

    /// Whether there is no thread.
    var isOver: Bool {
      switch phase {
      case .new, .ended, .refused: true
      case .running, .stopping: false
      }
    }

    /// The time when the thread has work without a request, in nanoseconds of the monotonic clock.
    var wakeUp: UInt64? { pauses.end ?? (setup == .done ? nextPoll : nil) }

    // MARK: Phases

    /// Returns false if the mirroring was started or stopped before.
    mutating func start() -> Bool {
      guard phase == .new else { return false }
      phase = .running
      return true
    }

    /// Returns the jobs that will not run.
    mutating func stop() -> [Job] {
      switch phase {
      case .new: phase = .ended
      case .running: phase = .stopping
      case .stopping, .ended, .refused: break
      }
      defer { jobs = [] }
      return jobs
    }

    /// Records that there is no thread from now on. `isRefused`: whether another mirroring has the store.
    mutating func end(isRefused: Bool = false) { phase = isRefused ? .refused : .ended }

    // MARK: Work

    /// Returns false if the job can't run.
    mutating func add(_ job: Job) -> Bool {
      guard phase == .running else { return false }
      jobs.append(job)
      return true
    }

    /// Removes and returns the next work; nil if there is none now.
    mutating func next() -> Work? {
      if phase != .running { return .end }
      pauses.isOnlineAgain = false
      if !jobs.isEmpty { return .job(jobs.removeFirst()) }
      if pauses.isActive() { return nil }
      if setup != .done { return wanted.remove(.setup).map(Work.run) }
      if let nextPoll, nextPoll <= monotonicNanoseconds() { wanted.insert(.import) }
      return (wanted.remove(.import) ?? wanted.remove(.export)).map(Work.run)
    }

    mutating func accountChanged() {
      (setup, account) = (.needed, nil)
      wanted.insert(.setup)
      pauses.reset()
    }

    // MARK: Results

    mutating func finishSetup(_ account: MirroredAccount) {
      // The account may have changed again since then.
      if wanted.contains(.setup) { setup = .needed } else { (setup, self.account) = (.done, account) }
      wanted.formUnion([.import, .export])
      pauses.succeed(.setup)
    }

    /// Decides when a failed run is tried again.
    ///
    /// - Parameter retried: the kinds of runs that a retry consists of.
    mutating func fail(
      _ kind: MirroringEvent.Kind, _ failure: CloudFailure, retried: Set<MirroringEvent.Kind>, isPublic: Bool
    ) {
      let isRepeated = pauses.fail(kind)
      switch failure {
      case .noAccount where !observesAccount && (isPublic || kind == .setup):
        // No notification will report a sign-in.
        retry(retried)
      case .noAccount where isPublic:
        // Imports continue. The next change of the account starts a new setup with an export.
        break
      case .noAccount:
        // The next change of the account starts a new setup, followed by an import and an export.
        guard setup == .done else { return }
        setup = .needed
        wanted.insert(.setup)
        // The setup found the account, but the cloud refuses it again.
        if isRepeated { pauses.begin(nil) }
      case .temporary(let seconds): retry(retried, seconds)
      case .outdated: retry(retried)
      case .refused, .lasting: if setup != .done { setup = .failed }
      }
    }

    private mutating func retry(_ kinds: Set<MirroringEvent.Kind>, _ seconds: Double? = nil) {
      wanted.formUnion(kinds)
      pauses.begin(seconds)
    }
  }
}

/// The pauses after failed runs. Each is longer than the last one, until every kind of run has succeeded.
struct RunPauses {
  /// The longest pause that the cloud does not request, in seconds.
  private static let longest = 300.0

  /// Until this time, in nanoseconds of the monotonic clock, only jobs run.
  var end: UInt64?
  /// The length of the next pause in seconds.
  var nextLength = 1.0
  /// Whether the device came online after the current work began: a failure of that work may be outdated.
  var isOnlineAgain = false
  /// Whether the cloud requested the pause: then no notification ends it early ([mirror-39]).
  private var isRequested = false
  /// The kinds of runs that failed last.
  private var failing: Set<MirroringEvent.Kind> = []

  /// Whether a pause lasts. Removes a pause that is over.
  mutating func isActive() -> Bool {
    if let end, monotonicNanoseconds() < end { return true }
    end = nil
    return false
  }

  /// Begins a pause of that many seconds; if nil, longer than the last time. No pause if the device came online during
  /// the work.
  mutating func begin(_ seconds: Double?) {
    if isOnlineAgain { return }
    isRequested = seconds != nil
    end = monotonicNanoseconds(after: seconds ?? nextLength)
    if seconds == nil { nextLength = min(nextLength * 2, Self.longest) }
  }

  /// Ends the pause because the cloud sent a notification, unless the cloud requested the pause.
  mutating func endUnlessRequested() { if !isRequested { end = nil } }

  /// Ends the pause, and forgets the failures before it.
  mutating func reset() { (end, nextLength, failing) = (nil, 1, []) }

  /// Records that a run of that kind failed. Returns whether the last one failed, too.
  mutating func fail(_ kind: MirroringEvent.Kind) -> Bool { !failing.insert(kind).inserted }

  /// Records that a run of that kind succeeded.
  mutating func succeed(_ kind: MirroringEvent.Kind) {
    failing.remove(kind)
    if failing.isEmpty { nextLength = 1 }
  }
}

extension ThreadCondition where State == MirroringWorker.State {
  /// Records that a handler of the program runs on the mirroring's thread.
  func whileInHandler(_ handler: () -> Void) {
    change { $0.isInHandler = true }
    handler()
    change { $0.isInHandler = false }
  }
}
