import Foundation

/// A file that belongs to a record.
///
/// Only the file's bytes are stored, not its name. Assets are equal only if they are the same object.
// Sendable: every stored property is a constant of a Sendable type.
open class CKAsset: NSObject, @unchecked Sendable {
  /// Where the bytes are: the file given by the app, or a downloaded copy that may vanish at any time, so move it.
  ///
  /// Nil if the bytes were not downloaded, as in the server's record of a `serverRecordChanged` error.
  ///
  /// - Assumption: until the record is fetched again, this is the URL given to the initialiser.
  public let fileURL: URL?

  /// What the server knows of the bytes; nil for an asset that the app made.
  package let stored: StoredAsset?

  /// Makes an asset from a file, which is read when the record is saved and then left in place.
  ///
  /// Stops the process if the URL is not a file URL. A missing file is found at save: `assetFileNotFound`.
  public init(fileURL: URL) {
    guard fileURL.isFileURL else { raise("CKAsset must be initialized with a file URL: \(fileURL)") }
    self.fileURL = fileURL
    stored = nil
    super.init()
  }

  /// An asset as the server described it.
  package init(fileURL: URL?, stored: StoredAsset?) {
    self.fileURL = fileURL
    self.stored = stored
    super.init()
  }

  /// The URL of the file.
  open override var description: String { "<CKAsset: fileURL=\(fileURL?.absoluteString ?? "nil")>" }
}
