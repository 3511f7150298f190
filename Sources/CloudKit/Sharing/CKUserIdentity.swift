import Foundation

/// The identity of a participant of a share.
// Sendable: every stored property is a constant of a Sendable type.
open class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The information for looking up a person; the class is `CKUserIdentityLookupInfo` because nested classes cannot be
  /// archived on Linux.
  public typealias LookupInfo = CKUserIdentityLookupInfo

  /// The ID of the person's user record; nil until the person is matched to an account.
  ///
  /// - Assumption: the current user's name is `CKCurrentUserDefaultName`, others have their real one.
  /// - Difference: an account has the same name in every container, where iCloud gives it one for each.
  public let userRecordID: CKRecord.ID?

  /// The address, number or ID that the invitation used; nil for people that joined by a link.
  ///
  /// - Assumption: nil for participants that joined by a public link or a link for one person.
  public let lookupInfo: CKUserIdentity.LookupInfo?

  /// The name of the person, as far as known.
  public let nameComponents: PersonNameComponents?

  /// Whether the person is known to have an account.
  public let hasiCloudAccount: Bool

  /// The identifiers of the person's cards in Contacts.
  ///
  /// - Difference: always empty.
  @available(*, deprecated)
  open var contactIdentifiers: [String] { [] }

  /// Makes an identity from the server's description.
  package init(
    userRecordID: CKRecord.ID? = nil, lookupInfo: CKUserIdentity.LookupInfo? = nil,
    nameComponents: PersonNameComponents? = nil, hasiCloudAccount: Bool
  ) {
    self.userRecordID = userRecordID
    self.lookupInfo = lookupInfo
    self.nameComponents = nameComponents
    self.hasiCloudAccount = hasiCloudAccount
    super.init()
  }

  /// Whether the user record IDs or the lookup infos match. An unknown ID or info matches nothing.
  func isSamePerson(as other: CKUserIdentity) -> Bool {
    if let userRecordID, let other = other.userRecordID, userRecordID.isEqual(other) { return true }
    if let lookupInfo, let other = other.lookupInfo, lookupInfo.isEqual(other) { return true }
    return false
  }

  // MARK: Equality

  /// True if user record ID, lookup info, name and account are the same.
  ///
  /// - Assumption: Apple does not document when two identities are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKUserIdentity else { return false }
    return userRecordID == other.userRecordID && lookupInfo == other.lookupInfo
      && nameComponents == other.nameComponents && hasiCloudAccount == other.hasiCloudAccount
  }

  /// A hash of user record ID and lookup info.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(userRecordID?.hash)
    hasher.combine(lookupInfo?.hash)
    return hasher.finalize()
  }

  /// The class, the user record ID and whether there is an account, without name and address.
  open override var description: String {
    "<CKUserIdentity: userRecordID=\(userRecordID?.text ?? "nil"), hasiCloudAccount=\(hasiCloudAccount)>"
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an identity from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey),
      let identity = CKUserIdentity(archive: archive)
    else { return nil }
    userRecordID = identity.userRecordID
    lookupInfo = identity.lookupInfo
    nameComponents = identity.nameComponents
    hasiCloudAccount = identity.hasiCloudAccount
    super.init()
  }

  /// Writes the identity to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns the identity itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKUserIdentity"
}

extension CKUserIdentity {
  struct Archive: Codable {
    var userRecordID: CKRecordID.Archive?
    var lookupInfo: CKUserIdentityLookupInfo.Archive?
    var nameComponents: PersonNameComponents?
    var hasiCloudAccount: Bool
  }

  var archive: Archive {
    Archive(
      userRecordID: userRecordID?.archive, lookupInfo: lookupInfo?.archive, nameComponents: nameComponents,
      hasiCloudAccount: hasiCloudAccount)
  }

  convenience init?(archive: Archive) {
    var userRecordID: CKRecordID?
    if let archived = archive.userRecordID {
      guard let recordID = CKRecordID(archive: archived) else { return nil }
      userRecordID = recordID
    }
    var lookupInfo: CKUserIdentityLookupInfo?
    if let archived = archive.lookupInfo {
      guard let info = CKUserIdentityLookupInfo(archive: archived) else { return nil }
      lookupInfo = info
    }
    self.init(
      userRecordID: userRecordID, lookupInfo: lookupInfo, nameComponents: archive.nameComponents,
      hasiCloudAccount: archive.hasiCloudAccount)
  }
}
