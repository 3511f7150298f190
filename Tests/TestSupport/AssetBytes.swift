import LocalCloudModel
import LocalCloudPlatform

extension AssetValue {
  /// All bytes of an asset that was fetched with its contents.
  package func bytes() throws(ServiceError) -> [UInt8] {
    var result: [UInt8] = []
    try read { result += $0 }
    return result
  }
}

/// The asset and upload files of a zone, read directly from its folders.
package struct AssetFolders {
  package let assets: [String]
  package let uploads: [String]

  package init(inZoneAt path: String) throws {
    assets = try Self.names(path + "/assets")
    uploads = try Self.names(path + "/.journal/uploads")
  }

  /// Reads the folders of a zone of Alice's in a ``TemporaryCloud``.
  package init(of zone: String, in root: String) throws {
    try self.init(
      inZoneAt: "\(root)/containers/\(TemporaryCloud.container)/development/private/alice/zones/\(zone)")
  }

  private static func names(_ path: String) throws(SystemError) -> [String] {
    do { return try Directory.open(path: path, in: FileSystem()).entries().map(\.name) } catch  where error.isMissing {
      return []
    }
  }
}
