import LocalCloudObjectStore
import LocalCloudStorage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// A zone that is being made for a share, noted before the cloud is asked: if objects never come into it, because
/// something fails or the process ends, it is deleted again ([mirror-14]).
struct UnfinishedShare {
  let mirrored: MirroredStore
  let zone: ZoneHome

  private static let prefix = "making "
  private var key: String { Self.prefix + zone.key }

  func begin() throws { try mirrored.edit { try $0.setState(key, "zone", .string(zone.zone)) } }

  func end(_ edits: StoreEdits) throws { try edits.setState(key, "zone", nil) }

  func undo() throws {
    do {
      let _: CKRecordZone.ID = try mirrored.cloud.value { done in
        mirrored.database.delete(withRecordZoneID: zone.zoneID, completionHandler: done)
      }
    } catch let error as CKError where error.code == .zoneNotFound {
      // It was never made.
    }
    try mirrored.edit { try end($0) }
  }

  /// Undoes what an earlier process left.
  static func undoAll(_ mirrored: MirroredStore) throws {
    for row in try mirrored.read({ try $0.rows(prefix: prefix, in: .state) }) {
      guard let zone = row.values["zone"]?.string else { continue }
      try UnfinishedShare(mirrored: mirrored, zone: ZoneHome(zone: zone)).undo()
    }
  }
}
