import Foundation
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

extension Translator {
  // MARK: From the service

  /// Converts a record of the service, without pending changes.
  func state(_ record: Record) throws(ServiceError) -> RecordState {
    let recordID = try recordID(record.id)
    var state = RecordState(recordType: record.type, recordID: recordID)
    state.changeTag = record.changeTag
    state.creationDate = Date(milliseconds: record.created.timestamp)
    state.creator = userRecordID(record.created.userRecordName)
    state.modificationDate = Date(milliseconds: record.modified.timestamp)
    state.lastModifier = userRecordID(record.modified.userRecordName)
    if let parent = record.parent { state.parent = try reference(parent, in: recordID.zoneID) }
    if let share = record.share { state.share = try reference(share, in: recordID.zoneID) }
    for (key, value) in record.fields { state.values[key] = try self.value(value, in: recordID.zoneID) }
    for (key, value) in record.encryptedFields {
      state.encryptedValues[key] = try self.value(value, in: recordID.zoneID)
    }
    if let details = record.shareDetails { state.shareState = try shareState(details, shareID: recordID) }
    state.rememberServerValues()
    return state
  }

  func record(_ record: Record) throws(ServiceError) -> CKRecord {
    CKRecord.make(state: try state(record))
  }

  /// Converts a share of the service. Throws `internalError` if the record is not a share: the cloud is then damaged.
  func share(_ record: Record) throws(ServiceError) -> CKShare {
    let state = try state(record)
    guard state.shareState != nil else {
      throw ServiceError(.internalError, "The record '\(record.id.name)' is no share.", cause: .damage)
    }
    return CKShare(state: state)
  }

  private func reference(_ name: ExactName, in zoneID: CKRecordZoneID) throws(ServiceError) -> CKReference {
    CKReference(recordID: try recordID(name, in: zoneID), action: .none)
  }

  // MARK: To the service

  /// The content of a save: the changed keys, or with `.allKeys` all keys of the local record. Changed keys without a
  /// value are always sent, as removals.
  func save(_ state: RecordState, policy: CKModifyRecordsOperation.RecordSavePolicy) -> RecordSave {
    var save = RecordSave(id: identifier(state.recordID), type: state.recordType, changeTag: state.changeTag)
    let sendsAll = policy == .allKeys
    let keys = (sendsAll ? state.changedKeys.union(state.values.keys) : state.changedKeys).sorted()
    for key in keys {
      guard let value = state.values[key] else {
        save.fields.updateValue(nil, forKey: key)
        continue
      }
      save.fields[key] = serviceValue(sent(value, key, of: state))
    }
    let encryptedKeys =
      (sendsAll
      ? state.changedEncryptedKeys.union(state.encryptedValues.keys) : state.changedEncryptedKeys).sorted()
    for key in encryptedKeys {
      // Setting an asset as an encrypted value is refused, so there are none here.
      save.encryptedFields.updateValue(state.encryptedValues[key].flatMap(serviceValue), forKey: key)
    }
    if state.isParentChanged || (sendsAll && state.parent != nil) {
      save.parent =
        state.parent.map { .set(ExactName($0.recordID.recordName), zone: identifier($0.recordID.zoneID)) } ?? .clear
    }
    for key in keys + encryptedKeys {
      guard let integer = (state.values[key] ?? state.encryptedValues[key])?.unsigned else { continue }
      save.refusal = .invalid("Field '\(key)': \(integer) is no whole number of 64 bits with a sign")
    }
    if let share = state.shareState {
      save.share = self.share(share, isNew: state.changeTag == nil)
    }
    return save
  }
}
