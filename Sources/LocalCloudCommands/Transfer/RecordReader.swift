import CloudModel
import CloudStore
import Storage

/// Reads what `export` writes, and what people write by hand: nothing in it is taken for granted, and no key that is not
/// known is passed over.
struct RecordReader {
  let assets: ImportAssets
  /// The user record of whoever imports.
  let own: String
  /// Nil: records of all types are wanted.
  var type: String?

  enum Thing {
    case record(ImportedRecord)
    /// A record of another type than the wanted one.
    case other
    case zone(ZoneIdentifier, EncryptionScope)
  }

  private static let zoneKeys = [
    "atomic", "capabilities", "encryptionScope", "isEligibleForHierarchicalShare", "isEligibleForZoneShare", "share",
    "syncToken", "zoneID",
  ]
  private static let recordKeys = ["fields", "parent", "recordName", "recordType", "zoneID"]
  /// What the server alone sets.
  private static let systemKeys =
    PortableForm.systemKeys + [
      "createShortGUID", "currentUserParticipant", "deleted", "owner", "pluginFields", "stableUrl", "x-local",
    ]
  static let shareKeys = [
    "blocked", "denyAccessRequests", "forRecord", "participants", "publicPermission", "requesters",
  ]

  func read(_ object: JSONObject, at place: ImportPlace) throws(ImportProblem) -> Thing {
    let isZone = object["recordName"] == nil && object["recordType"] == nil && object["fields"] == nil
    if isZone, object["zoneID"] != nil { return try zone(object) }
    if object["deleted"]?.bool == true { throw ImportProblem("a deletion can't be imported", key: "deleted") }
    let type = try text("recordType", in: object, or: "the record's type")
    let isShare = type == Record.shareType
    try check(object, Self.recordKeys + Self.systemKeys + (isShare ? Self.shareKeys : []))
    let zone = try object["zoneID"].map { (value) throws(ImportProblem) in try self.zone(value) }
    let name = try text("recordName", in: object, or: "a name, by which it is the same record every time")
    var record = ImportedRecord(place: place, name: try self.name(name, type), type: type, zone: zone)
    record.parent = try parent(object["parent"])
    if isShare { record.share = try ShareReader.share(object, named: name) }
    for (key, value) in try fields(object["fields"]) { try add(key, value, to: &record) }
    if let wanted = self.type, wanted != type { return .other }
    return .record(record)
  }

  // MARK: The parts

  private func text(_ key: String, in object: JSONObject, or expected: String) throws(ImportProblem) -> String {
    guard let text = object[key]?.string, !text.isEmpty else {
      throw ImportProblem(
        object[key] == nil ? "it is missing: expected \(expected)" : "expected a string that is not empty", key: key)
    }
    return text
  }

  private func check(_ object: JSONObject, _ known: [String]) throws(ImportProblem) {
    guard let key = object.keys.first(where: { !known.contains($0) }) else { return }
    let near = WordSuggestion.nearest(to: key, among: known)
    throw ImportProblem("there is no such key" + (near.map { "; did you mean \"\($0)\"?" } ?? ""), key: key)
  }

  /// One's own user record has another name in each cloud; nobody else's can be written.
  private func name(_ name: String, _ type: String) throws(ImportProblem) -> ExactName {
    guard type == Record.userType else { return ExactName(name) }
    guard name == PortableForm.ownUserRecord || name == own else {
      throw ImportProblem(
        "only one's own user record can be imported: \(PortableForm.ownUserRecord)", key: "recordName")
    }
    return ExactName(own)
  }

  private func zone(_ value: JSONValue) throws(ImportProblem) -> ZoneIdentifier {
    guard let zone = value.object.flatMap(ZoneIdentifier.init), !zone.name.string.isEmpty else {
      throw ImportProblem("expected an object with \"zoneName\"", key: "zoneID")
    }
    return zone
  }

