import Foundation

/// The information for looking up a person: an email address, a phone number or a user record ID.
///
/// Two infos are equal if they hold the same address, number or ID.
// Sendable: every stored property is a constant of a Sendable type.
open class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The email address; nil if the info holds another kind of address.
  public let emailAddress: String?

  /// The phone number; nil if the info holds another kind of address.
  public let phoneNumber: String?

  /// The user record ID; nil if the info holds an address or a number.
  public let userRecordID: CKRecord.ID?

  /// Looks up a person by e-mail address. The address is checked when it is used.
  public init(emailAddress: String) {
    self.emailAddress = emailAddress
    phoneNumber = nil
    userRecordID = nil
    super.init()
  }

  /// Looks up a person by phone number. The number is checked when it is used.
  public init(phoneNumber: String) {
    emailAddress = nil
    self.phoneNumber = phoneNumber
    userRecordID = nil
    super.init()
  }

  /// Looks up a person by the ID of the user record.
  public init(userRecordID: CKRecord.ID) {
    emailAddress = nil
    phoneNumber = nil
    self.userRecordID = userRecordID
    super.init()
  }

  /// Makes one info for each address.
  @discardableResult
  open class func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
    emails.map { CKUserIdentityLookupInfo(emailAddress: $0) }
  }

  /// Makes one info for each number.
  @discardableResult
  open class func lookupInfos(withPhoneNumbers phoneNumbers: [String]) -> [CKUserIdentity.LookupInfo] {
    phoneNumbers.map { CKUserIdentityLookupInfo(phoneNumber: $0) }
  }

  /// Makes one info for each user record ID.
  @discardableResult
  open class func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
    recordIDs.map { CKUserIdentityLookupInfo(userRecordID: $0) }
  }

  // MARK: Equality

  /// True for an info with the same address, number or ID.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKUserIdentityLookupInfo else { return false }
    return emailAddress == other.emailAddress && phoneNumber == other.phoneNumber && userRecordID == other.userRecordID
  }

  /// A hash of the address, number or ID.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(emailAddress)
    hasher.combine(phoneNumber)
    hasher.combine(userRecordID?.hash)
    return hasher.finalize()
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an info from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey), archive.isValid else { return nil }
    emailAddress = archive.emailAddress
    phoneNumber = archive.phoneNumber
    userRecordID = archive.userRecordID.flatMap(CKRecordID.init(archive:))
    super.init()
  }

  /// Writes the info to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns the info itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKUserIdentityLookupInfo"
}

extension CKUserIdentityLookupInfo {
  struct Archive: Codable {
    var emailAddress: String?
    var phoneNumber: String?
    var userRecordID: CKRecordID.Archive?

    /// Whether exactly one of the three is set, and a set ID is valid.
    var isValid: Bool {
      let count = [emailAddress != nil, phoneNumber != nil, userRecordID != nil].count { $0 }
      return count == 1 && userRecordID?.isValid != false
    }
  }

  var archive: Archive {
    Archive(emailAddress: emailAddress, phoneNumber: phoneNumber, userRecordID: userRecordID?.archive)
  }

  convenience init?(archive: Archive) {
    guard archive.isValid else { return nil }
    if let emailAddress = archive.emailAddress {
      self.init(emailAddress: emailAddress)
    } else if let phoneNumber = archive.phoneNumber {
      self.init(phoneNumber: phoneNumber)
    } else if let userRecordID = archive.userRecordID.flatMap(CKRecordID.init(archive:)) {
      self.init(userRecordID: userRecordID)
    } else {
      return nil
    }
  }
}
