import Foundation

/// The identity of a push. The copies of one push on several devices have equal IDs.
// Sendable: the only stored property is a constant of a Sendable type.
open class CKNotificationID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let text: String

  init(_ text: String) {
    self.text = text
    super.init()
  }

  /// True for the ID of the same push.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKNotificationID else { return false }
    return text == other.text
  }

  /// A hash of the ID.
  open override var hash: Int { text.hashValue }

  /// The UUID.
  open override var description: String { "<CKNotificationID: \(text)>" }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an ID from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey) else { return nil }
    text = archive.text
    super.init()
  }

  /// Writes the ID to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(Archive(text: text), forKey: Self.archiveKey)
  }

  /// Returns the ID itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private struct Archive: Codable {
    var text: String
  }

  private static let archiveKey = "CKNotificationID"
}
