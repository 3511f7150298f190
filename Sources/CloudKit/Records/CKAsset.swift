import Foundation
import LocalCloudModel

/// A file that belongs to a record.
///
/// Only the file's bytes are stored, not its name. Assets are equal only if they are the same object.
///
/// Fetching a record copies the bytes to a new file in the user's cache folder. The fetch fails with
/// `assetNotAvailable` if the copy cannot be made. Leave the key out of the desired keys to fetch the record without
/// the asset.
///
/// - Difference: the bytes are not encrypted, and lie in the cloud's folder as they are.
/// - Assumption: an asset that was fetched and is set again, under the same key or another one of the record, keeps its
///   bytes on the server, whatever became of the file; set under a key of another record, the file is read.
// Sendable: every stored property is a constant of a Sendable type.
open class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The location of the bytes: the file given by the app, or a downloaded copy. A copy may be removed at any time, so
  /// move it to keep it.
  ///
  /// Nil if the bytes were not downloaded, as in the server's record of a `serverRecordChanged` error, and for an asset
  /// that the server copies.
  ///
  /// - Assumption: until the record is fetched again, this is the URL given to the initialiser.
  public let fileURL: URL?

  /// The server's description of the bytes; nil for an asset that the app made.
  package let stored: StoredAsset?

  /// The asset that the server copies; nil for another asset.
  package let exported: ExportedAsset?

  /// Makes an asset from a file. Saving the record reads the file and does not move or change it.
  ///
  /// Stops the process if the URL is not a file URL. The file is checked when the record is saved: `assetFileNotFound`
  /// if it does not exist, `assetFileModified` if it changes during the save, `assetNotAvailable` if it cannot be read.
  public init(fileURL: URL) {
    guard fileURL.isFileURL else { raise("Non-file URL", .invalidArgument) }
    self.fileURL = fileURL
    stored = nil
    exported = nil
    super.init()
  }

  /// Makes an asset that the server copies when its record is saved, from an asset of another record, also of another
  /// container. It has no file: fetch the record for the bytes.
  ///
  /// The save fails with `unknownItem` if the exported asset no longer exists, and with `assetNotAvailable` on another
  /// device, for another account, or after a few days.
  public convenience init(importing exportedAssetID: ExportedAssetID) {
    self.init(fileURL: nil, stored: nil, exported: exportedAssetID.exported)
  }

  /// Makes an asset from the server's description, or one that the server copies.
  package init(fileURL: URL?, stored: StoredAsset?, exported: ExportedAsset? = nil) {
    self.fileURL = fileURL
    self.stored = stored
    self.exported = exported
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
    exported = archive.exported
    super.init()
  }

  /// Writes the location of the file, but not its bytes, to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  private static let archiveKey = "CKAsset"
}

extension CKAsset {
  struct Archive: Codable {
    var fileURL: String?
    var stored: StoredAsset?
    var exported: ExportedAsset?

    var url: URL? { fileURL.flatMap(URL.init(string:)) }

    /// Whether the URL is a file URL, or there is none.
    var isAsset: Bool { url?.isFileURL != false }
  }

  var archive: Archive { Archive(fileURL: fileURL?.absoluteString, stored: stored, exported: exported) }

  convenience init?(archive: Archive) {
    guard archive.isAsset else { return nil }
    self.init(fileURL: archive.url, stored: archive.stored, exported: archive.exported)
  }
}
