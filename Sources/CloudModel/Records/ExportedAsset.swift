import LocalCloudStorage

/// Names an asset of a record, for a save that copies it on the server ([record-asset-8]). The parts are texts and
/// numbers, because an app may store them and pass them on.
package struct ExportedAsset: Sendable, Hashable, Codable {
  /// How long it is valid, in milliseconds.
  ///
  /// - Assumption: three days; Apple says "a few days".
  package static let lifetime: Int64 = 3 * 24 * 60 * 60 * 1000

  package var container: String
  package var environment: String
  package var scope: Int
  package var zone: String
  /// The zone's owner; nil for the caller.
  package var owner: String?
  package var record: String
  package var key: String
  /// The server's name for the bytes.
  package var fileChecksum: String
  /// The device that it is valid on.
  package var device: String
  /// When it was made, in milliseconds since 1970.
  package var created: Int64

  package init(
    _ content: ContentName, key: String, of record: RecordIdentifier, in scope: DatabaseScope, by caller: Caller,
    on device: String, created: Int64
  ) {
    container = caller.container
    environment = caller.environment.rawValue
    self.scope = scope.rawValue
    zone = record.zone.name.string
    owner = record.zone.owner
    self.record = record.name.string
    self.key = key
    fileChecksum = "\(content)"
    self.device = device
    self.created = created
  }

  /// The record that holds the asset.
  package var identifier: RecordIdentifier {
    RecordIdentifier(name: ExactName(record), zone: ZoneIdentifier(name: ExactName(zone), owner: owner))
  }
}
