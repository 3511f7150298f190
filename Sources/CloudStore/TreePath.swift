import Storage

/// A database of a container: the folder under which its zones lie. Components are encoded file names.
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

/// A file that a commit changes: in the zone's own folder, or elsewhere in its container. Each has exactly one zone whose
/// commits write it, so that replaying that zone's journal can never undo another zone's work.
package struct FilePath: Hashable, Sendable {
  package enum Base: String, Sendable {
    case zone
    case container
  }

  package var base: Base
  /// Encoded file names.
  package var components: [String]

  package init(_ base: Base, _ components: [String]) {
    self.base = base
    self.components = components
  }

  package static func record(_ name: ExactName) -> FilePath {
    FilePath(.zone, ["records", FileName.document(name.string)])
  }

  package static func shareLog(_ share: ExactName) -> FilePath {
    FilePath(.zone, ["shares", FileName.encode(share.string) + ".jsonl"])
  }

  /// A zone's key, sealed for its owner.
  package static let zoneKey = FilePath(.zone, [keys, "zone.json"])

  package static func recordKey(_ name: ExactName) -> FilePath {
    FilePath(.zone, [keys, "records", FileName.document(name.string)])
  }

  package static func shareKey(_ share: ExactName) -> FilePath {
    FilePath(.zone, [keys, "shares", FileName.document(share.string)])
  }

  /// The folder of keys; a zone without any has none.
  static let keys = "keys"

  package static let changeLog = FilePath(.zone, ["changes.jsonl"])
  /// Whether it is one of the zone's logs, which alone are compacted.
  var isLog: Bool { self == .changeLog || isShareLog }

  var isShareLog: Bool { base == .zone && components.count == 2 && components[0] == "shares" }

  var isRecord: Bool { base == .zone && components.count == 2 && components[0] == "records" }

  var isKey: Bool { base == .zone && components.first == Self.keys }

  package static let zoneProperties = FilePath(.zone, ["zone.json"])

  var text: String {
    var text = base.rawValue
    text.reserveCapacity(components.reduce(text.utf8.count) { $0 + 1 + $1.utf8.count })
    for component in components {
      text += "/"
      text += component
    }
    return text
  }

  init?(text: String) {
    var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
    guard parts.count >= 2, let base = Base(rawValue: String(Substring(parts.removeFirst()))),
      parts.allSatisfy({ !$0.isEmpty && !$0.contains(0) })
    else { return nil }
    let components = parts.map { String(Substring($0)) }
    guard components.allSatisfy({ $0 != "." && $0 != ".." }) else { return nil }
    self.init(base, components)
  }
}
