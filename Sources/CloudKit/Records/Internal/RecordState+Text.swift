import Foundation
import LocalCloudStorage
import LocalCloudStore

// Records as texts, for stores that store one for each of their objects. The JSON is that of an archive. Its most
// common parts are written and read without Foundation's coders, because the coders took a third of an import's time.

extension CKRecord {
  /// The record with all that an archive of it has, as JSON.
  package var text: String? {
    (try? state.archive(systemFieldsOnly: false).object()).map {
      String(decoding: JSONValue.object($0).compact(), as: UTF8.self)
    }
  }

  /// A copy with other names for the users that the server reports as the record's creator and its last modifier.
  package func renamingUsers(_ name: (String) -> String) -> CKRecord {
    func renamed(_ id: CKRecordID?) -> CKRecordID? {
      id.map { CKRecordID(recordName: name($0.recordName), zoneID: $0.zoneID) }
    }
    var state = state
    (state.creator, state.lastModifier) = (renamed(state.creator), renamed(state.lastModifier))
    return .make(state: state)
  }

  /// The record, or the share, that a text holds; nil if it holds none.
  package static func record(text: String) -> CKRecord? {
    guard let object = (try? JSONValue(parsing: Array(text.utf8)))?.object,
      let archive = try? RecordState.Archive(object)
    else { return nil }
    return RecordState(archive: archive).map { make(state: $0) }
  }
}

private struct Malformed: Error {}

extension RecordState.Archive {
  fileprivate func object() throws -> JSONObject {
    var object: JSONObject = ["recordType": .string(recordType), "recordID": recordID.value]
    object["changeTag"] = changeTag.map(JSONValue.string)
    object["creationDate"] = creationDate.map(JSONValue.double)
    object["creator"] = creator?.value
    object["modificationDate"] = modificationDate.map(JSONValue.double)
    object["lastModifier"] = lastModifier?.value
    object["parent"] = try parent.map { .object(try Payload.object($0)) }
    object["share"] = try share.map { .object(try Payload.object($0)) }
    object["shareState"] = try shareState.map { .object(try Payload.object($0)) }
    object["values"] = try values.map(Self.value)
    object["encryptedValues"] = try encryptedValues.map(Self.value)
    object["changedKeys"] = changedKeys.map { .array($0.map(JSONValue.string)) }
    object["changedEncryptedKeys"] = changedEncryptedKeys.map { .array($0.map(JSONValue.string)) }
    object["isParentChanged"] = isParentChanged.map(JSONValue.bool)
    object["isShareChanged"] = isShareChanged.map(JSONValue.bool)
    object["serverValues"] = try serverValues.map(Self.value)
    object["serverEncryptedValues"] = try serverEncryptedValues.map(Self.value)
    object["serverParent"] = try serverParent.map { .object(try Payload.object($0)) }
    object["serverShareState"] = try serverShareState.map { .object(try Payload.object($0)) }
    return object
  }

  fileprivate init(_ object: JSONObject) throws {
    guard let recordType = object["recordType"]?.string, let recordID = object["recordID"] else { throw Malformed() }
    func part<Part: Decodable>(_ key: String) throws -> Part? {
      guard let value = object[key] else { return nil }
      guard let part = value.object else { throw Malformed() }
      return try Payload.value(from: part)
    }
    self.init(recordType: recordType, recordID: try CKRecordID.Archive(recordID))
    changeTag = object["changeTag"]?.string
    creationDate = object["creationDate"]?.double
    creator = try object["creator"].map(CKRecordID.Archive.init)
    modificationDate = object["modificationDate"]?.double
    lastModifier = try object["lastModifier"].map(CKRecordID.Archive.init)
    (parent, share, shareState) = (try part("parent"), try part("share"), try part("shareState"))
    values = try object["values"].map(Self.values)
    encryptedValues = try object["encryptedValues"].map(Self.values)
    changedKeys = object["changedKeys"]?.array?.compactMap(\.string)
    changedEncryptedKeys = object["changedEncryptedKeys"]?.array?.compactMap(\.string)
    isParentChanged = object["isParentChanged"]?.bool
    isShareChanged = object["isShareChanged"]?.bool
    serverValues = try object["serverValues"].map(Self.values)
    serverEncryptedValues = try object["serverEncryptedValues"].map(Self.values)
    (serverParent, serverShareState) = (try part("serverParent"), try part("serverShareState"))
  }

  private static func value(_ values: [String: ClientValue.Archive]) throws -> JSONValue {
    var object = JSONObject()
    for (key, value) in values { object[key] = try value.value() }
    return .object(object)
  }

  private static func values(_ value: JSONValue) throws -> [String: ClientValue.Archive] {
    guard let object = value.object else { throw Malformed() }
    var values: [String: ClientValue.Archive] = [:]
    for (key, value) in object { values[key] = try ClientValue.Archive(value) }
    return values
  }
}

extension ClientValue.Archive {
  fileprivate func value() throws -> JSONValue {
    if let string { return ["string": .string(string)] }
    if let int64 { return ["int64": .integer(int64)] }
    if let double, double.isFinite { return ["double": .double(double)] }
    if let date, date.isFinite { return ["date": .double(date)] }
    if let bytes { return ["bytes": .string(bytes.base64EncodedString())] }
    if let list { return ["list": .array(try list.map { try $0.value() })] }
    return .object(try Payload.object(self))
  }

  fileprivate init(_ value: JSONValue) throws {
    self.init()
    if let string = value["string"]?.string {
      self.string = string
    } else if let integer = value["int64"]?.integer {
      int64 = integer
    } else if let number = value["double"]?.double {
      double = number
    } else if let number = value["date"]?.double {
      date = number
    } else if let data = value["bytes"]?.string.flatMap({ Data(base64Encoded: $0) }) {
      bytes = data
    } else if let values = value["list"]?.array {
      list = try values.map { try ClientValue.Archive($0) }
    } else {
      self = try Payload.value(from: value.object ?? [:])
    }
  }
}

extension CKRecordID.Archive {
  fileprivate var value: JSONValue {
    [
      "recordName": .string(recordName),
      "zoneID": ["zoneName": .string(zoneID.zoneName), "ownerName": .string(zoneID.ownerName)],
    ]
  }

  fileprivate init(_ value: JSONValue) throws {
    guard let name = value["recordName"]?.string, let zone = value["zoneID"]?["zoneName"]?.string,
      let owner = value["zoneID"]?["ownerName"]?.string
    else { throw Malformed() }
    self.init(recordName: name, zoneID: CKRecordZoneID.Archive(zoneName: zone, ownerName: owner))
  }
}
