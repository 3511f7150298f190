import Foundation
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// Several processes of one device may use one store: an app, its extension, a tool. Each has its own events and
/// requests. They mirror one after another, each with the store's lease. If a process dies, the store is as after the
/// death of a single process that is restarted.
extension MirroringWorker {
  /// The longest time, in seconds, that a process may be expected to hold the lease.
  static let defaultLeaseTimeout = 60.0

  /// Does the work once no other process mirrors the store, or reports why the work did not begin.
  func perform(_ work: Work, with lease: MirroringLease, _ cloudEvents: CloudChangeListener) {
    do {
      let held = try wait(for: lease)
      defer { held.release() }
      if hasChangedHands { state.change { $0.isSetUp = false } }
      switch work {
      case .end: break
      case .job(let job): job.run(cloudEvents)
      case .setup: try? setUp(cloudEvents)
      case .import: if isReady(cloudEvents) { try? self.import() }
      case .export: if isReady(cloudEvents) { try? export() }
      }
    } catch {
      refuse(work, error)
    }
  }

  /// Waits until no other process mirrors the store. A suspended process, in a debugger for example, holds its lease,
  /// so the wait is limited.
  ///
  /// - Difference: a process that waits a minute for another one reports an event with the error 134410, and waits
  ///   again. Apple's error is only known for two mirrorings within a process.
  private func wait(for lease: MirroringLease) throws -> HeldLock {
    defer { lease.leave() }
    let start = monotonicNanoseconds()
    var pause = 0.001
    while true {
      if let held = try lease.acquireIfFree() { return held }
      if state.wait(seconds: pause, { $0.isStopped ? true : nil }) != nil { throw MirroringStopped() }
      if Double(monotonicNanoseconds() - start) / 1_000_000_000 > leaseTimeout {
        throw MirroringError.mirroredElsewhere(lease.holder())
      }
      pause = min(pause * 2, 0.02)
    }
  }

  /// Whether another process has since set up the store for another account or location ([mirror-41]): its tokens and
  /// records must not be used for this process's account. True if the store can't be read; the setup then reports the
  /// error.
  private var hasChangedHands: Bool {
    guard let account = state.change({ $0.isSetUp ? $0.account : nil }) else { return false }
    return (try? mirrored.account()) != account
  }

  private func isReady(_ cloudEvents: CloudChangeListener) -> Bool {
    do { try ensureSetup(cloudEvents) } catch { return false }
    return true
  }

  /// Reports why work did not begin. It is tried again where that makes sense.
  private func refuse(_ work: Work, _ error: any Error) {
    func report(_ kind: MirroringEvent.Kind, _ again: (inout State) -> Void) {
      if error is MirroringStopped { return }
      try? event(kind) { throw error }
      fail(kind, error, again)
    }
    switch work {
    case .end: break
    case .job(let job): job.cancel(error is MirroringStopped ? MirroringError.isStopped : error)
    case .setup: report(.setup) { $0.wantsSetup = true }
    case .import: report(.import) { $0.wantsImport = true }
    case .export: report(.export) { $0.wantsExport = true }
    }
  }
}
