import LocalCloudModel

extension CKSyncEngine {
  /// Records to save and to delete in one request.
  ///
  /// - Assumption: the size of a batch is that of the keys and values that it sends. A record that is larger than a
  ///   batch may be is sent as the batch's only save.
  public struct RecordZoneChangeBatch: Sendable {
    /// The records to save.
    public var recordsToSave: [CKRecord]

    /// The IDs of the records to delete.
    public var recordIDsToDelete: [CKRecord.ID]

    /// Whether the changes of a zone succeed or fail together. The default is false.
    ///
    /// With true, the failure of a change makes the other changes of its zone fail with `batchRequestFailed`. Each zone
    /// is independent of the others.
    public var atomicByZone: Bool

    /// Makes a batch of the first pending changes, up to 400 changes or 2 MB; nil if no change can be sent.
    ///
    /// - Parameters:
    ///   - pendingChanges: The changes, in the order in which they are to be sent.
    ///   - recordProvider: Returns the record of a save; nil skips the change, and it stays pending.
    public init?(
      pendingChanges: [CKSyncEngine.PendingRecordZoneChange],
      recordProvider: @Sendable (CKRecord.ID) async -> CKRecord?
    ) async {
      self.init()
      var size = 0
      for change in pendingChanges {
        guard changeCount < NameRules.maximumItems else { break }
        switch change {
        case .deleteRecord(let recordID): recordIDsToDelete.append(recordID)
        case .saveRecord(let recordID):
          guard let record = await recordProvider(recordID) else { continue }
          size += record.sizeOfSave
          // The batch ends here: a smaller, later change must not overtake this one.
          guard size <= NameRules.maximumRequestBytes || recordsToSave.isEmpty else { return }
          recordsToSave.append(record)
        }
      }
      if changeCount == 0 { return nil }
    }

    /// Makes a batch that is sent as it is.
    ///
    /// With more than 400 changes or 2 MB all of them fail with `limitExceeded`.
    public init(
      recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [], atomicByZone: Bool = false
    ) {
      self.recordsToSave = recordsToSave
      self.recordIDsToDelete = recordIDsToDelete
      self.atomicByZone = atomicByZone
    }

    private var changeCount: Int { recordsToSave.count + recordIDsToDelete.count }

    /// The pending changes that the batch sends: saves first, then deletions.
    var changes: [CKSyncEngine.PendingRecordZoneChange] {
      let saves = recordsToSave.map { CKSyncEngine.PendingRecordZoneChange.saveRecord($0.recordID) }
      return saves + recordIDsToDelete.map { CKSyncEngine.PendingRecordZoneChange.deleteRecord($0) }
    }
  }
}

extension CKSyncEngine.RecordZoneChangeBatch: CustomStringConvertible {
  /// The IDs of the records, and whether the batch is atomic.
  public var description: String {
    "<CKSyncEngine.RecordZoneChangeBatch: changes=\(changes), atomicByZone=\(atomicByZone)>"
  }
}

extension CKRecord {
  /// The number of bytes that saving the record adds to a request, as the service counts them.
  fileprivate var sizeOfSave: Int {
    Translator(ownName: nil).save(state, policy: .ifServerRecordUnchanged).size
  }
}
