import LocalCloudStorage

/// The description of a snapshot: the contents of its `snapshot.json`.
package struct Snapshot: Sendable, Hashable {
  package struct Zone: Sendable, Hashable {
    package var path: ZonePath
    package var records: Int

    package init(path: ZonePath, records: Int) {
      (self.path, self.records) = (path, records)
    }
  }

  package var name: String
  /// Milliseconds since 1970.
  package var created: Int64
  package var note: String?
  /// The names of the accounts, sorted.
  package var accounts: [String]
  /// Sorted by container, environment, database and name.
  package var zones: [Zone]
  /// The marker that the cloud had. The snapshot's folder has no file of that name, so that no program opens it as a
  /// cloud.
  var marker: JSONObject

  static let fileName = "snapshot.json"

  var bytes: [UInt8] {
    var object: JSONObject = [
      "accounts": .array(accounts.map { .string($0) }), "cloud": .object(marker),
      "created": .string(Timestamp.text(milliseconds: created)), "name": .string(name),
      "zones": .array(zones.map { .object($0.object) }),
    ]
    object["note"] = note.map { .string($0) }
    return JSONValue.object(object).pretty()
  }

  /// - Throws: ``StoreError/snapshotDamaged(name:reason:)`` or ``StorageError/formatTooNew(path:found:known:)``.
  init(parsing bytes: [UInt8], path: String) throws {
    let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
    func damaged(_ reason: String) -> StoreError {
      .snapshotDamaged(name: FileName.decode(folder) ?? folder, reason: reason)
    }
    guard let object = (try? JSONValue(parsing: bytes))?.object else { throw damaged("not JSON") }
    guard let name = object["name"]?.string,
      let created = object["created"]?.string.flatMap(Timestamp.milliseconds(text:)),
      let marker = object["cloud"]?.object, marker["history"]?.string != nil,
      let version = marker["formatVersion"]?.integer, let accounts = object["accounts"]?.array,
      let zones = object["zones"]?.array
    else { throw damaged("a key that a snapshot needs is missing") }
    guard version > 0 else { throw damaged("formatVersion \(version) never was") }
    guard version <= Cloud.formatVersion else {
      throw StorageError.formatTooNew(path: path, found: version, known: Cloud.formatVersion)
    }
    self.name = name
    self.created = created
    note = object["note"]?.string
    self.marker = marker
    self.accounts = accounts.compactMap(\.string)
    self.zones = try zones.map { zone in
      guard let zone = zone.object.flatMap(Zone.init) else { throw damaged("a zone lacks a key") }
      return zone
    }
  }

  init(name: String, created: Int64, note: String?, accounts: [String], zones: [Zone], marker: JSONObject) {
    (self.name, self.created, self.note) = (name, created, note)
    (self.accounts, self.zones, self.marker) = (accounts, zones, marker)
  }
}

extension Snapshot.Zone {
  package var object: JSONObject {
    var object = path.storedObject
    object["recordCount"] = .integer(Int64(records))
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let path = ZonePath(object), let records = object["recordCount"]?.integer, records >= 0 else { return nil }
    self.init(path: path, records: Int(records))
  }
}

extension ZonePath {
  /// The members that name the zone in documents about a whole cloud.
  package var storedObject: JSONObject {
    var object: JSONObject = [
      "containerIdentifier": .string(database.container.string), "database": .string(database.scope[0]),
      "environment": .string(database.environment), "zoneName": .string(zone.string),
    ]
    if database.scope.count > 1 { object["account"] = .string(database.scope[1]) }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let container = object["containerIdentifier"]?.string, let database = object["database"]?.string,
      let environment = object["environment"]?.string, let zone = object["zoneName"]?.string
    else { return nil }
    let scope = [database] + (object["account"]?.string.map { [$0] } ?? [])
    guard scope.count == (database == "public" ? 1 : 2), ["public", "private"].contains(database) else { return nil }
    self.init(
      database: DatabasePath(container: ExactName(container), environment: environment, scope: scope),
      zone: ExactName(zone))
  }

  /// The zone with its folder at a path below the root of a tree; nil if the folder there is not that of a zone.
  ///
  /// - Parameters:
  ///   - components: the encoded names.
  ///   - properties: returns the contents of the folder's `zone.json`, with the zone's name, which the name of its
  ///     folder may shorten.
  init?(folder components: [String], properties: () throws -> [UInt8]?) throws {
    guard components.count > 5, components[0] == "containers", let container = FileName.decode(components[1]) else {
      return nil
    }
    let scope: [String]
    switch components[3] {
    case "public": scope = ["public"]
    case "private":
      guard let account = FileName.decode(components[4]) else { return nil }
      scope = ["private", account]
    default: return nil
    }
    let database = DatabasePath(container: ExactName(container), environment: components[2], scope: scope)
    let base = database.components.count
    guard components.count == base + 2, components[base] == "zones", !components[base + 1].hasPrefix(".") else {
      return nil
    }
    if let name = FileName.decode(components[base + 1]) {
      self.init(database: database, zone: ExactName(name))
    } else if let bytes = try properties() {
      let name = try ZoneProperties.parse(bytes, path: components.joined(separator: "/")).name
      self.init(database: database, zone: name)
    } else {
      return nil
    }
  }
}
