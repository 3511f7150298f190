import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

extension Request {
  /// Converts a record, copying its assets to files of this process. `progress` gets the fraction done, always less
  /// than 1, and returns whether to continue; false throws `operationCancelled`.
  func record(_ record: Record, progress: ((Double) -> Bool)? = nil) throws(ServiceError) -> CKRecord {
    try translator.record(try staged(record, progress: progress))
  }

  func staged(_ record: Record, progress: ((Double) -> Bool)? = nil) throws(ServiceError) -> Record {
    let total = record.fields.values.flatMap(\.assets).reduce(0) { $0 + ($1.name?.size ?? 0) }
    var (done, reported) = (0, 0.0)
    return try record.mappingAssets { (asset) throws(ServiceError) in
      var asset = asset
      guard asset.content != nil else { return asset }
      asset.file = try AssetStaging.copy(asset) { count in
        done += count
        let fraction = Double(done) / Double(max(total, 1))
        guard let progress, fraction < 1, fraction - reported >= 0.01 else { return }
        reported = fraction
        if !progress(fraction) { throw ServiceError.cancelled }
      }
      asset.content = nil
      return asset
    }
  }
}
