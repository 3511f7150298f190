import CloudModel
import CloudStore

/// Which bytes a save may put into a record ([record-asset-5]).
extension ZoneBatch {
  /// A value as its record will hold it: every asset by the zone's name for its bytes.
  ///
  /// Whoever names bytes without bringing them gets those that the same record holds, and no others: names are no secret.
  ///
  /// - Assumption: a save that names bytes that its record does not hold, and brings none, is `assetNotAvailable`.
  func placingAssets(of value: FieldValue, _ key: String, in stored: StoredRecord?) throws -> FieldValue {
    if !value.canHoldAssets { return value }
    let held = stored?.assets ?? []
    return try value.mappingAssets { asset in
      if let name = asset.name, held.contains(name) { return AssetValue(name: name) }
      guard let file = asset.file, let assets else { throw ServiceError.assetNotAvailable(key) }
      guard let upload = try assets.upload(of: file) else {
        assets.want(file)
        return AssetValue()
      }
      return AssetValue(name: try transaction.asset(upload))
    }
  }
}
