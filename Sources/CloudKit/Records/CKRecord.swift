import Foundation
import Synchronization

/// Keys and values that CloudKit stores as one unit, with an ID and system fields of the server.
///
/// A record is local until it is saved: setting values changes the object only, and marks the keys as changed.
/// Records are equal only if they are the same object; compare their IDs.
///
/// ```swift
/// let record = CKRecord(recordType: "Note")
/// record["title"] = "Milk"
/// let title = record["title"] as? String
/// ```
// Sendable: the whole state is one value behind a mutex.
open class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, @unchecked Sendable {
  /// The identity of a record; the class is `CKRecordID` because nested classes cannot be archived on Linux.
  public typealias ID = CKRecordID

  /// A link to a record; the class is `CKReference` because nested classes cannot be archived on Linux.
  public typealias Reference = CKReference

  /// The name of a type of records.
  public typealias RecordType = String

  /// The name of a value in a record.
  public typealias FieldKey = String

  private let storage: Mutex<RecordState>

  /// Makes a record; by default with a new ID in the default zone. Nothing is stored until it is saved.
  ///
  /// Stops the process if the type is empty or not a letter followed by letters, digits and underscores.
  public convenience init(recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()) {
    if let reason = ClientNameRules.problem(recordType: recordType) { raise(reason) }
    self.init(state: RecordState(recordType: recordType, recordID: recordID))
  }

