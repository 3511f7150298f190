import Foundation
import LocalCloudStorage
import LocalCloudStore

/// Encodes values of this module as JSON, for archives and for the tree. Non-finite numbers are encoded as strings.
enum Payload {
  private static let (infinity, negativeInfinity, nan) = ("inf", "-inf", "nan")

  static func data(_ payload: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
    return try encoder.encode(payload)
  }

  static func value<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self, from data: Data) throws -> Wanted {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
    return try decoder.decode(type, from: data)
  }

  /// The value as a JSON object, as it is stored in the tree.
  static func object(_ payload: some Encodable) throws -> JSONObject {
    try JSONValue(parsing: [UInt8](data(payload))).object ?? [:]
  }

  static func value<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self, from object: JSONObject) throws -> Wanted {
    try value(type, from: Data(JSONValue.object(object).compact()))
  }
}
