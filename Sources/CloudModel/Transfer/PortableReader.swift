import LocalCloudStorage

/// Reads the output of `export`, and files that users write by hand. Validates everything, and rejects unknown keys.
package struct PortableReader {
  /// Finds the content of an asset's dictionary; `key` is for problems.
  package typealias Assets = (_ object: JSONObject, _ key: String) throws(PortableProblem) -> AssetValue
  /// Converts a field of a type that the Web Services lack to their dictionary; nil for an asset.
  package typealias OtherFields = (_ contents: JSONValue, _ typeName: String) throws(FieldProblem) -> JSONObject?

  private let asset: Assets
  private let otherField: OtherFields
  /// The user record name of the importing account.
  private let own: String
  /// The wanted record type; nil: all types.
  private let type: String?

  package init(own: String, type: String?, assets: @escaping Assets, otherFields: @escaping OtherFields) {
    self.own = own
    self.type = type
    asset = assets
    otherField = otherFields
  }

  package enum Thing {
    case record(PortableRecord)
    /// A record of another type than the wanted one.
    case other
    case zone(ZoneIdentifier, EncryptionScope)
  }

  private static let zoneKeys = [
    "atomic", "capabilities", "encryptionScope", "isEligibleForHierarchicalShare", "isEligibleForZoneShare", "share",
    "syncToken", "zoneID",
  ]
  private static let recordKeys = ["fields", "parent", "recordName", "recordType", "zoneID"]
  /// Keys that only the server sets.
  private static let systemKeys =
    PortableForm.systemKeys + [
      "createShortGUID", "currentUserParticipant", "deleted", "owner", "pluginFields", "stableUrl", "x-local",
    ]
  private static let shareKeys = [
    "blocked", "denyAccessRequests", "forRecord", "participants", "publicPermission", "requesters",
  ]

  package func read(_ object: JSONObject) throws(PortableProblem) -> Thing {
    let isZone = object["recordName"] == nil && object["recordType"] == nil && object["fields"] == nil
    if isZone, object["zoneID"] != nil { return try zone(object) }
    if object["deleted"]?.bool == true { throw PortableProblem("a deletion can't be imported", key: "deleted") }
    let type = try text("recordType", in: object, or: "the record's type")
    let isShare = type == Record.shareType
    try check(object, Self.recordKeys + Self.systemKeys + (isShare ? Self.shareKeys : []))
    let zone = try object["zoneID"].map { (value) throws(PortableProblem) in try self.zone(value) }
    let name = try text("recordName", in: object, or: "a name, by which it is the same record every time")
    var record = PortableRecord(name: try self.name(name, type), type: type, zone: zone)
    record.parent = try parent(object["parent"])
    if isShare { record.share = try Self.share(object, named: name) }
    for (key, value) in try fields(object["fields"]) { try add(key, value, to: &record) }
    if let wanted = self.type, wanted != type { return .other }
    return .record(record)
  }

  // MARK: The parts

  private func text(_ key: String, in object: JSONObject, or expected: String) throws(PortableProblem) -> String {
    guard let text = object[key]?.string, !text.isEmpty else {
      throw PortableProblem(
        object[key] == nil ? "it is missing: expected \(expected)" : "expected a string that is not empty", key: key)
    }
    return text
  }

  private func check(_ object: JSONObject, _ known: [String]) throws(PortableProblem) {
    guard let key = object.keys.first(where: { !known.contains($0) }) else { return }
    var problem = PortableProblem("there is no such key", key: key)
    problem.known = known
    throw problem
  }

  /// The name of a record. The importing account's own user record has another name in each cloud; no other user record
  /// can be imported.
  private func name(_ name: String, _ type: String) throws(PortableProblem) -> ExactName {
    guard type == Record.userType else { return ExactName(name) }
    guard name == PortableForm.ownUserRecord || name == own else {
      throw PortableProblem(
        "only one's own user record can be imported: \(PortableForm.ownUserRecord)", key: "recordName")
    }
    return ExactName(own)
  }

  private func zone(_ value: JSONValue) throws(PortableProblem) -> ZoneIdentifier {
    guard let zone = value.object.flatMap(ZoneIdentifier.init), !zone.name.string.isEmpty else {
      throw PortableProblem("expected an object with \"zoneName\"", key: "zoneID")
    }
    return zone
  }

  private func zone(_ object: JSONObject) throws(PortableProblem) -> Thing {
    try check(object, Self.zoneKeys)
    var scope = EncryptionScope.perRecord
    if let value = object["encryptionScope"] {
      guard let known = value.string.flatMap({ EncryptionScope(rawValue: $0) }) else {
        throw PortableProblem("expected \"perRecord\" or \"perZone\"", key: "encryptionScope")
      }
      scope = known
    }
    return .zone(try zone(object["zoneID"] ?? .null), scope)
  }

  private func parent(_ value: JSONValue?) throws(PortableProblem) -> ParentEdit {
    guard let value else { return .keep }
    if value.isNull { return .clear }
    guard let name = value["recordName"]?.string, !name.isEmpty else {
      throw PortableProblem("expected an object with \"recordName\", or null", key: "parent")
    }
    return .set(ExactName(name), zone: nil)
  }

  private func fields(_ value: JSONValue?) throws(PortableProblem) -> JSONObject {
    guard let value, !value.isNull else { return [:] }
    guard let fields = value.object else { throw PortableProblem("expected an object of fields", key: "fields") }
    return fields
  }

  // MARK: Fields

  private func add(_ key: String, _ value: JSONValue, to record: inout PortableRecord) throws(PortableProblem) {
    let fieldPath = "fields.\(key)"
    if let value = try assets(value, fieldPath) {
      record.fields.updateValue(value, forKey: key)
      return
    }
    do {
      guard var field = try dictionary(value) else {
        throw PortableProblem("an asset is written with the type ASSETID", key: fieldPath)
      }
      let isEncrypted = field["isEncrypted"]
      guard isEncrypted == nil || isEncrypted?.bool != nil else {
        throw PortableProblem("\"isEncrypted\" is neither true nor false", key: fieldPath)
      }
      field["isEncrypted"] = nil
      guard field["type"] == nil || field["type"]?.string != nil else {
        throw PortableProblem("\"type\" is not a string", key: fieldPath)
      }
      let value = try FieldValue.parse(field, key: key).map { local($0, to: record.zone) }
      if isEncrypted?.bool == true {
        record.encryptedFields.updateValue(value, forKey: key)
      } else {
        record.fields.updateValue(value, forKey: key)
      }
    } catch let problem as PortableProblem {
      throw problem
    } catch let problem as FieldProblem {
      throw PortableProblem(problem.reason + (problem.hint.map { "; \($0)" } ?? ""), key: fieldPath)
    } catch let error as ServiceError {
      throw PortableProblem(error.message, key: fieldPath)
    } catch {
      throw PortableProblem("\(error)", key: fieldPath)
    }
  }

  private func dictionary(_ value: JSONValue) throws(FieldProblem) -> JSONObject? {
    switch try WrittenField(value) {
    case .dictionary(let field): field
    case .other(let contents, let typeName): try otherField(contents, typeName)
    }
  }

  /// The value of a field of assets; nil if it is not one, or is null.
  private func assets(_ value: JSONValue, _ fieldPath: String) throws(PortableProblem) -> FieldValue? {
    guard let field = value.object, let contents = field["value"] else { return nil }
    let type = field["type"]?.string
    let isAsset = contents["fileChecksum"] != nil || contents["x-local"] != nil || contents["downloadURL"] != nil
    let isList = type == "ASSETID_LIST" || type == "ASSET_LIST"
    guard isList || type == "ASSETID" || type == "ASSET" || type == nil && isAsset else { return nil }
    if let key = field.keys.first(where: { !["value", "type", "isEncrypted"].contains($0) }) {
      throw PortableProblem("a field has no key \"\(key)\"", key: fieldPath)
    }
    if field["isEncrypted"]?.bool == true { throw PortableProblem("an asset can't be encrypted", key: fieldPath) }
    if contents.isNull { return nil }
    guard isList else { return .asset(try asset(contents, fieldPath)) }
    guard let items = contents.array else { throw PortableProblem("a list was expected", key: fieldPath) }
    var values: [FieldValue] = []
    for item in items { values.append(.asset(try asset(item, fieldPath))) }
    return .list(.asset, values)
  }

  private func asset(_ value: JSONValue, _ fieldPath: String) throws(PortableProblem) -> AssetValue {
    guard let object = value.object else { throw PortableProblem("expected an asset's object", key: fieldPath) }
    return try asset(object, fieldPath)
  }

  /// The value with references to the line's own zone made relative, so that they stay within the zone that the record
  /// is imported into.
  private func local(_ value: FieldValue, to zone: ZoneIdentifier?) -> FieldValue {
    switch value {
    case .reference(var reference):
      if let other = reference.zone, other.name == zone?.name ?? ZoneIdentifier.defaultName { reference.zone = nil }
      return .reference(reference)
    case .list(.reference, let elements):
      return .list(.reference, elements.map { local($0, to: zone) })
    default:
      return value
    }
  }
}
