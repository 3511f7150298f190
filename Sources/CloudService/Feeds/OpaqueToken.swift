import LocalCloudModel
import LocalCloudStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An opaque token: compact JSON in URL-safe base64. Its content is readable, but clients must not rely on it.
struct OpaqueToken {
  static let version: Int64 = 1

  private var object: JSONObject

  /// Throws `changeTokenExpired` for text that is not a token of this version.
  init(_ text: String) throws(ServiceError) { try self.init(text, maximumBytes: 1 << 16) }

  init(_ text: String, maximumBytes: Int) throws(ServiceError) {
    guard text.utf8.count < maximumBytes, let bytes = Self.bytes(base64: text),
      let object = (try? JSONValue(parsing: bytes))?.object, object["version"]?.integer == Self.version
    else { throw .tokenExpired }
    self.object = object
  }

  subscript(key: String) -> JSONValue? { object[key] }

  static func text(_ object: JSONObject) -> String {
    var object = object
    object["version"] = .integer(version)
    return base64(JSONValue.object(object).compact())
  }

  static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func bytes(base64 text: String) -> [UInt8]? {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: padded).map { [UInt8]($0) }
  }
}
