import CloudStore

/// CloudKit's field types under their names in Web Services.
enum FieldType: String, CaseIterable {
  case string = "STRING"
  case int64 = "INT64"
  case double = "DOUBLE"
  case timestamp = "TIMESTAMP"
  case bytes = "BYTES"
  case reference = "REFERENCE"
  case location = "LOCATION"
  case asset = "ASSETID"

  /// As the command line writes it.
  var word: String { self == .asset ? "asset" : rawValue.lowercased() }

  init?(word: String) {
    guard let type = FieldType.allCases.first(where: { $0.word == word }) else { return nil }
    self = type
  }

  var canBeEncrypted: Bool { self != .reference && self != .asset }

  func field(_ value: JSONValue, isList: Bool = false, isEncrypted: Bool = false) -> JSONValue {
    var result: JSONObject = ["type": .string(isList ? rawValue + "_LIST" : rawValue), "value": value]
    if isEncrypted { result["isEncrypted"] = true }
    return .object(result)
  }
}
