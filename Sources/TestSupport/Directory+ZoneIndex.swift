import CloudStore
import Platform
import Storage

extension Directory {
  /// The index of the zone whose folder this is.
  package func zoneIndex() throws -> IndexFile? {
    guard let bytes = try contents("zone.json"), let place = try directoryIfPresent(".index") else { return nil }
    let owner = try ZoneProperties.parse(bytes, path: path).indexOwner
    return try IndexFile.openIfPresent(in: place, name: "index", of: owner)
  }
}
