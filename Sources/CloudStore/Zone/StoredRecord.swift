import LocalCloudStorage

/// A record as it is stored on disk: the Web Services record dictionary, with members that this version does not know.
package struct StoredRecord: Sendable, Hashable {
  package var object: JSONObject

  package init(_ object: JSONObject) { self.object = object }

  /// Whether both share their storage, so that they are equal. If false, they may still be equal.
  func isSameObject(as other: StoredRecord) -> Bool { object.isSameStorage(as: other.object) }

  /// The contents of the record's file.
  var bytes: [UInt8] { JSONValue.object(object).pretty() }

  package var name: ExactName { ExactName(object["recordName"]?.string ?? "") }
  package var type: String { object["recordType"]?.string ?? "" }
  package var tag: String { object["recordChangeTag"]?.string ?? "" }
  package var parent: ExactName? { object["parent"]?["recordName"]?.string.map { ExactName($0) } }
  package var creatingDevice: String { object["created"]?["deviceID"]?.string ?? "" }

  /// The zone's sequence at the record's last change that feeds report. A touch does not change it.
  package var sequence: Int64 {
    get { object["x-local"]?["sequence"]?.integer ?? 0 }
    set {
      guard var local = object["x-local"]?.object else {
        object["x-local"] = ["sequence": .integer(newValue)]
        return
      }
      local["sequence"] = .integer(newValue)
      object["x-local"] = .object(local)
    }
  }

  /// Deleting one of these records deletes this record, too.
  package var owners: Set<ExactName> { links.owners }

  /// Records that can't be deleted while this one refers to them.
  package var validated: Set<ExactName> { links.validated }

  /// The assets in its fields.
  package var assets: Set<ContentName> { links.assets }

  /// The records and assets that the record depends on, according to its fields.
  var links: (owners: Set<ExactName>, validated: Set<ExactName>, assets: Set<ContentName>) {
    var result: (owners: Set<ExactName>, validated: Set<ExactName>, assets: Set<ContentName>) = ([], [], [])
    func add(_ value: JSONValue) {
      guard case .object(let value) = value else { return }
      if let action = value["action"]?.string, let name = value["recordName"]?.string {
        if action == "DELETE_SELF" { result.owners.insert(ExactName(name)) }
        if action == "VALIDATE" { result.validated.insert(ExactName(name)) }
      } else if let asset = value["fileChecksum"]?.string.flatMap(ContentName.init) {
        result.assets.insert(asset)
      }
    }
    for (_, field) in object["fields"]?.object ?? [:] {
      switch field["value"] {
      case .array(let values)?: values.forEach(add)
      case .object(let value)?: add(.object(value))
      default: break
      }
    }
    return result
  }

  /// Members that every save changes, or that say where the record is.
  private static let versionKeys: Set = [
    "created", "fields", "modified", "recordChangeTag", "recordName", "recordType", "x-local", "zoneID",
  ]

  /// The names of the fields, and of the other members, that differ between two versions, sorted. A nil version does
  /// not exist. Sealed values are compared without their keys: a value that was saved again differs.
  package static func difference(_ before: JSONObject?, _ after: JSONObject?) -> (fields: [String], members: [String]) {
    (
      differingKeys(before?["fields"]?.object, after?["fields"]?.object),
      differingKeys(before, after, besides: versionKeys)
    )
  }

  private static func differingKeys(
    _ before: JSONObject?, _ after: JSONObject?, besides ignored: Set<String> = []
  ) -> [String] {
    func isListed(_ key: String) -> Bool { !ignored.contains(key) && before?[key] != after?[key] }
    let kept = (after?.keys ?? []).filter(isListed)
    let removed = (before?.keys ?? []).filter { after?[$0] == nil && isListed($0) }
    return removed.isEmpty ? kept : (kept + removed).sorted()
  }

  /// Whether a name is valid: at most 255 characters of four bytes each, and no zero byte, which ends names in the
  /// index.
  static func canBe(_ name: ExactName) -> Bool { name.string.utf8.count <= 1020 && !name.string.utf8.contains(0) }

  /// Parses a record's file and checks that it is the record that was requested. Throws
  /// ``StorageError/damaged(path:reason:)`` or ``StorageError/nameCollision(path:name:)``.
  static func parse(_ bytes: [UInt8], path: String, expecting name: ExactName) throws -> StoredRecord {
    let value: JSONValue
    do { value = try JSONValue(parsing: bytes) } catch {
      throw StorageError.damaged(path: path, reason: "not JSON: \(error)")
    }
    guard let object = value.object, object["recordName"]?.string != nil, object["recordType"]?.string != nil,
      object["recordChangeTag"]?.string != nil
    else {
      throw StorageError.damaged(
        path: path, reason: "not a record: recordName, recordType or recordChangeTag is missing")
    }
    let record = StoredRecord(object)
    // All of these names go into the index, and most into the log.
    let links = record.links
    let names = [record.name, ExactName(record.type), ExactName(record.creatingDevice)]
    guard (names + links.owners + links.validated + [record.parent].compactMap { $0 }).allSatisfy(canBe) else {
      throw StorageError.damaged(path: path, reason: "a name in it that no record or type can have")
    }
    guard record.name == name else { throw StorageError.nameCollision(path: path, name: name.string) }
    return record
  }
}
