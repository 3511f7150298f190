import LocalCloudStorage

/// A mention of a zone in a database's log, written before the zone's commit. This store adds it to a journal's
/// entries, so that the line can be repeated if a power cut may have lost it.
struct ZoneMention: Sendable, Equatable {
  var database: DatabasePath
  var zone: ExactName
  var owner: ExactName?
  var fields: JSONObject = [:]
}

extension ZoneMention {
  init?(_ item: JSONValue) {
    guard let container = item["container"]?.string, let environment = item["environment"]?.string,
      let scope = item["scope"]?.array?.compactMap(\.string), !scope.isEmpty,
      let zone = item["zone"]?.string, let fields = item["fields"]?.object
    else { return nil }
    self.init(
      database: DatabasePath(container: ExactName(container), environment: environment, scope: scope),
      zone: ExactName(zone), owner: item["owner"]?.string.map { ExactName($0) }, fields: fields)
  }

  var value: JSONValue {
    var object: JSONObject = [
      "container": .string(database.container.string), "environment": .string(database.environment),
      "scope": .array(database.scope.map { .string($0) }), "zone": .string(zone.string), "fields": .object(fields),
    ]
    if let owner { object["owner"] = .string(owner.string) }
    return .object(object)
  }
}

extension JSONObject {
  private static let key = "mentions"

  /// An entry's mentions; nil if one can't be read.
  var mentions: [ZoneMention]? { items(of: Self.key, ZoneMention.init) }

  mutating func setMentions(_ mentions: [ZoneMention]) {
    self[Self.key] = mentions.isEmpty ? nil : .array(mentions.map(\.value))
  }
}
