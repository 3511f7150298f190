import Foundation
import LocalCloudCloudKitImport
import LocalCloudPlatform

/// Creates the record types and fields of a model in the schema: saves records with values in all fields, and deletes
/// them.
///
/// The records are in a separate zone that no mirroring reads. The zone is deleted with them.
struct SchemaInitialization {
  private static let zoneID = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.schema")

  private let mapping: RecordMapping

  init(_ mapping: RecordMapping) { self.mapping = mapping }

  /// The records, without a request to the cloud. The file of all assets is `/dev/null`.
  func dryRun() -> [CKRecord] {
    RepresentativeRecords(mapping, in: Self.zoneID).make { _ in CKAsset(fileURL: URL(fileURLWithPath: "/dev/null")) }
  }

  /// Uploads the records and deletes them. Blocks until it is done.
  func run(_ cloud: BlockingCloud) throws -> [CKRecord] {
    let database = cloud.container.privateCloudDatabase
    let assets = ExportAssets()
    defer { withExtendedLifetime(assets) {} }
    let records = try RepresentativeRecords(mapping, in: Self.zoneID).make(asset: assets.asset)
    let _: CKRecordZone = try cloud.value { done in
      database.save(CKRecordZone(zoneID: Self.zoneID), completionHandler: done)
    }
    // The zone is deleted even if the schema refuses a field.
    let saved = Result {
      for batch in records.chunks(of: 100).map(Array.init) {
        let results: [CKRecord.ID: Result<CKRecord, any Error>] = try cloud.wait { done in
          database.modifyRecords(saving: batch, savePolicy: .allKeys, atomically: true) {
            done($0.map(\.saveResults))
          }
        }
        // If a batch is refused, each record has an error; only the error of the record that caused it names the
        // reason.
        let errors = results.values.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if let cause = errors.first(where: { ($0 as? CKError)?.code != .batchRequestFailed }) ?? errors.first {
          throw cause
        }
      }
    }
    let _: CKRecordZone.ID = try cloud.value { done in
      database.delete(withRecordZoneID: Self.zoneID, completionHandler: done)
    }
    try saved.get()
    return records
  }
}

extension MirroringEngine {
  /// Creates the record types and fields of the store's model in the schema of the container. Blocks until it is done.
  ///
  /// - Parameter isDryRun: returns the records without a request to the cloud.
  /// - Returns: the records that were saved for this and deleted again.
  /// - Throws: the cloud's error, for example if the schema refuses a field.
  package func initializeSchema(isDryRun: Bool) throws -> [CKRecord] {
    let initialization = SchemaInitialization(mirrored.mapping)
    if isDryRun { return initialization.dryRun() }
    return try initialization.run(
      BlockingCloud(container.containerIdentifier ?? "", acting: container.identity.captured))
  }
}
