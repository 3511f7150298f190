import CloudService
import CloudStore
import Storage

typealias FieldType = FieldValue.ElementType

extension FieldType {
  /// Those that somebody can give a field; the unknown one is only ever found in an empty list.
  static let written = allCases.filter { $0 != .unknown }

  /// As the command line writes it.
  var word: String { self == .asset ? "asset" : rawValue.lowercased() }

  init?(word: String) {
    guard let type = Self.written.first(where: { $0.word == word }) else { return nil }
    self = type
  }

  var canBeEncrypted: Bool { self != .reference && self != .asset }

  func field(_ value: JSONValue, isList: Bool = false, isEncrypted: Bool = false) -> JSONValue {
    var result: JSONObject = ["type": .string(isList ? rawValue + "_LIST" : rawValue), "value": value]
    if isEncrypted { result["isEncrypted"] = true }
    return .object(result)
  }
}
