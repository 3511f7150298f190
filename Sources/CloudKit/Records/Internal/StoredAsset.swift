/// The server's description of the bytes of an asset.
package struct StoredAsset: Sendable, Equatable, Codable {
  package var fileChecksum: String
  package var size: Int64
  package var downloadURL: String?

  package init(fileChecksum: String, size: Int64, downloadURL: String? = nil) {
    self.fileChecksum = fileChecksum
    self.size = size
    self.downloadURL = downloadURL
  }
}
