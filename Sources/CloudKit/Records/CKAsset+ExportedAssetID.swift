import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

extension CKAsset {
  /// Names an asset that is in the cloud, for a copy by the server: see ``init(importing:)``. It is valid for a few
  /// days, on the device that made it.
  ///
  /// - Difference: Apple's Photos makes it, of an asset of its own. `LocalCloud.exportedAssetID` makes it here, of an
  ///   asset of any record that the account may read.
  public struct ExportedAssetID: Codable, Sendable {
    package let exported: ExportedAsset

    /// Exports an asset. Blocks on the disk and on locks.
    ///
    /// - Parameters:
    ///   - acting: determines the account, the device and the container.
    ///   - index: the asset's index in a list.
    package init(
      _ acting: ActingIdentity, _ key: CKRecord.FieldKey, at index: Int, of recordID: CKRecord.ID,
      in scope: CKDatabase.Scope
    ) throws(ServiceError) {
      let request = try Request(acting, scope: scope)
      exported = try request.service.records.exportAsset(
        key, at: index, of: request.translator.identifier(recordID), in: request.scope, by: request.caller)
    }

    /// Reads an identifier.
    public init(from decoder: any Decoder) throws { exported = try ExportedAsset(from: decoder) }

    /// Writes the identifier.
    public func encode(to encoder: any Encoder) throws { try exported.encode(to: encoder) }
  }
}
