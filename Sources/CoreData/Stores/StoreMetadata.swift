import Foundation
import LocalCloudObjectStore
import LocalCloudStorage

/// A store's own metadata, and a program's values beside the objects.
struct StoreMetadata {
  private let identifier: String
  private let type: String
  private let schema: StoreSchema
  private let own: JSONObject

  init(_ identifier: String, type: String, _ schema: StoreSchema, _ own: JSONObject) {
    self.identifier = identifier
    self.type = type
    self.schema = schema
    self.own = own
  }

  init(_ summary: StoreDescription) {
    self.init(summary.identifier, type: NSSQLiteStoreType, summary.schema, summary.metadata)
  }

  /// The version of the algorithm of version hashes, as Apple's framework has it in its stores.
  private static let hashesVersionKey = "NSStoreModelVersionHashesVersion"

  /// The keys of values derived from the store.
  private static let derivedKeys: Set<String> = [
    NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, hashesVersionKey,
  ]
  /// The keys of values of the model that the store was created or migrated with.
  private static let modelKeys: Set<String> = [
    NSStoreModelVersionIdentifiersKey, NSPersistentStoreModelVersionChecksumKey,
  ]

  /// The metadata by Apple's keys.
  var dictionary: [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in own { result[key] = PropertyList.value(value) }
    result[NSStoreTypeKey] = type
    result[NSStoreUUIDKey] = identifier
    result[NSStoreModelVersionHashesKey] = hashes
    result[Self.hashesVersionKey] = 3
    if result[NSStoreModelVersionIdentifiersKey] == nil { result[NSStoreModelVersionIdentifiersKey] = [Any]() }
    return result
  }

  private var hashes: [String: Data] {
    Dictionary(schema.entities.map { ($0.name, VersionHash.data(hex: $0.versionHash)) }) { first, _ in first }
  }

  /// The metadata of a store that is created for a model.
  static func new(for model: NSManagedObjectModel) -> JSONObject {
    [
      NSStoreModelVersionIdentifiersKey: .array(
        model.versionIdentifiers.map { "\($0.base)" }.sorted().map(JSONValue.string)),
      NSPersistentStoreModelVersionChecksumKey: .string(model.versionChecksum),
    ]
  }

  /// The part of a program's metadata that the store saves. The model's values are taken from `before`.
  static func own(_ metadata: [String: Any], keeping before: JSONObject) throws(PropertyList.Refused) -> JSONObject {
    var result: JSONObject = [:]
    for (key, value) in metadata where !derivedKeys.contains(key) && !modelKeys.contains(key) {
      result[key] = try PropertyList.json(value)
    }
    for key in modelKeys { result[key] = before[key] }
    return result
  }
}

/// Values of property lists as JSON. Dates and data are objects with one member, and the member's name begins with a
/// dollar sign; in the names of other objects a leading dollar sign is doubled.
enum PropertyList {
  /// Thrown for a value that a property list can't contain.
  struct Refused: Error {
    var reason: String
  }

  private static let (data, date) = ("$data", "$date")

  static func json(_ value: Any, depth: Int = 0) throws(Refused) -> JSONValue {
    if depth > 100 { throw Refused(reason: "Metadata are nested more than 100 levels deep.") }
    switch value {
    case let text as String: return .string(text)
    // A number can be cast to a Boolean.
    case let truth as Bool where type(of: value) == Bool.self: return .bool(truth)
    case let number as NSNumber: return try json(number)
    case let bytes as Data: return .object([data: .string(bytes.base64EncodedString())])
    case let time as Date: return .object([date: .double(time.timeIntervalSinceReferenceDate)])
    case let list as [Any]:
      var values: [JSONValue] = []
      for value in list { values.append(try json(value, depth: depth + 1)) }
      return .array(values)
    case let dictionary as [String: Any]:
      var object: JSONObject = [:]
      for (key, value) in dictionary {
        object[key.hasPrefix("$") ? "$" + key : key] = try json(value, depth: depth + 1)
      }
      return .object(object)
    default:
      throw Refused(reason: "A value of the type \(type(of: value)) can't be in a store's metadata.")
    }
  }

  private static func json(_ number: NSNumber) throws(Refused) -> JSONValue {
    let isFraction = ["d", "f"].contains(String(cString: number.objCType))
    if !isFraction, let whole = Int64(exactly: number) { return .integer(whole) }
    guard number.doubleValue.isFinite else { throw Refused(reason: "\(number) can't be in a store's metadata.") }
    return .double(number.doubleValue)
  }

  static func value(_ json: JSONValue) -> Any {
    if let text = json.string { return text }
    if let truth = json.bool { return truth }
    if let whole = json.integer { return NSNumber(value: whole) }
    if let number = json.double { return NSNumber(value: number) }
    if let list = json.array { return list.map(value) }
    guard let object = json.object else { return NSNull() }
    if object.count == 1 {
      if let bytes = object[data]?.string.flatMap({ Data(base64Encoded: $0) }) { return bytes }
      if let time = object[date]?.double { return Date(timeIntervalSinceReferenceDate: time) }
    }
    var result: [String: Any] = [:]
    for (key, member) in object { result[key.hasPrefix("$$") ? String(key.dropFirst()) : key] = value(member) }
    return result
  }
}
