import Foundation
import LocalCloudModel

/// Sending: database changes first, then batches of records until the delegate returns nil.
extension SyncWork {
  /// The most zones of one request.
  private static let mostZones = 400

  func send(
    _ pass: SyncPass, _ reason: CKSyncEngine.SyncReason, _ options: CKSyncEngine.SendChangesOptions
  ) async throws {
    do { try await checkAccount(pass) } catch { throw retried(.send, error) }
    let context = CKSyncEngine.SendChangesContext(reason: reason, options: options)
    try await report(.willSendChanges(CKSyncEngine.Event.WillSendChanges(context: context)))
    var failures = SyncFailures(isThrown: reason == .manual)
    try await sendAll(pass, context, &failures)
    state.endBatch()
    if state.read({ $0.untrackedChangesAreInFlight }) {
      let wereSent = options.scope == .all && failures.errors.isEmpty && !failures.hasHeldBackRecords
      state.change { $0.landUntrackedChanges(wereSent: wereSent) }
    }
    try await report(.didSendChanges(CKSyncEngine.Event.DidSendChanges(context: context)))
    end(.send, failures)
    try failures.check("send changes", container: container.containerIdentifier)
  }

  private func sendAll(
    _ pass: SyncPass, _ context: CKSyncEngine.SendChangesContext, _ failures: inout SyncFailures
  ) async throws {
    var isUntracked = false
    var hasAskedDelegate = false
    while true {
      try await sendDatabaseChanges(pass, context, &failures)
      if failures.endsPass { return }
      isUntracked = takeUntrackedChanges() || isUntracked
      guard mayAsk(hasAskedDelegate, isUntracked, failures) else { return }
      hasAskedDelegate = true
      if let batch = try await nextBatch(context, &failures) {
        try await send(batch, pass, context, &failures)
        if failures.endsPass { return }
      } else if databaseChanges(except: failures).isEmpty {
        return
      }
    }
  }

  // MARK: Database changes

  private func databaseChanges(except failures: SyncFailures) -> [CKSyncEngine.PendingDatabaseChange] {
    state.pendingDatabaseChanges.filter { !failures.zoneIDs.contains($0.itemID) }
  }

  private func sendDatabaseChanges(
    _ pass: SyncPass, _ context: CKSyncEngine.SendChangesContext, _ failures: inout SyncFailures
  ) async throws {
    while !failures.endsPass {
      let changes = Array(databaseChanges(except: failures).prefix(Self.mostZones))
      if changes.isEmpty { return }
      // The app may have removed or replaced some of them since.
      let taken = state.change { $0.takeOff(changes) }
      if !taken.isEmpty { try await send(taken, pass, context, &failures) }
    }
  }

  /// Sends changes that are in flight, in one request.
  private func send(
    _ changes: [CKSyncEngine.PendingDatabaseChange], _ pass: SyncPass, _ context: CKSyncEngine.SendChangesContext,
    _ failures: inout SyncFailures
  ) async throws {
    var saves: [CKRecordZone] = []
    var deletes: [CKRecordZone.ID] = []
    for change in changes {
      switch change {
      case .saveZone(let zone): saves.append(zone)
      case .deleteZone(let zoneID): deletes.append(zoneID)
      }
    }
    let (zones, zoneIDs) = (saves, deletes)
    let database = database.grouped(context.options.operationGroup)
    let results = try await answer(&failures) {
      try await pass.request { try await database.modifyRecordZones(saving: zones, deleting: zoneIDs) }
    }
    var retryable: Set<CKSyncEngine.PendingDatabaseChange> = []
    var savedZones: [CKRecordZone] = []
    var failedSaves: [CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave] = []
    for zone in zones {
      switch item(results.map { $0.saveResults.result(of: zone.zoneID) }) {
      case .success(let saved): savedZones.append(saved)
      case .failure(let error):
        failedSaves.append(.init(zone: zone, error: error))
        failures.add(error, of: zone.zoneID)
        if error.isRetriedBySyncEngine { retryable.insert(.saveZone(zone)) }
      }
    }
    var deletedZoneIDs: [CKRecordZone.ID] = []
    var failedDeletes: [CKRecordZone.ID: CKError] = [:]
    for zoneID in zoneIDs {
      switch item(results.map { $0.deleteResults.result(of: zoneID) }) {
      case .success: deletedZoneIDs.append(zoneID)
      case .failure(let error) where error.code == .zoneNotFound:
        // A zone that is not there counts as deleted.
        deletedZoneIDs.append(zoneID)
      case .failure(let error):
        failedDeletes[zoneID] = error
        failures.add(error, of: zoneID)
        if error.isRetriedBySyncEngine { retryable.insert(.deleteZone(zoneID)) }
      }
    }
    let busyZoneIDs: Set<CKRecordZone.ID> = failures.endsPass ? [] : Set(retryable.map(\.itemID))
    let newZoneIDs = savedZones.map(\.zoneID).filter(missingZoneIDs.contains)
    missingZoneIDs.subtract(newZoneIDs)
    let changedZoneIDs = deletedZoneIDs + newZoneIDs
    state.change { state in
      state.landDatabaseChanges(retryable: retryable)
      state.postpone(busyZoneIDs)
      // A zone that the app makes again is fetched from its beginning, without its deletion.
      for zoneID in changedZoneIDs { state.forgetFetches(of: zoneID) }
    }
    try await report(
      .sentDatabaseChanges(
        CKSyncEngine.Event.SentDatabaseChanges(
          savedZones: savedZones, failedZoneSaves: failedSaves, deletedZoneIDs: deletedZoneIDs,
          failedZoneDeletes: failedDeletes)))
  }

