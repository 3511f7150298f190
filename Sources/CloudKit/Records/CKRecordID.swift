import Foundation

/// The identity of a record: its name and its zone.
///
/// Two IDs are equal if their names and zones are equal, byte for byte. The same ID may exist in several databases.
// Sendable: every stored property is a constant of a Sendable type.
open class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The name of the record, unique in its zone.
  public let recordName: String

  /// The zone that holds the record.
  public let zoneID: CKRecordZone.ID

  /// Makes an ID; by default with a new UUID as name, in the default zone.
  ///
  /// Stops the process if the name is empty or longer than 255 characters.
  ///
  /// - Assumption: any UTF-8 is accepted, as the header says, not only ASCII, as the documentation says; a leading
  ///   underscore is judged at save.
  public init(recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default) {
    if let reason = ClientNameRules.problem(recordName: recordName) { raise(reason) }
    self.recordName = recordName
    self.zoneID = zoneID
    super.init()
  }

  /// Makes the ID of a record in the default zone.
  ///
  /// Stops the process if the name is empty or longer than 255 characters.
  public convenience init(recordName: String) {
    self.init(recordName: recordName, zoneID: CKRecordZoneID.default)
  }

  // MARK: Equality

  /// True for an ID with the same name and zone.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecordID else { return false }
    return other === self || (recordName.isSameText(as: other.recordName) && zoneID.isEqual(other.zoneID))
  }

  /// A hash of the name and the zone.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(text: recordName)
    hasher.combine(zoneID.hash)
    return hasher.finalize()
  }

  /// The name and the zone.
  open override var description: String { "<CKRecordID: recordName=\(recordName), zoneID=\(zoneID.text)>" }

  /// `name:(zone:owner)`, as in Apple's logs.
  var text: String { "\(recordName):(\(zoneID.text))" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an ID from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey), archive.isValid,
      let zoneID = CKRecordZoneID(archive: archive.zoneID)
    else { return nil }
    recordName = archive.recordName
    self.zoneID = zoneID
    super.init()
  }

  /// Writes name and zone to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns the ID itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKRecordID"
}

extension CKRecordID {
  struct Archive: Codable {
    var recordName: String
    var zoneID: CKRecordZoneID.Archive

    var isValid: Bool { ClientNameRules.problem(recordName: recordName) == nil && zoneID.isValid }
  }

  var archive: Archive { Archive(recordName: recordName, zoneID: zoneID.archive) }

  convenience init?(archive: Archive) {
    guard let zoneID = CKRecordZoneID(archive: archive.zoneID) else { return nil }
    self.init(validating: archive.recordName, zoneID: zoneID)
  }

  /// Makes an ID from a name that was read, not passed by the app. Returns nil where the public initialiser stops the
  /// process.
  package convenience init?(validating recordName: String, zoneID: CKRecordZone.ID) {
    guard ClientNameRules.problem(recordName: recordName) == nil else { return nil }
    self.init(recordName: recordName, zoneID: zoneID)
  }
}
