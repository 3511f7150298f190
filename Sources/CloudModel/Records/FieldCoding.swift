import LocalCloudStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Field dictionaries, `{ "value": …, "type": … }` ([record-json-1]).
extension FieldValue {
  /// The field's dictionary, always with its type, as in the cloud's files.
  package var field: JSONObject {
    if case .list(let type, _) = self { return type.field(value, isList: true) }
    return elementType?.field(value) ?? [:]
  }

  private var value: JSONValue {
    switch self {
    case .string(let value): .string(value)
    case .int64(let value): .integer(value)
    case .double(let value): .double(value)
    case .timestamp(let value): value.json
    case .bytes(let value): .string(value.base64Text)
    case .reference(let value): .object(value.object)
    case .location(let value): .object(value.object)
    case .asset(let value): .object(value.object)
    case .list(_, let elements): .array(elements.map(\.value))
    }
  }

  /// Reads a field dictionary. The type may be missing if the value's shape determines it. Nil for `{"value": null}`.
  /// Throws `invalidArguments` for an invalid or encrypted field.
  package static func parse(_ field: JSONObject, key: String) throws(ServiceError) -> FieldValue? {
    guard let value = field["value"] else { throw .invalid("Field '\(key)' has no value") }
    if field.isEncryptedField { throw .invalid("Field '\(key)' is encrypted") }
    if value == .null { return nil }
    guard var name = field["type"]?.string else { return try infer(value, key) }
    if name.hasSuffix("_LIST") || name == "LIST" {
      name = name == "LIST" ? "UNKNOWN" : String(name.dropLast("_LIST".count))
      if name == "EMPTY" { name = "UNKNOWN" }
      guard let elements = value.array else { throw .invalid("Field '\(key)': a list was expected") }
      guard let type = ElementType(name: name) else {
        throw .invalid("Field '\(key)' has the unknown type \(name)_LIST")
      }
      return try list(type, elements, key)
    }
    guard let type = ElementType(name: name) else { throw .invalid("Field '\(key)' has the unknown type \(name)") }
    return try parse(value, type, key)
  }

  private static func list(_ type: ElementType, _ elements: [JSONValue], _ key: String) throws(ServiceError)
    -> FieldValue
  {
    var values: [FieldValue] = []
    for element in elements {
      values.append(type == .unknown ? try infer(element, key) : try parse(element, type, key))
    }
    let known = type == .unknown ? values.first?.elementType ?? .unknown : type
    guard values.allSatisfy({ $0.elementType == known }) else {
      throw .invalid("Field '\(key)': the elements of a list must be of one type")
    }
    return .list(known, values)
  }

  private static func parse(_ value: JSONValue, _ type: ElementType, _ key: String) throws(ServiceError) -> FieldValue {
    switch type {
    case .string:
      if let text = value.string { return .string(text) }
    case .int64:
      if let number = value.integer ?? value.string.flatMap({ Int64($0) }) { return .int64(number) }
    case .double:
      if let number = value.double ?? value.string.flatMap({ Double($0) }), number.isFinite { return .double(number) }
    case .timestamp:
      if let moment = Moment(value) ?? value.string.flatMap(Moment.init(milliseconds:)) { return .timestamp(moment) }
    case .bytes:
      if let text = value.string, let bytes = [UInt8](base64Text: text) { return .bytes(bytes) }
    case .reference:
      if let object = value.object { return .reference(try ReferenceValue(object, key: key)) }
    case .location:
      if let object = value.object, let location = LocationValue(object) { return .location(location) }
    case .asset:
      if let object = value.object, let asset = AssetValue(object) { return .asset(asset) }
    case .unknown:
      return try infer(value, key)
    }
    throw .invalid("Invalid value for field '\(key)', expected type \(type.rawValue)")
  }

  private static func infer(_ value: JSONValue, _ key: String) throws(ServiceError) -> FieldValue {
    switch value {
    case .string(let text): return .string(text)
    case .integer(let number): return .int64(number)
    case .double(let number): return .double(number)
    case .decimal(let text):
      guard !value.isWhole else { throw .invalid("Field '\(key)': \(text) is no whole number of 64 bits") }
      if let number = value.double { return .double(number) }
    case .bool(let flag): return .int64(flag ? 1 : 0)
    case .array(let elements): return try list(.unknown, elements, key)
    case .object(let object):
      if let asset = AssetValue(object) { return .asset(asset) }
      if object["recordName"] != nil { return .reference(try ReferenceValue(object, key: key)) }
      if let location = LocationValue(object) { return .location(location) }
    case .null:
      break
    }
    throw .invalid("Field '\(key)' has a value of no known type")
  }