  // MARK: Record batches

  /// Whether the app has untracked changes. The engine clears the mark before it asks for them.
  private func takeUntrackedChanges() -> Bool {
    state.read { $0.hasPendingUntrackedChanges } && state.change { $0.takeOffUntrackedChanges() }
  }

  /// Whether the delegate is asked for a batch: until it returns nil, unless all that is pending failed in this pass.
  private func mayAsk(_ hasAskedDelegate: Bool, _ isUntracked: Bool, _ failures: SyncFailures) -> Bool {
    if isUntracked { return true }
    return state.read { state in
      hasAskedDelegate && state.recordChanges.isEmpty || state.recordChanges.contains(otherThan: failures.recordIDs)
    }
  }

  /// The delegate's next batch without the records that wait for the next pass; nil if nothing is left.
  ///
  /// - Assumption: a batch of only such records ends the pass, as no batch does.
  private func nextBatch(
    _ context: CKSyncEngine.SendChangesContext, _ failures: inout SyncFailures
  ) async throws -> CKSyncEngine.RecordZoneChangeBatch? {
    state.beginBatch()
    let offered = try await call { delegate, engine in
      await delegate.nextRecordZoneChangeBatch(context, syncEngine: engine)
    }
    try await deliverState()
    guard var batch = offered else { return nil }
    failures.removeWaiting(from: &batch)
    return batch.recordsToSave.isEmpty && batch.recordIDsToDelete.isEmpty ? nil : batch
  }

  private typealias ModifiedRecords = (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
  )

  /// Sends a batch as it is, in one request; without one, if all of it is outside of the scope.
  ///
  /// - Assumption: records outside of the scope fail with `invalidArguments`, and the others are sent. With
  ///   `atomicByZone` the others of their zones fail with `batchRequestFailed`. A change that was not sent stays pending.
  private func send(
    _ batch: CKSyncEngine.RecordZoneChangeBatch, _ pass: SyncPass, _ context: CKSyncEngine.SendChangesContext,
    _ failures: inout SyncFailures
  ) async throws {
    let refusals = refusals(in: batch, context.options.scope)
    let saves = batch.recordsToSave.filter { refusals[$0.recordID] == nil }
    let deletes = batch.recordIDsToDelete.filter { refusals[$0] == nil }
    let isAtomic = batch.atomicByZone
    let changes = batch.changes.filter { refusals[$0.itemID] == nil }
    state.takeOff(changes)
    let database = database.grouped(context.options.operationGroup)
    var results: Result<ModifiedRecords, CKError> = .success((saveResults: [:], deleteResults: [:]))
    if !changes.isEmpty {
      results = try await answer(&failures) {
        try await pass.request {
          try await database.modifyRecords(saving: saves, deleting: deletes, atomically: isAtomic)
        }
      }
    }
    var outcome = SentRecords()
    func note(_ error: CKError, of recordID: CKRecord.ID) {
      failures.add(error, of: recordID)
      if error.isOfMissingZone { missingZoneIDs.insert(recordID.zoneID) }
    }
    for record in batch.recordsToSave {
      let recordID = record.recordID
      let refusal = refusals[recordID].map { Result<CKRecord, CKError>.failure($0) }
      let result = refusal ?? item(results.map { $0.saveResults.result(of: recordID) })
      outcome.add(result, of: record)
      if case .failure(let error) = result { note(error, of: recordID) }
    }
    for recordID in batch.recordIDsToDelete {
      let refusal = refusals[recordID].map { Result<Void, CKError>.failure($0) }
      let result = refusal ?? item(results.map { $0.deleteResults.result(of: recordID) })
      outcome.add(result, of: recordID)
      if case .failure(let error) = result { note(error, of: recordID) }
    }
    let busyZoneIDs: Set<CKRecordZone.ID> = failures.endsPass ? [] : Set(outcome.retryable.map(\.itemID.zoneID))
    state.change { state in
      state.landRecordChanges(retryable: outcome.retryable)
      state.postpone(busyZoneIDs)
    }
    try await report(.sentRecordZoneChanges(outcome.event))
  }

