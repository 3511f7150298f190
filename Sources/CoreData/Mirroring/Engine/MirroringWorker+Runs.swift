import LocalCloudObjectStore
import LocalCloudPlatform

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// The events of a run, and the retry of a failed run.
extension MirroringWorker {
  /// Runs `body`, and reports the start and the end of the run as events.
  func event(_ kind: MirroringEvent.Kind, _ body: () throws -> Void) throws {
    if mirrored.cloud.isStopped { throw MirroringStopped() }
    var event = MirroringEvent(kind, of: mirrored.store)
    eventHandler(event)
    var failure: (any Error)?
    do {
      if mirrored.cloud.isStopped { throw MirroringStopped() }
      try body()
    } catch let error as MirroringStopped {
      // The store was removed and may be closed: the event is not stored, but handlers receive the end of the run.
      if mirrored.cloud.isStopped {
        event.end(MirroringError.isStopped)
        eventHandler(event)
      }
      stop()
      throw error
    } catch {
      failure = error
    }
    event.end(failure.map { MirroringError.reported($0, of: mirrored.store) })
    // An event that can't be stored is reported nevertheless.
    try? event.store(in: mirrored)
    eventHandler(event)
    if let failure { throw failure }
  }

  /// For a public store without notifications of sign-ins: stores the account that can write now. It is the creator of
  /// the records that are sent.
  func refreshAccount() {
    guard mirrored.scope == .public, state.change({ $0.cannotObserveAccount }) else { return }
    // If the account can't be read, the next run tries again.
    let before = state.change { $0.account }
    guard let account = try? MirroringSetup(mirrored: mirrored, before: before).run() else { return }
    state.change { $0.account = account }
  }

  /// Decides when a failed run is tried again.
  func fail(_ kind: MirroringEvent.Kind, _ error: any Error, _ again: (inout State) -> Void) {
    if error is MirroringStopped { return }
    state.change { state in
      let isRepeated = !state.failing.insert(kind).inserted
      switch CloudFailure(error) {
      case .noAccount where mirrored.scope == .public:
        // Imports continue. The next change of the account starts a new setup with an export.
        if state.cannotObserveAccount {
          again(&state)
          state.pause(nil)
        }
      case .noAccount:
        // The next change of the account starts a new setup, followed by an import and an export.
        if state.isSetUp {
          state.wantsSetup = true
          // The setup found the account, but the cloud refuses it again.
          if isRepeated { state.pause(nil) }
        }
        state.isSetUp = false
      case .temporary(let seconds):
        again(&state)
        state.pause(seconds)
      case .outdated:
        again(&state)
        state.pause(nil)
      case .refused, .lasting: state.isWaitingForSave = !state.isSetUp
      }
    }
  }
}

extension ThreadCondition where State == MirroringWorker.State {
  /// Records that a handler of the program runs on the mirroring's thread.
  func whileInBlock(_ block: () -> Void) {
    change { $0.isInBlock = true }
    block()
    change { $0.isInBlock = false }
  }
}
