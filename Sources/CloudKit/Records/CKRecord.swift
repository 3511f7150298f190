import Foundation
import Synchronization

/// Keys and values that CloudKit stores as one unit, with an identity and what the server knows about it.
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

  /// A record with that state; see ``make(state:)`` for one that may be a share.
  package init(state: RecordState) {
    storage = Mutex(state)
    super.init()
  }

  /// A record, or a share if the state is one.
  package static func make(state: RecordState) -> CKRecord {
    state.shareState == nil ? CKRecord(state: state) : CKShare(state: state)
  }

  /// A copy of all that the record holds; a share's participants are copies too.
  package var state: RecordState { withState { $0 }.detached() }

  /// Reads or changes the state while no other thread can.
  package func withState<Result>(_ body: (inout RecordState) throws -> Result) rethrows -> Result {
    try storage.withLock { state in
      nonisolated(unsafe) let result = try body(&state)
      return result
    }
  }

  /// After a successful save: takes over the server's system fields, and forgets the changes that `sent` contained.
  ///
  /// - Assumption: Apple refreshes the instance passed to a save; undocumented, but common code saves it again.
  package func adoptServerState(_ server: RecordState, sent: RecordState) {
    withState { $0.adopt(server: server, sent: sent) }
  }

  // MARK: System fields

  /// The identity of the record, fixed for life.
  open var recordID: CKRecord.ID { withState { $0.recordID } }

  /// The type of the record, fixed for life.
  open var recordType: CKRecord.RecordType { withState { $0.recordType } }

  /// An opaque text that the server renews at every change of the record; nil until it was saved or fetched.
  open var recordChangeTag: String? { withState { $0.changeTag } }

  /// When the record was first saved; nil before.
  open var creationDate: Date? { withState { $0.creationDate } }

  /// Who saved the record first; nil before. For the current user the name is `CKCurrentUserDefaultName`.
  open var creatorUserRecordID: CKRecord.ID? { withState { $0.creator } }

  /// When the record was last saved; nil before the first time.
  open var modificationDate: Date? { withState { $0.modificationDate } }

  /// Who saved the record last; nil before the first time.
  ///
  /// - Assumption: for the current user the name is `CKCurrentUserDefaultName`.
  open var lastModifiedUserRecordID: CKRecord.ID? { withState { $0.lastModifier } }

  // MARK: Hierarchy

  /// The share of which this record is the root; nil for every other record, shared or not.
  ///
  /// It is set by making a `CKShare`, and cleared by the server when the share is deleted.
  ///
  /// - Assumption: nil, too, for the records of a zone that is shared as a whole.
  open var share: CKRecord.Reference? { withState { $0.share } }

  /// The record above this one in its hierarchy: it is shared with what it hangs below.
  ///
  /// Stops the process if set to a reference with another action than `.none`. A missing parent is found at save:
  /// `referenceViolation`. Not part of ``changedKeys()``.
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
  /// A record made of system fields has no values; only what is set in it afterwards is sent when it is saved.
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

  /// Writes what identifies the record and its version on the server, without values and pending changes.
  ///
  /// - Assumption: parent and share belong to the system fields, and in a share the participants, the public
  ///   permission and the URL.
  open func encodeSystemFields(with coder: NSCoder) {
    coder.encodePayload(state.archive(systemFieldsOnly: true), forKey: Self.archiveKey)
  }

  static let archiveKey = "CKRecord"

  /// Returns an independent copy: values, change tag and pending changes.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKRecord.make(state: state)
  }

  /// ID, change tag and type, without the values.
  open override var description: String {
    let state = state
    return "<\(type(of: self)): recordID=\(state.recordID.text), recordChangeTag=\(state.changeTag ?? "nil"), "
      + "recordType=\(state.recordType)>"
  }

  // MARK: Values

  /// The value under that key; nil if there is none, or only an encrypted one.
  @discardableResult
  open func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    withState { $0.values[key] }?.object
  }

  /// Stores a copy of the value under that key and marks the key as changed; nil removes the value.
  ///
  /// Stops the process if the key is not a letter followed by letters, digits and underscores, if it is longer than
  /// 255 characters, or if records cannot store the value. That it fits the schema is checked at save.
  open func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
    let value = checkedValue(object, forKey: key)
    withState { $0.set(value, forKey: key) }
  }

  /// The value under that key; set it as with ``setObject(_:forKey:)``.
  open subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    get { object(forKey: key) }
    set { setObject(newValue, forKey: key) }
  }

  /// The keys that have a value, plain or encrypted, in alphabetical order.
  @discardableResult
  open func allKeys() -> [CKRecord.FieldKey] {
    withState { state in (Array(state.values.keys) + Array(state.encryptedValues.keys)).sorted() }
  }

  /// The keys set since the record was made, fetched or saved, in alphabetical order; also those set to nil.
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
