import Foundation

/// The complete state of a record, as a value type.
///
/// The conversion to and from the service's records uses only this type.
package struct RecordState: Sendable {
  package var recordType: CKRecord.RecordType
  package var recordID: CKRecordID

  // MARK: Set by the server

  package var changeTag: String?
  package var creationDate: Date?
  package var creator: CKRecordID?
  package var modificationDate: Date?
  package var lastModifier: CKRecordID?
  /// The share that has this record as its root; also set by `CKShare(rootRecord:)`.
  package var share: CKReference?

  // MARK: Set by the app

  package var parent: CKReference?
  package var values: [CKRecord.FieldKey: ClientValue] = [:]
  package var encryptedValues: [CKRecord.FieldKey: ClientValue] = [:]

  /// The state of a share; nil in every other record.
  package var shareState: ShareState?

  // MARK: Pending changes

  /// The keys set since the last fetch or save, with the serial number of the last edit. A key set to nil is here, but
  /// not in ``values``.
  package var edits: [CKRecord.FieldKey: UInt64] = [:]
  package var encryptedEdits: [CKRecord.FieldKey: UInt64] = [:]
  package var parentEdit: UInt64?
  package var shareEdit: UInt64?
  private var lastEdit: UInt64 = 0

  /// The values and the parent as the server last sent them, before the edits.
  package struct ServerValues: Sendable {
    package var values: [CKRecord.FieldKey: ClientValue]
    package var encryptedValues: [CKRecord.FieldKey: ClientValue]
    package var parent: CKReference?
    package var shareState: ShareState?
  }

  /// Nil in a record that did not come from the server.
  package var serverValues: ServerValues?

  package init(recordType: CKRecord.RecordType, recordID: CKRecordID) {
    self.recordType = recordType
    self.recordID = recordID
  }

  /// Keys of plain values set since the last fetch or save.
  package var changedKeys: Set<CKRecord.FieldKey> { Set(edits.keys) }
  /// Keys of encrypted values set since the last fetch or save.
  package var changedEncryptedKeys: Set<CKRecord.FieldKey> { Set(encryptedEdits.keys) }
  /// Whether the parent was set since the last fetch or save.
  package var isParentChanged: Bool { parentEdit != nil }
  /// Whether the record became the root of a new share since the last fetch or save.
  package var isShareChanged: Bool { shareEdit != nil }

  // MARK: Edits by the app

  /// Sets a value; nil removes it. A key is plain or encrypted, never both: the later call wins.
  package mutating func set(_ value: ClientValue?, forKey key: CKRecord.FieldKey) {
    values[key] = value
    edits[key] = nextEdit()
    if value != nil { encryptedValues[key] = nil }
    if value != nil { encryptedEdits[key] = nil }
  }

  package mutating func setEncrypted(_ value: ClientValue?, forKey key: CKRecord.FieldKey) {
    encryptedValues[key] = value
    encryptedEdits[key] = nextEdit()
    if value != nil { values[key] = nil }
    if value != nil { edits[key] = nil }
  }

  package mutating func setParent(_ reference: CKReference?) {
    parent = reference
    parentEdit = nextEdit()
  }

  package mutating func setShare(_ reference: CKReference?) {
    share = reference
    shareEdit = nextEdit()
  }

  private mutating func nextEdit() -> UInt64 {
    lastEdit += 1
    return lastEdit
  }

  // MARK: After a save

  /// Adopts the system fields of a saved record, and clears the edits that the save contained.
  ///
  /// Edits made during the save stay pending. The values are not changed.
  package mutating func adopt(server: RecordState, sent: RecordState) {
    changeTag = server.changeTag
    creationDate = server.creationDate
    creator = server.creator
    modificationDate = server.modificationDate
    lastModifier = server.lastModifier
    edits = edits.filter { sent.edits[$0.key] != $0.value }
    encryptedEdits = encryptedEdits.filter { sent.encryptedEdits[$0.key] != $0.value }
    if parentEdit == sent.parentEdit {
      parent = server.parent
      parentEdit = nil
    }
    if shareEdit == sent.shareEdit {
      share = server.share
      shareEdit = nil
    }
    if let theirs = server.shareState, let before = sent.shareState {
      shareState?.adopt(server: theirs, sent: before, shareID: recordID)
    }
    serverValues = server.serverValues
  }

  /// Records the present values, parent and share state as those of the server.
  package mutating func rememberServerValues() {
    serverValues = ServerValues(
      values: values, encryptedValues: encryptedValues, parent: parent,
      shareState: shareState?.detached(shareID: recordID))
  }

  /// The record before the edits; nil if the record did not come from the server.
  package var ancestor: RecordState? {
    guard changeTag != nil else { return nil }
    var state = detached()
    state.values = serverValues?.values ?? [:]
    state.encryptedValues = serverValues?.encryptedValues ?? [:]
    state.parent = serverValues.map(\.parent) ?? parent
    if let share = serverValues?.shareState { state.shareState = share.detached(shareID: recordID) }
    if isShareChanged { state.share = nil }
    state.clearEdits()
    return state
  }

  /// Clears all pending changes, as in a record that was just fetched.
  package mutating func clearEdits() {
    edits = [:]
    encryptedEdits = [:]
    parentEdit = nil
    shareEdit = nil
  }

  /// A copy with copies of the participants.
  func detached() -> RecordState {
    var copy = self
    copy.shareState = shareState?.detached(shareID: recordID)
    return copy
  }
}
