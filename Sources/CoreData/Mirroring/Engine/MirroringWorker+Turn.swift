import Foundation
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// Several processes of one device may use one store: an app, its extension, a tool. Each has its own events and requests,
/// and they mirror one after another; who dies leaves the store as a single process does that is started again.
extension MirroringWorker {
  /// As long as anybody's turn may reasonably last, in seconds.
  static let patience = 60.0

  /// Does the work once no other process mirrors the store, or tells why it was not begun.
  func take(_ turn: MirroringTurn, for work: Work, _ news: CloudNews) {
    do {
      let held = try wait(for: turn)
      defer { held.release() }
      if hasChangedHands { state.change { $0.isSetUp = false } }
      switch work {
      case .end: break
      case .job(let job): job.run(news)
      case .setup: try? setUp(news)
      case .import: if isReady(news) { try? self.import() }
      case .export: if isReady(news) { try? export() }
      }
    } catch {
      refuse(work, error)
    }
  }

  /// Waits until no other process mirrors the store. One that was stopped, in a debugger for example, keeps its turn; so
  /// the wait has an end.
  ///
  /// - Difference: a process that waits a minute for another one gets an event with the error 134410, and waits on.
  ///   Of Apple's it is known within a process alone.
  private func wait(for turn: MirroringTurn) throws -> HeldLock {
    defer { turn.leave() }
    let start = monotonicNanoseconds()
    var pause = 0.001
    while true {
      if let held = try turn.takeIfFree() { return held }
      if state.wait(seconds: pause, { $0.isStopped ? true : nil }) != nil { throw MirroringStopped() }
      if Double(monotonicNanoseconds() - start) / 1_000_000_000 > patience {
        throw MirroringError.mirroredElsewhere(turn.holder())
      }
      pause = min(pause * 2, 0.02)
    }
  }

  /// Whether another process has set the store up for another account or another place since this one did ([mirror-41]):
  /// its tokens and records must not be taken for this one's. Of a store that can't be read, the setup tells.
  private var hasChangedHands: Bool {
    guard let account = state.change({ $0.isSetUp ? $0.account : nil }) else { return false }
    return (try? mirrored.account()) != account
  }

  private func isReady(_ news: CloudNews) -> Bool {
    do { try ensureSetup(news) } catch { return false }
    return true
  }

  /// Tells why work was not begun. It is tried again where that makes sense.
  private func refuse(_ work: Work, _ error: any Error) {
    func tell(_ kind: MirroringEvent.Kind, _ again: (inout State) -> Void) {
      if error is MirroringStopped { return }
      try? event(kind) { throw error }
      fail(kind, error, again)
    }
    switch work {
    case .end: break
    case .job(let job): job.cancel(error is MirroringStopped ? MirroringError.isStopped : error)
    case .setup: tell(.setup) { $0.wantsSetup = true }
    case .import: tell(.import) { $0.wantsImport = true }
    case .export: tell(.export) { $0.wantsExport = true }
    }
  }
}
