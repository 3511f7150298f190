import Foundation

/// A link from one record to another in the same zone.
///
/// Two references are equal if their IDs and actions are equal.
// Sendable: every stored property is a constant of a Sendable type.
open class CKReference: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The effect of deleting the target on the record that holds the reference.
  public typealias Action = CKRecord.ReferenceAction

  /// The ID of the target.
  public let recordID: CKRecord.ID

  /// The effect of deleting the target on the record that holds the reference.
  public let action: CKRecord.ReferenceAction

  /// Makes a reference to the record with that ID. The record need not exist yet.
  public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
    self.recordID = recordID
    self.action = action
    super.init()
  }

  /// Makes a reference to that record. The record need not be saved yet.
  public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
    self.init(recordID: record.recordID, action: action)
  }

  // MARK: Equality

  /// True for a reference with the same target and action.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKReference else { return false }
    return action == other.action && recordID.isEqual(other.recordID)
  }

  /// A hash of target and action.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(recordID.hash)
    hasher.combine(action)
    return hasher.finalize()
  }

  /// The target and the action.
  open override var description: String { "<CKReference: recordID=\(recordID.text), action=\(action.rawValue)>" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a reference from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey),
      let recordID = CKRecordID(archive: archive.recordID), let action = Action(rawValue: archive.action)
    else { return nil }
    self.recordID = recordID
    self.action = action
    super.init()
  }

  /// Writes target and action to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns the reference itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKReference"
}

extension CKReference {
  struct Archive: Codable {
    var recordID: CKRecordID.Archive
    var action: UInt
  }

  var archive: Archive { Archive(recordID: recordID.archive, action: action.rawValue) }

  convenience init?(archive: Archive) {
    guard let recordID = CKRecordID(archive: archive.recordID), let action = Action(rawValue: archive.action)
    else { return nil }
    self.init(recordID: recordID, action: action)
  }
}

extension CKRecord {
  /// The effect of deleting the target on the record that holds the reference.
  public enum ReferenceAction: UInt, Sendable {
    /// No effect: the reference is left dangling.
    case none = 0

    /// The record that holds the reference is deleted as well.
    case deleteSelf = 1
  }
}