  /// The size of a sealed value, for limits. Without the key, only the size of its sealed bytes is known.
  package static func size(ofSealed field: JSONObject) -> Int { (field["value"]?.string?.utf8.count ?? 0) * 3 / 4 }

  /// The number of bytes that the value adds to its record's size, without the JSON around it. Assets don't count.
  ///
  /// - Assumption: an asset may be of any size.
  package var size: Int {
    switch self {
    case .string(let value): value.utf8.count
    case .int64, .double, .timestamp: 8
    case .bytes(let value): value.count
    case .reference(let value): value.record.string.utf8.count
    case .location: 64
    case .asset: 0
    case .list(_, let elements): elements.reduce(0) { $0 + $1.size }
    }
  }
}

extension FieldValue.ElementType {
  /// The dictionary of a field with this value.
  package func field(_ value: JSONValue, isList: Bool = false, isEncrypted: Bool = false) -> JSONObject {
    var result: JSONObject = ["type": .string(isList ? rawValue + "_LIST" : rawValue), "value": value]
    if isEncrypted { result["isEncrypted"] = true }
    return result
  }

  /// Reads the name of a type, also in old spellings ([record-json-2]).
  package init?(name: String) {
    switch name {
    case "ASSET": self = .asset
    case "NUMBER_INT64", "BOOLEAN": self = .int64
    default:
      guard let type = Self(rawValue: name) else { return nil }
      self = type
    }
  }
}

extension ReferenceValue {
  fileprivate var object: JSONObject {
    var object: JSONObject = ["action": .string(action.rawValue), "recordName": .string(record.string)]
    if let zone { object["zoneID"] = .object(zone.object) }
    return object
  }

  fileprivate init(_ object: JSONObject, key: String) throws(ServiceError) {
    guard let name = object["recordName"]?.string else {
      throw .invalid("Field '\(key)': a reference needs a recordName")
    }
    let action: Action
    if let text = object["action"]?.string {
      guard let known = Action(rawValue: text) else { throw .invalid("Field '\(key)': unknown action \(text)") }
      action = known
    } else {
      action = .none
    }
    self.init(record: ExactName(name), zone: object["zoneID"]?.object.flatMap(ZoneIdentifier.init), action: action)
  }
}

extension AssetValue {
  /// Web Services' asset dictionary ([record-json-5]).
  var object: JSONObject {
    var object: JSONObject = [:]
    if let name {
      object["fileChecksum"] = .string("\(name)")
      object["size"] = .integer(Int64(name.size))
    }
    if let file { object["downloadURL"] = .string(URL(filePath: file).absoluteString) }
    return object
  }

  /// Ignores other keys that Web Services writes.
  fileprivate init?(_ object: JSONObject) {
    guard let name = object["fileChecksum"]?.string.flatMap(ContentName.init),
      object["size"]?.integer.map({ $0 == name.size }) ?? true
    else { return nil }
    self.init(name: name)
  }
}

extension LocationValue {
  private static var keys: [(String, WritableKeyPath<LocationValue, Double?>)] {
    [
      ("altitude", \.altitude), ("course", \.course), ("horizontalAccuracy", \.horizontalAccuracy), ("speed", \.speed),
      ("verticalAccuracy", \.verticalAccuracy),
    ]
  }

  fileprivate var object: JSONObject {
    var object: JSONObject = ["latitude": .double(latitude), "longitude": .double(longitude)]
    for (key, keyPath) in Self.keys {
      if let value = self[keyPath: keyPath] { object[key] = .double(value) }
    }
    if let timestamp { object["timestamp"] = timestamp.json }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let latitude = object["latitude"]?.double, let longitude = object["longitude"]?.double else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    for (key, keyPath) in Self.keys { self[keyPath: keyPath] = object[key]?.double }
    timestamp = object["timestamp"].flatMap { Moment($0) }
  }
}

extension ZoneIdentifier {
  /// `{ "zoneName", "ownerRecordName" }`
  package var object: JSONObject {
    var object: JSONObject = ["zoneName": .string(name.string)]
    if let owner { object["ownerRecordName"] = .string(owner) }
    return object
  }

  package init?(_ object: JSONObject) {
    guard let name = object["zoneName"]?.string else { return nil }
    self.init(name: ExactName(name), owner: object["ownerRecordName"]?.string ?? object["ownerName"]?.string)
  }
}

extension JSONObject {
  /// Whether this is the dictionary of an encrypted field: `isEncrypted` has any value but `false`, so that a sealed
  /// text is never treated as a plain value.
  package var isEncryptedField: Bool { self["isEncrypted"].map { $0 != false } ?? false }
}
