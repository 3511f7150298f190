import CloudKit

extension EngineApp: CKSyncEngineDelegate {
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    guard isCurrent(syncEngine) else { return }
    begin(syncEngine)
    defer { end(syncEngine) }
    let isShared = syncEngine.isShared
    switch event {
    case .stateUpdate(let update):
      data[isShared].state = update.stateSerialization
      let contents = data[isShared].present
      data[isShared].pendingInState = (addedChanges[isShared] ?? []).intersection(contents.trackedChanges)
      data[isShared].isUntrackedInState =
        enginesWithUntrackedChanges.contains(isShared) && !contents.untrackedChanges.isEmpty
    case .accountChange(let event):
      handle(event.changeType, syncEngine)
    case .fetchedDatabaseChanges(let event):
      for deletion in event.deletions {
        data[isShared].present.removeZone(deletion.zoneID.zoneName, keepsUnsent: false)
      }
      if event.modifications.contains(where: { $0.zoneID.zoneName == EngineZone.ownName }) {
        data[isShared].present.isOwnZoneMissing = false
      }
    case .fetchedRecordZoneChanges(let event):
      for modification in event.modifications { merge(modification.record, syncEngine) }
      for deletion in event.deletions { drop(deletion.recordID, isShared) }
    case .sentRecordZoneChanges(let event):
      checkAtomicity(event, isShared)
      for record in event.savedRecords { merge(record, syncEngine) }
      for failure in event.failedRecordSaves { handle(failure, syncEngine) }
      for recordID in event.deletedRecordIDs { drop(recordID, isShared) }
      for (recordID, error) in event.failedRecordDeletes { handle(error, ofDeleting: recordID, syncEngine) }
    case .sentDatabaseChanges(let event):
      if !event.savedZones.isEmpty { data[isShared].present.isOwnZoneMissing = false }
      for failure in event.failedZoneSaves where !failure.error.isRetried { addOwnZone(to: syncEngine) }
    default: return
    }
    save()
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    guard isCurrent(syncEngine) else { return nil }
    begin(syncEngine)
    defer { end(syncEngine) }
    let (scope, isShared) = (context.options.scope, syncEngine.isShared)
    let pending = syncEngine.state.pendingRecordZoneChanges
    let changes = (pending + untrackedChanges(except: pending, isShared)).filter { scope.contains($0) }
    var batch = await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
      await self.unsentRecord(recordID, syncEngine)
    }
    batchCount += 1
    batch?.atomicByZone = batchCount.isMultiple(of: 3)
    if isCurrent(syncEngine) {
      atomicBatches[isShared] = batch.flatMap { batch in
        batch.atomicByZone ? batch.recordsToSave.map(\.recordID) + batch.recordIDsToDelete : nil
      }
    }
    return batch
  }

  /// The record to send. Without one, the change is removed in the same step, so that it is not the change of an edit
  /// that follows.
  private func unsentRecord(_ recordID: CKRecord.ID, _ engine: CKSyncEngine) -> CKRecord? {
    if let item = data[engine.isShared].present.items[recordID.recordName], item.isUnsent {
      return item.record(recordID)
    }
    // The change was sent before the process was killed, or the item was deleted.
    engine.state.remove(pendingRecordZoneChanges: [.saveRecord(recordID)])
    return nil
  }

  // MARK: Calls

  private func begin(_ engine: CKSyncEngine) {
    if !enginesInCallback.insert(ObjectIdentifier(engine)).inserted { trouble = "two callbacks of \(engine) overlap" }
  }

  private func end(_ engine: CKSyncEngine) {
    enginesInCallback.remove(ObjectIdentifier(engine))
    // It may have been released during the callback.
    guard isCurrent(engine) else { return }
    let (isShared, contents) = (engine.isShared, data[engine.isShared].present)
    addedChanges[isShared] = contents.trackedChanges
    if contents.untrackedChanges.isEmpty {
      enginesWithUntrackedChanges.remove(isShared)
    } else {
      enginesWithUntrackedChanges.insert(isShared)
    }
    endWaitIfReached()
  }

  // MARK: Accounts and zones

  private func handle(_ change: CKSyncEngine.Event.AccountChange.ChangeType, _ engine: CKSyncEngine) {
    switch change {
    case .signIn(let user), .switchAccounts(_, let user): data[engine.isShared].begin(user.recordName)
    case .signOut:
      data[engine.isShared].begin(nil)
      return
    }
    addOwnZone(to: engine)
    addUnsentChanges(to: engine)
  }

  func addOwnZone(to engine: CKSyncEngine) {
    if engine.isShared { return }
    engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneName: EngineZone.ownName))])
  }

  // MARK: Records

  private func merge(_ record: CKRecord, _ engine: CKSyncEngine) {
    if record.recordType == EngineItem.markerType {
      markers[record.recordID.zoneID.zoneName] = record["number"] as Int?
    }
    guard record.recordType == EngineItem.recordType else { return }
    let (name, zone) = (record.recordID.recordName, record.recordID.zoneID.zoneName)
    var contents = data[engine.isShared].present
    if contents.deleted[name] != nil {
      contents.unsentDeletions.insert(name)
      data[engine.isShared].present = contents
      add(EngineChange(item: name, zone: zone, isDeletion: true), to: engine)
    } else {
      var item = contents.items[name] ?? EngineItem(zone: zone, edits: [])
      item.merge(record)
      contents.items[name] = item
      data[engine.isShared].present = contents
    }
  }

  /// In each zone, an atomic batch succeeds or fails as a whole.
  private func checkAtomicity(_ event: CKSyncEngine.Event.SentRecordZoneChanges, _ isShared: Bool) {
    guard let recordIDs = atomicBatches.removeValue(forKey: isShared) else { return }
    let succeeded = Set(event.savedRecords.map(\.recordID) + event.deletedRecordIDs)
    for (zoneID, recordIDs) in Dictionary(grouping: recordIDs, by: \.zoneID) {
      let count = recordIDs.filter { succeeded.contains($0) }.count
      if count == 0 || count == recordIDs.count { continue }
      trouble = "\(count) of \(recordIDs.count) changes of an atomic batch are saved in \(zoneID)"
    }
  }

  /// A deletion supersedes all edits.
  private func drop(_ recordID: CKRecord.ID, _ isShared: Bool) {
    data[isShared].present.items[recordID.recordName] = nil
    data[isShared].present.unsentDeletions.remove(recordID.recordName)
  }

  private func handle(_ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, _ engine: CKSyncEngine) {
    let recordID = failure.record.recordID
    // The engine retains the change.
    if failure.error.isRetried { return }
    switch failure.error.code {
    case .serverRecordChanged:
      if let record = failure.error.serverRecord { merge(record, engine) }
    case .unknownItem: return drop(recordID, engine.isShared)
    case .zoneNotFound, .userDeletedZone:
      handleMissingZone(of: recordID, wasPurged: failure.error.code == .userDeletedZone, engine)
    default: break
    }
    addIfUnsent(recordID, engine)
  }

  /// As Apple documents, the app sends its changes in a new zone after a deletion, and nothing after a purge. Only its
  /// own zone is created by the app. Later edits, and others of the event, are for the new zone.
  private func handleMissingZone(of recordID: CKRecord.ID, wasPurged: Bool, _ engine: CKSyncEngine) {
    let (isShared, zone) = (engine.isShared, recordID.zoneID.zoneName)
    let isOwn = zone == EngineZone.ownName
    if !isOwn || !data[isShared].present.isOwnZoneMissing {
      data[isShared].present.removeZone(zone, keepsUnsent: isOwn && !wasPurged)
    }
    if data[isShared].present.items[recordID.recordName] != nil { addOwnZone(to: engine) }
  }

  private func addIfUnsent(_ recordID: CKRecord.ID, _ engine: CKSyncEngine) {
    guard let item = data[engine.isShared].present.items[recordID.recordName], item.isUnsent else { return }
    add(EngineChange(item: recordID.recordName, zone: item.zone, isDeletion: false), to: engine)
  }

  private func handle(_ error: CKError, ofDeleting recordID: CKRecord.ID, _ engine: CKSyncEngine) {
    if error.isRetried { return }
    switch error.code {
    case .unknownItem, .zoneNotFound, .userDeletedZone: drop(recordID, engine.isShared)
    default:
      let zone = recordID.zoneID.zoneName
      add(EngineChange(item: recordID.recordName, zone: zone, isDeletion: true), to: engine)
    }
  }
}

extension CKError {
  /// Whether Apple documents that the engine retries the change by itself.
  fileprivate var isRetried: Bool {
    switch code {
    case .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable, .requestRateLimited,
      .serviceUnavailable, .zoneBusy, .operationCancelled:
      true
    default: false
    }
  }
}
