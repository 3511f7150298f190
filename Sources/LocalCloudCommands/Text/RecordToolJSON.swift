import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Records as cktool prints them ([schema-tool-2], [schema-tool-3]).
///
/// - Assumption: cktool prints dates in ISO 8601, also those of creation and change, and names a record's zone by
///   `zoneName` and `ownerRecordName`.
enum RecordToolJSON {
  static func object(_ record: Record) -> JSONObject {
    var fields: JSONObject = [:]
    for (key, value) in record.fields { fields[key] = field(value, isEncrypted: false) }
    for (key, value) in record.encryptedFields { fields[key] = field(value, isEncrypted: true) }
    var object: JSONObject = [
      "created": stamp(record.created), "fields": .object(fields), "modified": stamp(record.modified),
      "recordChangeTag": .string(record.changeTag), "recordName": .string(record.id.name.string),
      "recordType": .string(record.type), "zone": .object(record.id.zone.object),
    ]
    object["parent"] = record.parent.map { ["recordName": .string($0.string)] }
    object["share"] = record.share.map { ["recordName": .string($0.string)] }
    object["shortGuid"] = record.shortGUID.map { .string($0) }
    return object
  }

  private static func stamp(_ stamp: Stamp) -> JSONValue {
    [
      "deviceId": .string(stamp.deviceID), "timestamp": .string(Timestamp.text(milliseconds: stamp.timestamp)),
      "userRecordName": .string(stamp.userRecordName),
    ]
  }

  private static func field(_ value: FieldValue, isEncrypted: Bool) -> JSONValue {
    ["type": .string(typeName(value, isEncrypted)), "value": contents(value)]
  }

  private static func typeName(_ value: FieldValue, _ isEncrypted: Bool) -> String {
    if case .list(let element, _) = value {
      return element == .unknown
        ? "emptyListType" : ToolType(element, isList: true, isEncrypted: isEncrypted).name
    }
    return value.elementType.map { ToolType($0, isEncrypted: isEncrypted).name } ?? ""
  }

  private static func contents(_ value: FieldValue) -> JSONValue {
    switch value {
    case .list(_, let elements):
      return .array(elements.map(contents))
    case .timestamp(let moment):
      return .string(moment.text)
    case .reference(let reference):
      var object: JSONObject = [
        "action": .string(reference.action.rawValue), "recordName": .string(reference.record.string),
      ]
      object["zone"] = reference.zone.map { .string($0.name.string) }
      object["owner"] = reference.zone?.owner.map { .string($0) }
      return .object(object)
    case .location(let location):
      var object = value.field["value"]?.object ?? [:]
      object["timestamp"] = location.timestamp.map { .string($0.text) }
      return .object(object)
    case .asset:
      var object = value.field["value"]?.object ?? [:]
      object["downloadUrl"] = object["downloadURL"]
      object["downloadURL"] = nil
      return .object(object)
    case .string, .int64, .double, .bytes:
      return value.field["value"] ?? .null
    }
  }
}

extension CommandContext {
  /// Writes a document in cktool's form. It has no schema version.
  func writeToolJSON(_ object: JSONObject) throws {
    try output.write(VisibleText.escapeJSON(JSONValue.object(object).pretty()))
  }
}
