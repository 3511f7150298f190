import Foundation

// NOTE: Apple's name is CKQueryOperation.Cursor; the class CKQueryOperation has it as a typealias.

/// The position where a query left off. Pass it back to fetch the next results.
// Sendable: every stored property is a constant of a Sendable type.
open class CKQueryCursor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The content of the cursor, made by the server.
  package let data: Data

  /// A cursor with that content.
  package init(data: Data) {
    self.data = data
    super.init()
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a cursor from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let content = coder.decodeContent(forKey: Self.archiveKey) else { return nil }
    data = content
    super.init()
  }

  /// Writes the cursor to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodeContent(data, forKey: Self.archiveKey)
  }

  /// Returns the cursor itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private static let archiveKey = "CKQueryCursor"
}
