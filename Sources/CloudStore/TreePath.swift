import LocalCloudStorage

/// A database of a container: the folder that contains its zones. Components are encoded file names.
package struct DatabasePath: Hashable, Sendable {
  package var container: ExactName
  package var environment: String
  /// `["public"]`, `["private", "alice"]` or `["shared", "alice"]`, not encoded.
  package var scope: [String]

  package init(container: ExactName, environment: String, scope: [String]) {
    self.container = container
    self.environment = environment
    self.scope = scope
  }

  package var components: [String] {
    ["containers", FileName.encode(container.string), environment] + scope.map(FileName.encode)
  }
}

package struct ZonePath: Hashable, Sendable {
  package var database: DatabasePath
  package var zone: ExactName

  package init(database: DatabasePath, zone: ExactName) {
    self.database = database
    self.zone = zone
  }

  package var fileName: String { FileName.encode(zone.string) }
  package var components: [String] { database.components + ["zones", fileName] }
}

/// The bases of the files that commits of zones change: the zone's own folder, or its container's folder, for example
/// for a pointer to the zone.
extension StorePath.Base {
  package static let zone = StorePath.Base("zone")
  package static let container = StorePath.Base("container")
  static let all = [zone, container]
}

extension StorePath {
  package static func record(_ name: ExactName) -> StorePath {
    StorePath(.zone, ["records", FileName.document(name.string)])
  }

  package static func shareLog(_ share: ExactName) -> StorePath {
    StorePath(.zone, ["shares", FileName.encode(share.string) + ".jsonl"])
  }

  /// A zone's key, sealed for its owner.
  package static let zoneKey = StorePath(.zone, [keys, "zone.json"])

  package static func recordKey(_ name: ExactName) -> StorePath {
    StorePath(.zone, [keys, "records", FileName.document(name.string)])
  }

  package static func shareKey(_ share: ExactName) -> StorePath {
    StorePath(.zone, [keys, "shares", FileName.document(share.string)])
  }

  /// The folder of keys; a zone without keys has none.
  static let keys = "keys"

  package static let changeLog = StorePath(.zone, ["changes.jsonl"])
  /// Whether it is one of the zone's logs. Only logs are compacted.
  var isLog: Bool { self == .changeLog || isShareLog }

  var isShareLog: Bool { base == .zone && components.count == 2 && components[0] == "shares" }

  var isRecord: Bool { base == .zone && components.count == 2 && components[0] == "records" }

  var isKey: Bool { base == .zone && components.first == Self.keys }

  package static let zoneProperties = StorePath(.zone, ["zone.json"])

  package init?(text: String) { self.init(text: text, bases: Base.all) }
}
