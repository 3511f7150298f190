import Foundation

/// A file that belongs to a record.
///
/// Only the file's bytes are stored, not its name. Assets are equal only if they are the same object.
///
/// A record that is fetched brings a copy of the bytes in a new file of the user's cache folder, and fails to be fetched
/// with `assetNotAvailable` if there is none to be had. Leave the key out of the desired keys to fetch the record without
/// it.
///
/// - Difference: the bytes are not encrypted, and lie in the cloud's folder as they are.
/// - Assumption: an asset that was fetched and is set again, under the same key or another one of the record, keeps its
///   bytes on the server, whatever became of the file; set under a key of another record, the file is read.
// Sendable: every stored property is a constant of a Sendable type.
open class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
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
  /// Stops the process if the URL is not a file URL. What is wrong with the file is found at save: `assetFileNotFound` if
  /// there is none, `assetFileModified` if it changes meanwhile, `assetNotAvailable` if it can't be read.
  public init(fileURL: URL) {
    guard fileURL.isFileURL else { raise("Non-file URL", .invalidArgument) }
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

  // MARK: Coding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an asset from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey), archive.isAsset else { return nil }
    fileURL = archive.url
    stored = archive.stored
    super.init()
  }

  /// Writes to a keyed archive where the file is, not its bytes.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  private static let archiveKey = "CKAsset"
}

extension CKAsset {
  struct Archive: Codable {
    var fileURL: String?
    var stored: StoredAsset?

    var url: URL? { fileURL.flatMap(URL.init(string:)) }

    /// No asset's URL leads elsewhere than to a file.
    var isAsset: Bool { url?.isFileURL != false }
  }

  var archive: Archive { Archive(fileURL: fileURL?.absoluteString, stored: stored) }

  convenience init?(archive: Archive) {
    guard archive.isAsset else { return nil }
    self.init(fileURL: archive.url, stored: archive.stored)
  }
}
