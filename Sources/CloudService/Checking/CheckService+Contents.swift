import LocalCloudModel
import LocalCloudStore

/// One database and its zones, as `status` lists them.
package struct DatabaseContents: Sendable, Hashable {
  package var container: String
  package var environment: String
  package var scope: DatabaseScope
  /// Nil for the public database.
  package var account: String?
  /// In a shared database: the zones of other owners with shares that the account accepted.
  package var zones: [ZoneIdentifier]
}

extension CheckService {
  /// Lists every database, without reading records.
  package func contents() throws(ServiceError) -> [DatabaseContents] {
    try perform(.administration, by: nil) {
      var result: [DatabaseContents] = []
      for container in try cloud.containers().sorted() {
        try cloud.forEachDatabase(of: container) { folder in
          guard let scope = folder.path.scope.first.flatMap(DatabaseScope.init(name:)) else { return }
          let zones =
            try scope == .shared
            ? folder.pointers().compactMap { SharedZonePointer($0)?.zone }
            : folder.zones().map { ZoneIdentifier(name: $0) }
          result.append(
            DatabaseContents(
              container: container.string, environment: folder.path.environment, scope: scope,
              account: folder.path.scope.dropFirst().first, zones: zones))
        }
      }
      return result
    }
  }
}
