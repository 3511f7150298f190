import Foundation

/// A user that may not request access to a share.
///
/// - Difference: there is no `contact`, as there is no Contacts framework.
// Sendable: every stored property is a constant of a Sendable type.
open class CKShareBlockedIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identity of the user: the name, and an address or a number.
  public let userIdentity: CKUserIdentity

  package init(userIdentity: CKUserIdentity) {
    self.userIdentity = userIdentity
    super.init()
  }

  // MARK: Equality

  /// True for the same person.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKShareBlockedIdentity else { return false }
    return other === self || userIdentity.isSamePerson(as: other.userIdentity)
  }

  /// A constant: people are equal if either of two attributes matches, so neither attribute can be hashed.
  open override var hash: Int { 0x434B_4249 }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a person from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    let archive = coder.decodePayload(CKUserIdentity.Archive.self, forKey: Self.archiveKey)
    guard let identity = archive.flatMap(CKUserIdentity.init(archive:)) else { return nil }
    userIdentity = identity
    super.init()
  }

  /// Writes the person to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(userIdentity.archive, forKey: Self.archiveKey)
  }

  /// Returns the person itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKShareBlockedIdentity"
}
