import LocalCloudCloudKitImport
import LocalCloudEmulator

extension LocalCloud {
  /// Exports an asset of a record, so that the server copies it into another record: on this device, in this program or
  /// another one, in this container or another one. The bytes do not pass through the device.
  ///
  /// ```swift
  /// let exported = try LocalCloud.exportedAssetID(forKey: "photo", of: recordID)
  /// other["photo"] = CKAsset(importing: exported)
  /// try await database.save(other)
  /// ```
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Difference: not Apple's; it stands for `PHAssetResourceManager.exportedAssetID(for:)` of Photos.
  ///
  /// - Parameters:
  ///   - key: the key of the asset, or of a list of assets.
  ///   - index: the asset's index in the list.
  ///   - recordID: the record; in the shared database its zone names its owner.
  ///   - scope: the database.
  ///   - container: the container; nil for the default container.
  /// - Throws: a `CKError`: `unknownItem` without such a record or asset, and as a fetch throws it.
  public static func exportedAssetID(
    forKey key: CKRecord.FieldKey, at index: Int = 0, of recordID: CKRecord.ID, in scope: CKDatabase.Scope = .private,
    container: CKContainer? = nil
  ) throws -> CKAsset.ExportedAssetID {
    let identity = container?.identity ?? .standard(ActingIdentity.current)
    do {
      return try CKAsset.ExportedAssetID(
        identity.acting(now: ActingIdentity.current), key, at: index, of: recordID, in: scope)
    } catch {
      throw CKError.wrapping(error, container: identity.container)
    }
  }
}
