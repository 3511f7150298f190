import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// The thread that mirrors a store: first the setup, then requested imports and exports, one after another, each while
/// this process holds the mirroring lease ([mirror-33]).
///
/// Several processes of one device may use one store: an app, its extension, a tool. Each has its own events and
/// requests. They mirror one after another, each with the store's lease. If a process dies, the store is as after the
/// death of a single process that is restarted.
///
/// Not thread-safe: only the worker's thread uses it.
struct MirroringThread {
  let worker: MirroringWorker
  let cloudEvents: CloudChangeListener
  private let lease: MirroringLease

  init(_ worker: MirroringWorker, _ cloudEvents: CloudChangeListener) {
    (self.worker, self.cloudEvents) = (worker, cloudEvents)
    lease = MirroringLease(worker.mirrored.store)
  }

  var mirrored: MirroredStore { worker.mirrored }
  var state: ThreadCondition<MirroringWorker.State> { worker.state }

  /// Works until the mirroring is stopped.
  func run() {
    while true {
      switch nextWork() {
      case .end: return
      case .job(let job):
        do { try withLease { job.run(self) } } catch {
          job.cancel(error is MirroringStopped ? MirroringError.isStopped : error)
        }
      case .run(let kind):
        // An event reports an error of the setup and of the run.
        do { try withLease { try? perform(kind) } } catch { refuse(kind, error) }
      }
    }
  }

  private func nextWork() -> MirroringWorker.Work {
    while true {
      let seconds = state.change { state in
        state.wakeUp.map { Double($0 - min($0, monotonicNanoseconds())) / 1_000_000_000 } ?? .infinity
      }
      if let work = state.wait(seconds: seconds, { $0.next() }) { return work }
    }
  }

  private func perform(_ kind: MirroringEvent.Kind) throws {
    if kind != .setup { try ensureSetup() }
    try run(kind)
  }

  /// Reports why a run did not begin. It is tried again where that makes sense.
  private func refuse(_ kind: MirroringEvent.Kind, _ error: any Error) {
    if error is MirroringStopped { return }
    try? event(kind) { _ in throw error }
    fail(kind, error)
  }

  // MARK: The lease

  /// Runs `body` once no other process mirrors the store.
  private func withLease(_ body: () -> Void) throws {
    let held = try acquireLease()
    defer { held.release() }
    if hasChangedHands { state.change { $0.setup = .needed } }
    body()
  }

  /// Waits until no other process mirrors the store. A suspended process, in a debugger for example, holds its lease,
  /// so the wait is limited.
  ///
  /// - Difference: a process that waits a minute for another one reports an event with the error 134410, and waits
  ///   again. Apple's error is only known for two mirrorings within a process.
  private func acquireLease() throws -> HeldLock {
    defer { lease.leave() }
    let start = monotonicNanoseconds()
    var pause = 0.001
    while true {
      if let held = try lease.acquireIfFree() { return held }
      if state.wait(seconds: pause, { $0.phase == .running ? nil : true }) != nil { throw MirroringStopped() }
      if Double(monotonicNanoseconds() - start) / 1_000_000_000 > worker.leaseTimeout {
        throw MirroringError.mirroredElsewhere(lease.holder())
      }
      pause = min(pause * 2, 0.02)
    }
  }

  /// Whether another process has since set up the store for another account or environment ([mirror-41]): its tokens
  /// and records must not be used for this process's account. True if the store can't be read; the setup then reports
  /// the error.
  private var hasChangedHands: Bool {
    guard let account = state.change({ $0.setup == .done ? $0.account : nil }) else { return false }
    return (try? mirrored.account()) != account
  }
}