  private func zone(_ object: JSONObject) throws(ImportProblem) -> Thing {
    try check(object, Self.zoneKeys)
    var scope = EncryptionScope.perRecord
    if let value = object["encryptionScope"] {
      guard let known = value.string.flatMap({ EncryptionScope(rawValue: $0) }) else {
        throw ImportProblem("expected \"perRecord\" or \"perZone\"", key: "encryptionScope")
      }
      scope = known
    }
    return .zone(try zone(object["zoneID"] ?? .null), scope)
  }

  private func parent(_ value: JSONValue?) throws(ImportProblem) -> ParentEdit {
    guard let value else { return .keep }
    if value.isNull { return .clear }
    guard let name = value["recordName"]?.string, !name.isEmpty else {
      throw ImportProblem("expected an object with \"recordName\", or null", key: "parent")
    }
    return .set(ExactName(name), zone: nil)
  }

  private func fields(_ value: JSONValue?) throws(ImportProblem) -> JSONObject {
    guard let value, !value.isNull else { return [:] }
    guard let fields = value.object else { throw ImportProblem("expected an object of fields", key: "fields") }
    return fields
  }

  // MARK: Fields

  private func add(_ key: String, _ value: JSONValue, to record: inout ImportedRecord) throws(ImportProblem) {
    let place = "fields.\(key)"
    if let value = try assets(value, place) {
      record.fields.updateValue(value, forKey: key)
      return
    }
    do {
      let (dictionary, assets) = try FieldJSON.field(value)
      guard assets == nil, var field = dictionary?.object else {
        throw ImportProblem("an asset is written with the type ASSETID", key: place)
      }
      let isEncrypted = field["isEncrypted"]
      guard isEncrypted == nil || isEncrypted?.bool != nil else {
        throw ImportProblem("\"isEncrypted\" is neither true nor false", key: place)
      }
      field["isEncrypted"] = nil
      guard field["type"] == nil || field["type"]?.string != nil else {
        throw ImportProblem("\"type\" is not a string", key: place)
      }
      let value = try FieldValue.parse(field, key: key).map { local($0, to: record.zone) }
      if isEncrypted?.bool == true {
        record.encryptedFields.updateValue(value, forKey: key)
      } else {
        record.fields.updateValue(value, forKey: key)
      }
    } catch let problem as ImportProblem {
      throw problem
    } catch let problem as FieldProblem {
      throw ImportProblem(problem.reason + (problem.hint.map { "; \($0)" } ?? ""), key: place)
    } catch let error as ServiceError {
      throw ImportProblem(error.message, key: place)
    } catch {
      throw ImportProblem("\(error)", key: place)
    }
  }

  /// Nil for what is no field of assets.
  private func assets(_ value: JSONValue, _ place: String) throws(ImportProblem) -> FieldValue? {
    guard let field = value.object, let contents = field["value"] else { return nil }
    let type = field["type"]?.string
    let isAsset = contents["fileChecksum"] != nil || contents["x-local"] != nil || contents["downloadURL"] != nil
    let isList = type == "ASSETID_LIST" || type == "ASSET_LIST"
    guard isList || type == "ASSETID" || type == "ASSET" || type == nil && isAsset else { return nil }
    if let key = field.keys.first(where: { !["value", "type", "isEncrypted"].contains($0) }) {
      throw ImportProblem("a field has no key \"\(key)\"", key: place)
    }
    if field["isEncrypted"]?.bool == true { throw ImportProblem("an asset can't be encrypted", key: place) }
    if contents.isNull { return nil }
    guard isList else { return .asset(try asset(contents, place)) }
    guard let items = contents.array else { throw ImportProblem("a list was expected", key: place) }
    var values: [FieldValue] = []
    for item in items { values.append(.asset(try asset(item, place))) }
    return .list(.asset, values)
  }

  private func asset(_ value: JSONValue, _ place: String) throws(ImportProblem) -> AssetValue {
    guard let object = value.object else { throw ImportProblem("expected an asset's object", key: place) }
    return try assets.asset(object, key: place)
  }

  /// References to the line's own zone stay in the zone that the record gets into.
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
