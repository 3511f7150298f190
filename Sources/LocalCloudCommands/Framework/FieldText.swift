import LocalCloudModel
import LocalCloudStorage

/// Parses field values that are words of the command line.
enum FieldText {
  /// Parses one value in the notation of its type.
  static func value(_ text: String, of type: FieldType) throws(FieldProblem) -> JSONValue {
    switch type {
    case .string: return .string(text)
    case .int64:
      guard let number = Int64(text) else { throw FieldProblem("\"\(text)\" is not a whole number of 64 bits") }
      return .integer(number)
    case .double: return .double(try double(text))
    case .timestamp: return try timestamp(text).json
    case .bytes:
      guard isBase64(text) else { throw FieldProblem("\"\(text)\" is not base64 (standard alphabet, padded with =)") }
      return .string(text)
    case .reference: return try reference(text, action: "NONE")
    case .location: return try location(text)
    // `unknown` has no word on the command line.
    case .asset, .unknown: throw FieldProblem("an asset is written as the path of a file")
    }
  }

  static func reference(_ recordName: String, action: String) throws(FieldProblem) -> JSONValue {
    guard !recordName.isEmpty else { throw FieldProblem("a reference needs the name of a record") }
    return ["action": .string(action), "recordName": .string(recordName)]
  }

  static func timestamp(_ text: String, allowingLocal: Bool = false) throws(FieldProblem) -> Moment {
    if let moment = Moment(milliseconds: text) { return moment }
    do throws(Timestamp.Invalid) {
      return try Timestamp.moment(text, allowingLocal: allowingLocal)
    } catch {
      throw FieldProblem("\"\(text)\" is not a time: \(error.reason)")
    }
  }

  private static func double(_ text: String) throws(FieldProblem) -> Double {
    let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isPlain, let number = Double(text), number.isFinite else { throw FieldProblem("\"\(text)\" is not a number") }
    return number
  }

  private static func location(_ text: String) throws(FieldProblem) -> JSONValue {
    guard let (first, second) = text.splitOnce(at: ",") else {
      throw FieldProblem("\"\(text)\" is not a location: expected latitude,longitude such as 48.2,16.37")
    }
    let latitude = try double(first)
    let longitude = try double(second)
    guard abs(latitude) <= 90 else { throw FieldProblem("the latitude \(first) is not between -90 and 90") }
    guard abs(longitude) <= 180 else { throw FieldProblem("the longitude \(second) is not between -180 and 180") }
    return ["latitude": .double(latitude), "longitude": .double(longitude)]
  }

  static func isBase64(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return bytes.count % 4 == 0 && padding <= 2
      && bytes.dropLast(padding).allSatisfy { byte in
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "+", "/": true
        default: false
        }
      }
  }
}
