import Foundation

/// A point in the history of a zone or a database. Keep it, and pass it back to fetch only later changes.
///
/// The content is opaque. Tokens cannot be compared by age.
// Sendable: every stored property is a constant of a Sendable type.
open class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The content of the token, made by the server.
  package let data: Data

  /// A token with that content.
  package init(data: Data) {
    self.data = data
    super.init()
  }

  /// True for a token with the same content.
  ///
  /// - Assumption: Apple does not document when two tokens are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKServerChangeToken else { return false }
    return data == other.data
  }

  /// A hash of the content.
  open override var hash: Int { data.hashValue }

  /// The content in base 64.
  open override var description: String { "<CKServerChangeToken: data=\(data.base64EncodedString())>" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a token from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let content = coder.decodeContent(forKey: Self.archiveKey) else { return nil }
    data = content
    super.init()
  }

  /// Writes the token to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodeContent(data, forKey: Self.archiveKey)
  }

  /// Returns the token itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKServerChangeToken"
}
