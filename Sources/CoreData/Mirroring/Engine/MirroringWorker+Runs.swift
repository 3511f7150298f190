import LocalCloudObjectStore
import LocalCloudPlatform

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// What a run tells of itself, and when one that failed is tried again.
extension MirroringWorker {
  /// Tells of a run, as it begins and as it ends.
  func event(_ kind: MirroringEvent.Kind, _ body: () throws -> Void) throws {
    if mirrored.cloud.isStopped { throw MirroringStopped() }
    var event = MirroringEvent(kind, of: mirrored.store)
    told(event)
    var failure: (any Error)?
    do {
      if mirrored.cloud.isStopped { throw MirroringStopped() }
      try body()
    } catch let error as MirroringStopped {
      // The store was removed, and may be gone: nothing is kept of the run, but nobody waits for its end in vain.
      if mirrored.cloud.isStopped {
        event.end(MirroringError.isStopped)
        told(event)
      }
      stop()
      throw error
    } catch {
      failure = error
    }
    event.end(failure.map { MirroringError.told($0, of: mirrored.store) })
    // An event that can't be kept is told all the same.
    try? event.keep(in: mirrored)
    told(event)
    if let failure { throw failure }
  }

  /// Where nothing tells of a sign-in: notes who may write to the public database by now, and so makes what is sent.
  func lookAtUser() {
    guard mirrored.scope == .public, state.change({ $0.isDeaf }) else { return }
    // Who is not known is asked for again with the next run.
    let before = state.change { $0.account }
    guard let account = try? MirroringSetup(mirrored: mirrored, before: before).run() else { return }
    state.change { $0.account = account }
  }

  /// Decides when a run that failed is tried again.
  func fail(_ kind: MirroringEvent.Kind, _ error: any Error, _ again: (inout State) -> Void) {
    if error is MirroringStopped { return }
    state.change { state in
      let isRepeated = !state.failing.insert(kind).inserted
      switch CloudFailure(error) {
      case .noAccount where mirrored.scope == .public:
        // Reading goes on; the account's next change begins anew, with an export.
        if state.isDeaf {
          again(&state)
          state.pause(nil)
        }
      case .noAccount:
        // The account's next change begins anew, and what was to be done is done then.
        if state.isSetUp {
          state.wantsSetup = true
          // The setup found the account; but the cloud refuses it again.
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

extension Condition where State == MirroringWorker.State {
  /// Notes that a block of the program's runs on the mirroring's thread.
  func whileInBlock(_ block: () -> Void) {
    change { $0.isInBlock = true }
    block()
    change { $0.isInBlock = false }
  }
}
