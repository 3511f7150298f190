import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudPlatform

/// The runs of a mirroring: setup, import and export. Each reports its start and its end as events.
extension MirroringThread {
  /// Imports and exports require a setup.
  ///
  /// - Throws: the error of the run's event. It is decided already when the run is tried again.
  func run(_ kind: MirroringEvent.Kind) throws {
    switch kind {
    case .setup: try setUp()
    case .import: do { try importChanges() } catch { throw fail(.import, error) }
    case .export: try exportChanges()
    }
  }

  /// Runs the setup unless it is done; throws the setup's error.
  func ensureSetup() throws {
    if state.change({ $0.setup != .done }) { try setUp() }
  }

  private func setUp() throws {
    // First, so that no change of the account after the check is missed.
    let observesAccount = cloudEvents.listenToAccount()
    let before = state.change { state in
      state.wanted.remove(.setup)
      state.observesAccount = observesAccount
      return state.account
    }
    mirrored.cloud.beginSetup()
    do {
      let account = try event(.setup) { _ in
        let account = try MirroringSetup(mirrored: mirrored, before: before).run()
        if mirrored.scope != .public {
          do { try cloudEvents.listenToPushes() } catch { throw CKError.wrapping(error, container: worker.container) }
        }
        return account
      }
      state.change { $0.finishSetup(account) }
    } catch { throw fail(.setup, error) }
  }

  /// Runs an import, by itself or as part of an export. The caller decides how a failure is handled.
  private func importChanges() throws {
    let isPublic = mirrored.scope == .public
    let poll = isPublic ? monotonicNanoseconds(after: worker.pollSeconds) : nil
    state.change { state in
      state.wanted.remove(.import)
      state.nextPoll = poll
    }
    var isStored = false
    do {
      try event(.import) { run in
        refreshAccount()
        var importer: any Importing = isPublic ? PublicImporter(run) : FeedImporter(run)
        try importer.importChanges()
        // Also erases objects that an earlier run could not erase.
        if try mirrored.pendingErasure() != nil {
          try run.store()
          isStored = importer.errors.isEmpty
          try mirrored.eraseDeletedObjects()
        }
        if !importer.errors.isEmpty {
          try run.store()
          throw MirroringError.partial(importer.errors)
        }
      }
      state.change { $0.pauses.succeed(.import) }
    } catch  where isStored && !(error is MirroringStopped) {
      // The changes are stored all the same: an export that this import is part of continues.
      fail(.import, error)
    }
  }

  private func exportChanges() throws {
    state.change { _ = $0.wanted.remove(.export) }
    var lacksImport = false
    do {
      try event(.export) { run in
        refreshAccount()
        var round = 0
        while try !send(round, run) {
          // The cloud is ahead: its changes are imported first, then this device's changes are sent on top of them.
          lacksImport = true
          try importChanges()
          lacksImport = false
          round += 1
        }
      }
      state.change { $0.pauses.succeed(.export) }
    } catch { throw fail(.export, error, retried: lacksImport ? [.export, .import] : [.export]) }
    let notifiesOthers = state.change { state in
      defer { state.hasUnreportedChanges = false }
      return state.hasUnreportedChanges
    }
    if notifiesOthers { worker.registry.notifyOthers(than: worker) }
  }

  /// Sends the local changes; false if an import is needed before the rest can be sent. `round`: how many imports this
  /// export has needed so far.
  private func send(_ round: Int, _ run: MirroringRun) throws -> Bool {
    var exporter = try Exporter(run, round: round)
    // Also if the rest fails: after a lost answer the cloud may have the changes already.
    defer { if exporter.hasSent { state.change { $0.hasUnreportedChanges = true } } }
    let outcome = try exporter.export()
    if let error = outcome.temporary { throw error }
    // An import reads the answers; after the other errors nothing is sent again.
    if !outcome.isDone || outcome.graphError != nil || !outcome.errors.isEmpty { try run.store() }
    if outcome.isDone, let error = outcome.graphError { throw error }
    if outcome.isDone, !outcome.errors.isEmpty { throw MirroringError.partial(outcome.errors) }
    return outcome.isDone
  }

  /// For a public store without notifications of sign-ins: stores the account that can write now. It is the creator of
  /// the records that are sent.
  private func refreshAccount() {
    guard mirrored.scope == .public, !state.change({ $0.observesAccount }) else { return }
    // If the account can't be read, the next run tries again.
    let before = state.change { $0.account }
    guard let account = try? MirroringSetup(mirrored: mirrored, before: before).run() else { return }
    state.change { $0.account = account }
  }

  // MARK: Events and failures

  /// Runs `body`, and reports the start and the end of the run as events. `body` may leave edits to the transaction that
  /// stores the event.
  func event<Answer>(_ kind: MirroringEvent.Kind, _ body: (MirroringRun) throws -> Answer) throws -> Answer {
    if mirrored.cloud.isStopped { throw MirroringStopped() }
    let run = MirroringRun(mirrored, kind)
    worker.eventHandler(run.event)
    var result = Result<Answer, any Error> {
      if mirrored.cloud.isStopped { throw MirroringStopped() }
      let answer = try body(run)
      try run.end(nil)
      return answer
    }
    if case .failure(let failure) = result, !(failure is MirroringStopped) {
      do { try run.end(failure) } catch {
        // An event that can't be stored is reported nevertheless.
        if error is MirroringStopped { result = .failure(error) }
      }
    }
    if case .failure(let error as MirroringStopped) = result {
      // The store was removed and may be closed: the event is not stored, but handlers receive the end of the run.
      if mirrored.cloud.isStopped {
        run.event.end(MirroringError.isStopped)
        worker.eventHandler(run.event)
      }
      worker.stop()
      throw error
    }
    if kind == .import, run.wantsExport { state.change { _ = $0.wanted.insert(.export) } }
    worker.eventHandler(run.event)
    return try result.get()
  }

  /// Decides when a failed run is tried again; returns the error.
  ///
  /// - Parameter retried: the kinds of runs that a retry consists of; nil for the failed one.
  @discardableResult
  func fail(_ kind: MirroringEvent.Kind, _ error: any Error, retried: Set<MirroringEvent.Kind>? = nil) -> any Error {
    if error is MirroringStopped { return error }
    state.change { state in
      state.fail(kind, CloudFailure(error), retried: retried ?? [kind], isPublic: mirrored.scope == .public)
    }
    return error
  }
}
