import LocalCloudStorage

/// The dictionary form of records ([record-json-3]).
extension Record {
  /// Reads a record's dictionary without its encrypted fields, as reading those needs keys. `zone` holds the zone
  /// owner's user record name. Throws if the dictionary is damaged.
  package init(_ object: JSONObject, zone: ZoneIdentifier) throws(ServiceError) {
    var fields: [String: FieldValue] = [:]
    for (key, field) in object["fields"]?.object ?? [:] {
      guard let field = field.object else { throw .damagedRecord(object, "the field \(key) is no object") }
      if field.isEncryptedField { continue }
      fields[key] = try FieldValue.parse(field, key: key)
    }
    try self.init(object, fields: fields, zone: zone)
  }

  /// Reads all but the fields; their plain values are known.
  package init(_ object: JSONObject, fields: [String: FieldValue], zone: ZoneIdentifier) throws(ServiceError) {
    self.init(
      id: RecordIdentifier(name: ExactName(object["recordName"]?.string ?? ""), zone: zone),
      type: object["recordType"]?.string ?? "", changeTag: object["recordChangeTag"]?.string ?? "",
      created: try Stamp(object["created"], of: object), modified: try Stamp(object["modified"], of: object),
      fields: fields)
    parent = object["parent"]?["recordName"]?.string.map { ExactName($0) }
    share = Self.share(in: object)
    shortGUID = Self.shortGUID(in: object)
    if type == Self.shareType { shareDetails = try ShareDetails(ofRecord: object) }
  }

  /// On the root of a hierarchical share: the name of the share's record.
  package static func share(in object: JSONObject) -> ExactName? {
    object["share"]?["recordName"]?.string.map { ExactName($0) }
  }

  /// On a share and its root: the last part of the share's link. Nil also for an invalid one, as it could not name a
  /// file.
  package static func shortGUID(in object: JSONObject) -> String? {
    object["shortGUID"]?.string.flatMap { ShareDetails.isShortGUID($0) ? $0 : nil }
  }

  /// The Web Services dictionary, as `record get --json` prints it.
  package var object: JSONObject {
    var object: JSONObject = [
      "created": .object(created.object),
      "fields": .object(fieldDictionaries),
      "modified": .object(modified.object),
      "recordChangeTag": .string(changeTag),
      "recordName": .string(id.name.string),
      "recordType": .string(type),
      "zoneID": .object(id.zone.object),
    ]
    if let parent { object["parent"] = ["recordName": .string(parent.string)] }
    if let share {
      object["share"] = ["recordName": .string(share.string), "zoneID": .object(id.zone.object)]
    }
    if let shortGUID { object["shortGUID"] = .string(shortGUID) }
    if let shareDetails {
      for (key, value) in shareDetails.object { object[key] = value }
    }
    return object
  }

  /// The dictionary that a device stores for its programs, without encrypted fields: those are never stored in plain
  /// form.
  package var keptObject: JSONObject {
    var record = self
    record.encryptedFields = [:]
    var object = record.object
    if let root = shareDetails?.root { object["x-local"] = ["root": .string(root.string)] }
    return object
  }

  /// Nil if `object` is not a valid record.
  package init?(kept object: JSONObject) {
    guard object["recordName"]?.string != nil, object["recordType"]?.string != nil,
      object["recordChangeTag"]?.string != nil, let zone = object["zoneID"]?.object.flatMap(ZoneIdentifier.init),
      let record = try? Record(object, zone: zone)
    else { return nil }
    self = record
  }

  /// The fields' dictionaries. Encrypted fields are marked as encrypted and hold plain values.
  private var fieldDictionaries: JSONObject {
    var result: JSONObject = [:]
    for (key, value) in fields { result[key] = .object(value.field) }
    for (key, value) in encryptedFields {
      var field = value.field
      field["isEncrypted"] = true
      result[key] = .object(field)
    }
    return result
  }
}

extension ZoneChanges.Deletion {
  package var object: JSONObject {
    [
      "deleted": true, "recordName": .string(record.name.string), "recordType": .string(type),
      "zoneID": .object(record.zone.object),
    ]
  }
}

extension Stamp {
  package var object: JSONObject {
    ["deviceID": .string(deviceID), "timestamp": .integer(timestamp), "userRecordName": .string(userRecordName)]
  }

  fileprivate init(_ value: JSONValue?, of record: JSONObject) throws(ServiceError) {
    guard let timestamp = value?["timestamp"]?.integer,
      let user = (value?["userRecordName"] ?? value?["user"])?.string, let device = value?["deviceID"]?.string
    else { throw .damagedRecord(record, "created or modified is missing or incomplete") }
    self.init(timestamp: timestamp, userRecordName: user, deviceID: device)
  }
}

extension ServiceError {
  package static func damagedRecord(_ object: JSONObject, _ reason: String) -> ServiceError {
    .damagedRecord(ExactName(object["recordName"]?.string ?? ""), reason)
  }

  package static func damagedRecord(_ name: ExactName, _ reason: String) -> ServiceError {
    ServiceError(
      .internalError, "The record \(name) is damaged: \(reason).", cause: .damage,
      hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
  }
}
