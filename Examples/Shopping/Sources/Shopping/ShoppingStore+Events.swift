import CloudKit

/// The answers to the engines. A handler may change the engine's state; it must not wait for the engine.
extension ShoppingStore: CKSyncEngineDelegate {
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    switch event {
    case .stateUpdate(let update):
      data.states[syncEngine.database.databaseScope.stateKey] = update.stateSerialization
    case .accountChange(let change):
      handle(change.changeType, syncEngine)
    case .fetchedDatabaseChanges(let fetched):
      handle(fetched, syncEngine)
    case .fetchedRecordZoneChanges(let fetched):
      for modification in fetched.modifications { take(modification.record) }
      for deletion in fetched.deletions { drop(deletion.recordID) }
    case .sentRecordZoneChanges(let sent):
      for record in sent.savedRecords { take(record) }
      for failure in sent.failedRecordSaves { handle(failure, syncEngine) }
      let missing = sent.failedRecordDeletes.filter {
        [CKError.Code.unknownItem, .zoneNotFound, .userDeletedZone].contains($0.value.code)
      }.keys
      for recordID in sent.deletedRecordIDs + missing { data[recordID.zoneID]?.removed.remove(recordID.recordName) }
    case .sentDatabaseChanges(let sent):
      if !sent.savedZones.isEmpty { data.isOwnListDeleted = false }
      for failure in sent.failedZoneSaves { say("the list was not made: \(failure.error.localizedDescription)") }
    default:
      // The beginning and the end of a step.
      return
    }
    do { try save() } catch { say("the file was not written: \(error.localizedDescription)") }
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    let scope = context.options.scope
    let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
    let data = data
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
      if let record = data.unsentRecord(recordID) { return record }
      // Without this the engine would ask again at each pass.
      syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(recordID)])
      return nil
    }
  }

  // MARK: Accounts and zones

  /// A sign-in is also reported when an engine starts for the first time. The engine has emptied its state before, so
  /// that all changes are added again.
  private func handle(_ change: CKSyncEngine.Event.AccountChange.ChangeType, _ engine: CKSyncEngine) {
    let isShared = engine.database.databaseScope == .shared
    switch change {
    case .signIn: break
    default:
      data.removeLists(isShared: isShared)
      if !isShared { say("another account: the lists are removed from this device") }
    }
    if case .signOut = change { return }
    if !isShared { addZone(to: engine) }
    addUnsentChanges(to: engine)
  }

  func addZone(to engine: CKSyncEngine) {
    engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: ShoppingData.ownZoneID))])
  }

  private func handle(_ fetched: CKSyncEngine.Event.FetchedDatabaseChanges, _ engine: CKSyncEngine) {
    let isShared = engine.database.databaseScope == .shared
    for deletion in fetched.deletions {
      if isShared {
        data[deletion.zoneID] = nil
      } else if deletion.zoneID == ShoppingData.ownZoneID {
        endOwnList(deletion.reason, engine)
      }
    }
    for zoneID in fetched.modifications.map(\.zoneID) {
      if isShared {
        data[zoneID] = data[zoneID] ?? ShoppingList(zoneID)
      } else if zoneID == ShoppingData.ownZoneID {
        data.isOwnListDeleted = false
      }
    }
  }

  /// A person deleted the own list: it must not return from this device. Items that were changed here since then make a
  /// new list, except after a deletion in Settings. After the loss of the encryption keys, iCloud gets all items again.
  private func endOwnList(_ reason: CKDatabase.DatabaseChange.Deletion.Reason, _ engine: CKSyncEngine) {
    if data.isOwnListDeleted { return }
    say("the list was deleted in iCloud")
    switch reason {
    case .encryptedDataReset: data.endOwnList { _ in true }
    case .purged: data.endOwnList { _ in false }
    default: data.endOwnList { $0.isUnsent }
    }
    addUnsentChanges(to: engine)
  }

  // MARK: Records

  /// Takes a version that iCloud has.
  private func take(_ record: CKRecord) {
    let (zoneID, name) = (record.recordID.zoneID, record.recordID.recordName)
    guard let list = data[zoneID] else { return }
    if let share = record as? CKShare {
      data[zoneID]?.title = share[CKShare.SystemFieldKey.title] as? String
    } else if record.recordType == Item.recordType, !list.removed.contains(name) {
      let former = list.items[name]
      var item = former ?? Item(name: record["name"] as? String ?? name)
      item.merge(record)
      data[zoneID]?.items[name] = item
      if item.text != former?.text { changes?.yield(item) }
    }
  }

  /// An item that was changed here stays, and is sent as a new one.
  private func drop(_ recordID: CKRecord.ID) {
    data[recordID.zoneID]?.removed.remove(recordID.recordName)
    guard let item = data[recordID.zoneID]?.items[recordID.recordName] else { return }
    if item.isUnsent {
      data[recordID.zoneID]?.items[recordID.recordName]?.forgetRecord()
    } else {
      data[recordID.zoneID]?.items[recordID.recordName] = nil
    }
  }

  private func handle(_ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, _ engine: CKSyncEngine) {
    let recordID = failure.record.recordID
    let name = failure.record["name"] as? String ?? recordID.recordName
    switch failure.error.code {
    case .serverRecordChanged:
      guard let server = failure.error.serverRecord else { return }
      take(server)
      say("merged: \(name)")
    case .unknownItem:
      data[recordID.zoneID]?.items[recordID.recordName]?.forgetRecord()
    case .zoneNotFound, .userDeletedZone:
      // A shared list has ended; the next fetch removes it.
      guard engine.database.databaseScope == .private else { return }
      let isReset = failure.error.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true
      endOwnList(failure.error.code == .userDeletedZone ? .purged : isReset ? .encryptedDataReset : .deleted, engine)
      guard data[recordID.zoneID]?.items[recordID.recordName] != nil else { return }
    case .batchRequestFailed:
      break
    default:
      // The engine tries again where that can help. All others are sent with the next synchronization.
      return say("not saved: \(name): \(failure.error.localizedDescription)")
    }
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(recordID)])
  }
}
