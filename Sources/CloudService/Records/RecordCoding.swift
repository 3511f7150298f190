import CloudStore
import Storage

/// Record dictionaries ([record-json-3]).
extension Record {
  /// Reads what the store holds. `owner` is the zone owner's user record name.
  init(_ stored: StoredRecord, zone: ZoneIdentifier) throws(ServiceError) {
    var fields: [String: FieldValue] = [:]
    for (key, field) in stored.object["fields"]?.object ?? [:] {
      guard let object = field.object else { throw .damaged(stored, "the field \(key) is no object") }
      // Those are opened with their keys.
      if object.isEncryptedField { continue }
      fields[key] = try FieldValue.parse(object, key: key)
    }
    self.init(
      id: RecordIdentifier(name: stored.name, zone: zone), type: stored.type, changeTag: stored.tag,
      created: try Stamp(stored.object["created"], in: stored),
      modified: try Stamp(stored.object["modified"], in: stored),
      fields: fields)
    parent = stored.parent
    share = stored.share
    shortGUID = stored.shortGUID
    if type == Self.shareType { shareDetails = try ShareDetails(stored) }
  }

  /// The same; the error of a file that says what no record can names it.
  init(_ stored: StoredRecord, zone: ZoneIdentifier, file: @autoclosure () -> String) throws(ServiceError) {
    self = try stored.naming(file()) { () throws(ServiceError) in try Record(stored, zone: zone) }
  }

  /// Its path in the cloud.
  static func file(_ stored: StoredRecord, in address: ZoneAddress) -> String {
    (address.path.components + ["records", FileName.document(stored.name.string)]).joined(separator: "/")
  }

  /// Only these fields; nil: all. Given the zone that it was read in, with the bytes of its assets.
  func keeping(_ keys: [String]?, contentsIn view: ZoneView? = nil) throws -> Record {
    var result = self
    if let keys {
      result.fields = fields.filter { keys.contains($0.key) }
      result.encryptedFields = encryptedFields.filter { keys.contains($0.key) }
    }
    guard let view else { return result }
    return try result.mappingAssets { asset in
      var asset = asset
      asset.content = try asset.name.map(view.content)
      return asset
    }
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

  /// As a device keeps it for its programs: without what is encrypted, which lies nowhere open.
  var keptObject: JSONObject {
    var record = self
    record.encryptedFields = [:]
    var object = record.object
    if let root = shareDetails?.root { object["x-local"] = ["root": .string(root.string)] }
    return object
  }

  /// Nil for what is no record.
  init?(kept object: JSONObject) {
    guard object["recordName"]?.string != nil, object["recordType"]?.string != nil,
      object["recordChangeTag"]?.string != nil, let zone = object["zoneID"]?.object.flatMap(ZoneIdentifier.init),
      let record = try? Record(StoredRecord(object), zone: zone)
    else { return nil }
    self = record
  }

  /// What is encrypted in the cloud says so, and stands open here.
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

extension Stamp {
  var object: JSONObject {
    ["deviceID": .string(deviceID), "timestamp": .integer(timestamp), "userRecordName": .string(userRecordName)]
  }

  init(_ value: JSONValue?, in stored: StoredRecord) throws(ServiceError) {
    guard let timestamp = value?["timestamp"]?.integer,
      let user = (value?["userRecordName"] ?? value?["user"])?.string, let device = value?["deviceID"]?.string
    else { throw .damaged(stored, "created or modified is missing or incomplete") }
    self.init(timestamp: timestamp, userRecordName: user, deviceID: device)
  }
}

extension StoredRecord {
  /// Reads it; the error of a file that says what none can names that file.
  func naming<Value>(
    _ file: @autoclosure () -> String, _ read: () throws(ServiceError) -> Value
  ) throws(ServiceError) -> Value {
    do { return try read() } catch {
      var damage = error.cause == .damage ? error : ServiceError.damaged(self, error.message)
      damage.path = file()
      throw damage
    }
  }
}

extension ServiceError {
  static func damaged(_ stored: StoredRecord, _ reason: String) -> ServiceError {
    ServiceError(
      .internalError, "The record \(stored.name) is damaged: \(reason).", cause: .damage,
      hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
  }
}