  /// The errors of the records that are not sent.
  private func refusals(
    in batch: CKSyncEngine.RecordZoneChangeBatch, _ scope: CKSyncEngine.SendChangesOptions.Scope
  ) -> [CKRecord.ID: CKError] {
    var refusals: [CKRecord.ID: CKError] = [:]
    for change in batch.changes where !scope.contains(change) {
      refusals[change.itemID] = .invalidArguments(
        "The batch holds \(change.itemID), which is outside of the scope. Leave it out where context.options.scope "
          + "does not contain it.", container: container.containerIdentifier)
    }
    if batch.atomicByZone {
      let zoneIDs = Set(refusals.keys.map(\.zoneID))
      let error = CKError.make(.batchFailed, container: container.containerIdentifier)
      for change in batch.changes where zoneIDs.contains(change.itemID.zoneID) && refusals[change.itemID] == nil {
        refusals[change.itemID] = error
      }
    }
    return refusals
  }

  // MARK: Results

  /// The answer of a request, or the error that all of its items get.
  private func answer<Answer: Sendable>(
    _ failures: inout SyncFailures, _ request: () async throws -> Answer
  ) async throws -> Result<Answer, CKError> {
    do {
      return .success(try await request())
    } catch {
      guard let failure = CKError.ofSync(error, container: container.containerIdentifier) else { throw error }
      failures.add(failure)
      return .failure(failure)
    }
  }

  /// The result of an item of a request.
  private func item<Value>(_ result: Result<Result<Value, any Error>, CKError>) -> Result<Value, CKError> {
    switch result {
    case .success(.success(let value)): .success(value)
    case .success(.failure(let error)):
      .failure(CKError.ofSync(error, container: container.containerIdentifier) ?? CKError(.internalError))
    case .failure(let error): .failure(error)
    }
  }
}

/// The results of a batch of records.
private struct SentRecords {
  private var savedRecords: [CKRecord] = []
  private var failedSaves: [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave] = []
  private var deletedRecordIDs: [CKRecord.ID] = []
  private var failedDeletes: [CKRecord.ID: CKError] = [:]
  /// The changes that the engine tries again.
  private(set) var retryable: Set<CKSyncEngine.PendingRecordZoneChange> = []

  var event: CKSyncEngine.Event.SentRecordZoneChanges {
    CKSyncEngine.Event.SentRecordZoneChanges(
      savedRecords: savedRecords, failedRecordSaves: failedSaves, deletedRecordIDs: deletedRecordIDs,
      failedRecordDeletes: failedDeletes)
  }

  mutating func add(_ result: Result<CKRecord, CKError>, of record: CKRecord) {
    switch result {
    case .success(let saved): savedRecords.append(saved)
    case .failure(let error):
      failedSaves.append(.init(record: record, error: error))
      if error.isRetriedBySyncEngine { retryable.insert(.saveRecord(record.recordID)) }
    }
  }

  mutating func add(_ result: Result<Void, CKError>, of recordID: CKRecord.ID) {
    switch result {
    case .success: deletedRecordIDs.append(recordID)
    case .failure(let error):
      failedDeletes[recordID] = error
      if error.isRetriedBySyncEngine { retryable.insert(.deleteRecord(recordID)) }
    }
  }
}
