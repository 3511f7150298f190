import Foundation

/// The identity of a zone: its name and the user record name of its owner.
///
/// Two IDs are equal if both names are equal, byte for byte.
// Sendable: every stored property is a constant of a Sendable type.
open class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The name of the zone, unique among the zones of one owner in one database.
  public let zoneName: String

  /// The user record name of the zone's owner; `CKCurrentUserDefaultName` for the current user.
  public let ownerName: String

  /// Makes a zone ID; without arguments that of the current user's default zone.
  ///
  /// Stops the process if a name is empty or longer than 255 characters.
  ///
  /// - Difference: a leading underscore is judged at save, not here.
  public init(
    zoneName: String = CKRecordZone.ID.defaultZoneName, ownerName: String = CKCurrentUserDefaultName
  ) {
    if let reason = ClientNameRules.problem(zoneName: zoneName) ?? ClientNameRules.problem(ownerName: ownerName) {
      raise(reason)
    }
    self.zoneName = zoneName
    self.ownerName = ownerName
    super.init()
  }

  /// The name of the default zone, `_defaultZone`.
  public static let defaultZoneName = "_defaultZone"

  /// The ID of the current user's default zone.
  public static let `default` = CKRecordZoneID()

  // MARK: Equality

  /// True for an ID with the same zone and owner names.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecordZoneID else { return false }
    return other === self || (zoneName.isSameText(as: other.zoneName) && ownerName.isSameText(as: other.ownerName))
  }

  /// A hash of both names.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(text: zoneName)
    hasher.combine(text: ownerName)
    return hasher.finalize()
  }

  /// Both names.
  open override var description: String { "<CKRecordZoneID: \(text)>" }

  /// `zone:owner`, as in Apple's logs.
  var text: String { "\(zoneName):\(ownerName)" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an ID from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey), archive.isValid else { return nil }
    zoneName = archive.zoneName
    ownerName = archive.ownerName
    super.init()
  }

  /// Writes both names to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns the ID itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKRecordZoneID"
}

extension CKRecordZoneID {
  struct Archive: Codable {
    var zoneName: String
    var ownerName: String

    var isValid: Bool {
      ClientNameRules.problem(zoneName: zoneName) == nil && ClientNameRules.problem(ownerName: ownerName) == nil
    }
  }

  var archive: Archive { Archive(zoneName: zoneName, ownerName: ownerName) }

  convenience init?(archive: Archive) {
    self.init(validating: archive.zoneName, ownerName: archive.ownerName)
  }

  /// Makes an ID from names that were read, not passed by the app. Returns nil where the public initialiser stops the
  /// process.
  package convenience init?(validating zoneName: String, ownerName: String) {
    guard Archive(zoneName: zoneName, ownerName: ownerName).isValid else { return nil }
    self.init(zoneName: zoneName, ownerName: ownerName)
  }
}