  /// Makes a record with a new name in that zone.
  @available(*, deprecated, message: "Use init(recordType:recordID:) with a record ID in that zone")
  public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
    self.init(recordType: recordType, recordID: CKRecordID(zoneID: zoneID))
  }

  /// Makes a record with that state. Use ``make(state:)`` for a state that may belong to a share.
  package init(state: RecordState) {
    storage = Mutex(state)
    super.init()
  }

  /// Makes a record, or a share if the state belongs to one.
  package static func make(state: RecordState) -> CKRecord {
    state.shareState == nil ? CKRecord(state: state) : CKShare(state: state)
  }

  /// A copy of the record's state, including copies of a share's participants.
  package var state: RecordState { withState { $0 }.detached() }

  /// Reads or changes the state under the record's lock.
  package func withState<Result>(_ body: (inout RecordState) throws -> Result) rethrows -> Result {
    try storage.withLock { state in
      nonisolated(unsafe) let result = try body(&state)
      return result
    }
  }

  /// Adopts the server's system fields after a successful save, and clears the pending changes that `sent` contained.
  ///
  /// - Assumption: Apple refreshes the instance passed to a save; undocumented, but common code saves it again.
  package func adoptServerState(_ server: RecordState, sent: RecordState) {
    withState { $0.adopt(server: server, sent: sent) }
  }

  // MARK: System fields

  /// The identity of the record. It never changes.
  open var recordID: CKRecord.ID { withState { $0.recordID } }

  /// The type of the record. It never changes.
  open var recordType: CKRecord.RecordType { withState { $0.recordType } }

  /// The record's change tag, an opaque text that the server replaces at every change; nil until the record is saved or
  /// fetched.
  open var recordChangeTag: String? { withState { $0.changeTag } }

  /// The time of the first save; nil before.
  open var creationDate: Date? { withState { $0.creationDate } }

  /// The user of the first save; nil before. For the current user the name is `CKCurrentUserDefaultName`.
  open var creatorUserRecordID: CKRecord.ID? { withState { $0.creator } }

  /// The time of the last save; nil before the first.
  open var modificationDate: Date? { withState { $0.modificationDate } }

  /// The user of the last save; nil before the first save.
  ///
  /// - Assumption: for the current user the name is `CKCurrentUserDefaultName`.
  open var lastModifiedUserRecordID: CKRecord.ID? { withState { $0.lastModifier } }

  // MARK: Hierarchy

  /// The share that has this record as its root; nil for every other record, shared or not.
  ///
  /// Making a `CKShare` sets it. The server clears it when the share is deleted.
  ///
  /// - Assumption: nil, too, for the records of a zone that is shared as a whole.
  open var share: CKRecord.Reference? { withState { $0.share } }

  /// The parent of the record in its hierarchy. Sharing an ancestor shares this record as well.
  ///
  /// Setting a reference with an action other than `.none` stops the process. A missing parent makes the save fail with
  /// `referenceViolation`. ``changedKeys()`` does not include the parent.
  open var parent: CKRecord.Reference? {
    get { withState { $0.parent } }
    set {
      if let newValue, newValue.action != .none {
        raise("A parent reference must have the action CKReferenceActionNone")
      }
      withState { $0.setParent(newValue) }
    }
  }

  /// Sets ``parent`` to a reference to that record; nil clears it.
  open func setParent(_ parentRecord: CKRecord?) {
    setParent(parentRecord?.recordID)
  }

  /// Sets ``parent`` to a reference to the record with that ID; nil clears it.
  open func setParent(_ parentRecordID: CKRecord.ID?) {
    parent = parentRecordID.map { CKReference(recordID: $0, action: .none) }
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a record, or the system fields of one, from an archive; nil if the archive does not hold one.
  ///
  /// A record made from system fields has no values. A save sends only the values that are set afterwards.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(RecordState.Archive.self, forKey: Self.archiveKey),
      let state = RecordState(archive: archive)
    else { return nil }
    storage = Mutex(state)
    super.init()
  }

  /// Writes the whole record, with its pending changes, to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(state.archive(systemFieldsOnly: false), forKey: Self.archiveKey)
  }

  /// Writes the identity of the record and its version on the server to a keyed archive, without values and pending
  /// changes.
  ///
  /// - Assumption: parent and share belong to the system fields, and in a share the participants, the public
  ///   permission and the URL.
  open func encodeSystemFields(with coder: NSCoder) {
    coder.encodePayload(state.archive(systemFieldsOnly: true), forKey: Self.archiveKey)
  }

  static let archiveKey = "CKRecord"

  /// Returns an independent copy, including the change tag and pending changes.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKRecord.make(state: state)
  }

  /// The class, the address in memory, the type, the ID, the change tag and the values. Encrypted values are left out.
  open override var description: String { RecordDescription(self).text }

  // MARK: Values

  /// The value under that key; nil if there is no plain value.
  @discardableResult
  open func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    withState { $0.values[key] }?.object
  }

  /// Stores a copy of the value under that key and marks the key as changed; nil removes the value.
  ///
  /// Stops the process if the key is not a letter followed by letters, digits and underscores, if it is longer than 255
  /// characters, or if records cannot store the value. The schema is checked when the record is saved.
  open func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
    let value = checkedValue(object, forKey: key)
    withState { $0.set(value, forKey: key) }
  }

  /// The value under that key. Setting it works like ``setObject(_:forKey:)``.
  open subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    get { object(forKey: key) }
    set { setObject(newValue, forKey: key) }
  }

  /// The keys that have a value, plain or encrypted, in alphabetical order.
  @discardableResult
  open func allKeys() -> [CKRecord.FieldKey] {
    withState { state in (Array(state.values.keys) + Array(state.encryptedValues.keys)).sorted() }
  }

  /// The keys set since the record was made, fetched or saved, in alphabetical order, including those set to nil.
  @discardableResult
  open func changedKeys() -> [CKRecord.FieldKey] {
    withState { state in state.changedKeys.union(state.changedEncryptedKeys).sorted() }
  }

  func checkedValue(_ object: Any?, forKey key: CKRecord.FieldKey) -> ClientValue? {
    if let reason = ClientNameRules.problem(fieldKey: key, ofShare: self is CKShare) { raise(reason) }
    guard let object else { return nil }
    guard let value = ClientValue(object) else { raise(ClientValue.refusal(of: object), .invalidArgument) }
    return value
  }
}
