import CloudKit

extension EngineApp: CKSyncEngineDelegate {
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    begin(syncEngine)
    defer { end(syncEngine) }
    let isShared = syncEngine.isShared
    switch event {
    case .stateUpdate(let update):
      data[isShared].state = update.stateSerialization
      data[isShared].pendingInState = (addedChanges[isShared] ?? []).intersection(data[isShared].present.unsent)
    case .accountChange(let event):
      handle(event.changeType, syncEngine)
    case .fetchedRecordZoneChanges(let event):
      for modification in event.modifications { merge(modification.record, syncEngine) }
      for deletion in event.deletions { drop(deletion.recordID, isShared) }
    case .sentRecordZoneChanges(let event):
      for record in event.savedRecords {
        merge(record, syncEngine)
        // An edit between the making of the batch and its flight is part of neither.
        addIfUnsent(record.recordID, syncEngine)
      }
      for failure in event.failedRecordSaves { handle(failure, syncEngine) }
      for recordID in event.deletedRecordIDs { drop(recordID, isShared) }
      for (recordID, error) in event.failedRecordDeletes { handle(error, ofDeleting: recordID, syncEngine) }
    case .sentDatabaseChanges(let event):
      for failure in event.failedZoneSaves where !failure.error.isRetried { addOwnZone(to: syncEngine) }
    default: return
    }
    save()
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    begin(syncEngine)
    defer { end(syncEngine) }
    let scope = context.options.scope
    let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
      await self.unsentRecord(recordID, syncEngine)
    }
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
    if !enginesInCallback.insert(engine.isShared).inserted { trouble = "two callbacks of \(engine) overlap" }
  }

  private func end(_ engine: CKSyncEngine) {
    enginesInCallback.remove(engine.isShared)
    addedChanges[engine.isShared] = data[engine.isShared].present.unsent
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

  private func addOwnZone(to engine: CKSyncEngine) {
    if engine.isShared { return }
    engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneName: EngineZone.ownName))])
  }

  // MARK: Records

  private func merge(_ record: CKRecord, _ engine: CKSyncEngine) {
    guard record.recordType == EngineItem.recordType else { return }
    let (name, zone) = (record.recordID.recordName, record.recordID.zoneID.zoneName)
    var contents = data[engine.isShared].present
    if contents.deleted[name] != nil {
      contents.unsentDeletions.insert(name)
      add(EngineChange(item: name, zone: zone, isDeletion: true), to: engine)
    } else {
      var item = contents.items[name] ?? EngineItem(zone: zone, edits: [])
      item.merge(record)
      contents.items[name] = item
    }
    data[engine.isShared].present = contents
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
    case .zoneNotFound, .userDeletedZone: addOwnZone(to: engine)
    default: break
    }
    addIfUnsent(recordID, engine)
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
