import LocalCloudObjectStore
import LocalCloudStorage

/// A zone that is being created for a share. The store records it before the cloud's zone is created: if no objects are
/// moved into the zone, because a step fails or the process ends, it is deleted again ([mirror-14]).
struct UnfinishedShare {
  let mirrored: MirroredStore
  let zone: ZoneLocation

  private static let prefix = "making "
  private var key: String { Self.prefix + zone.key }

  func begin() throws { try mirrored.edit { try $0.setState(key, "zone", .string(zone.zone)) } }

  func end(_ edits: StoreTransaction) throws { try edits.setState(key, "zone", nil) }

  func undo() throws {
    try mirrored.deleteZone(zone)
    try mirrored.edit { try end($0) }
  }

  /// Deletes the zones that an earlier process left unfinished.
  static func undoAll(_ mirrored: MirroredStore) throws {
    for row in try mirrored.read({ try $0.rows(prefix: prefix, in: .state) }) {
      guard let zone = row.values["zone"]?.string else { continue }
      try UnfinishedShare(mirrored: mirrored, zone: ZoneLocation(zone: zone)).undo()
    }
  }
}
