import Foundation
import Synchronization

/// A group of records in a database: the unit of atomic saves, of change tracking and of zone-wide sharing.
///
/// Every database except the shared one has a default zone. Custom zones belong to the private database and exist once
/// they are saved. Zones are equal only if they are the same object; compare their IDs.
// Sendable: the ID, capabilities and share are constants, the encryption scope is behind a mutex.
open class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identity of a zone; the class is `CKRecordZoneID` because nested classes cannot be archived on Linux.
  public typealias ID = CKRecordZoneID

  /// The identity of the zone.
  public let zoneID: CKRecordZone.ID

  /// The features of the zone on the server. They are meaningful only in a zone that was saved or fetched.
  ///
  /// - Assumption: a zone made locally reports none.
  /// - Assumption: a custom zone of the private database has all four, the default zone none, a zone of the shared
  ///   database `.fetchChanges` and `.atomic`; one with the encryption scope `.perZone` lacks `.sharing`.
  public let capabilities: CKRecordZone.Capabilities

  /// The zone-wide share of a zone that was fetched; nil without one, and in a zone made locally.
  ///
  /// - Assumption: nil in a zone that holds only shares of hierarchies.
  public let share: CKRecord.Reference?

  private let scope: Mutex<EncryptionScope>

  /// Makes a custom zone of the current user. It exists on the server once it is saved.
  ///
  /// Stops the process if the name is empty or longer than 255 characters.
  public convenience init(zoneName: String) {
    self.init(zoneID: CKRecordZoneID(zoneName: zoneName))
  }

  /// Makes a custom zone with that ID. It exists on the server once it is saved.
  public convenience init(zoneID: CKRecordZone.ID) {
    self.init(zoneID: zoneID, capabilities: [], share: nil, encryptionScope: .perRecord)
  }

  /// Makes a zone from the server's description.
  package init(
    zoneID: CKRecordZone.ID, capabilities: Capabilities, share: CKRecord.Reference?, encryptionScope: EncryptionScope
  ) {
    self.zoneID = zoneID
    self.capabilities = capabilities
    self.share = share
    scope = Mutex(encryptionScope)
    super.init()
  }

  /// The current user's default zone. It need not be saved, and has no capabilities.
  @discardableResult
  open class func `default`() -> CKRecordZone {
    CKRecordZone(zoneID: .default)
  }

  /// Whether records have their own keys or use that of the zone. Set it before the zone is first saved.
  ///
  /// The server refuses a later change with `serverRejectedRequest`. In a zone with `.perZone`, only the whole zone can
  /// be shared.
  ///
  /// - Assumption: in a zone with `.perZone` the share of a record is `invalidArguments`.
  open var encryptionScope: CKRecordZone.EncryptionScope {
    get { scope.withLock { $0 } }
    set { scope.withLock { $0 = newValue } }
  }

  /// The ID and the capabilities.
  open override var description: String {
    "<CKRecordZone: zoneID=\(zoneID.text), capabilities=\(capabilities.rawValue)>"
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a zone from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey), let content = archive.content
    else { return nil }
    zoneID = content.zoneID
    capabilities = Capabilities(rawValue: archive.capabilities)
    share = archive.share.flatMap(CKReference.init(archive:))
    scope = Mutex(content.scope)
    super.init()
  }

  /// Writes the whole zone to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  var archive: Archive {
    Archive(
      zoneID: zoneID.archive, capabilities: capabilities.rawValue, share: share?.archive,
      encryptionScope: encryptionScope.rawValue)
  }

  /// Nil if the archive does not hold a zone.
  convenience init?(archive: Archive) {
    guard let content = archive.content else { return nil }
    self.init(
      zoneID: content.zoneID, capabilities: Capabilities(rawValue: archive.capabilities),
      share: archive.share.flatMap(CKReference.init(archive:)), encryptionScope: content.scope)
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKRecordZone(zoneID: zoneID, capabilities: capabilities, share: share, encryptionScope: encryptionScope)
  }

  struct Archive: Codable {
    var zoneID: CKRecordZoneID.Archive
    var capabilities: UInt
    var share: CKReference.Archive?
    var encryptionScope: Int

    /// The content; nil if it is invalid for a zone.
    fileprivate var content: (zoneID: CKRecordZoneID, scope: EncryptionScope)? {
      guard let zoneID = CKRecordZoneID(archive: zoneID), let scope = EncryptionScope(rawValue: encryptionScope) else {
        return nil
      }
      return (zoneID, scope)
    }
  }

  private static let archiveKey = "CKRecordZone"
}
