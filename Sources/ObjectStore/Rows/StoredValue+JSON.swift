import LocalCloudStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values in a line of JSON. Reading gives the same value as was written, bit by bit for fractions.
extension StoredValue {
  /// Nil for ``null``; a line leaves it out.
  var json: JSONValue? {
    switch self {
    case .null: nil
    case .boolean(let truth): .bool(truth)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): Self.json(number)
    case .decimal(let digits): Self.json(decimal: digits)
    case .string(let text), .uuid(let text), .uri(let text): .string(text)
    case .binary(let bytes): .string(Data(bytes).base64EncodedString())
    case .external(let binary): .object(["file": .string(binary.digest), "size": .integer(Int64(binary.size))])
    }
  }

  /// JSON has no infinity and no NaN: they are texts.
  private static func json(_ number: Double) -> JSONValue {
    if number.isFinite { return .double(number) }
    return .string(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf")
  }

  /// A number if reading it gives the same digits, otherwise a text.
  private static func json(decimal digits: String) -> JSONValue {
    guard let value = try? JSONValue(parsing: digits), value.double != nil, value.description == digits else {
      return .string(digits)
    }
    return value
  }

  /// Nil if no value of the type is written like that.
  init?(_ json: JSONValue?, _ type: StoreSchema.AttributeType) {
    guard let json, !json.isNull else {
      self = .null
      return
    }
    let value: StoredValue? =
      switch type {
      case .boolean: json.bool.map { .boolean($0) }
      case .integer16, .integer32, .integer64: json.integer.map { .integer($0) }
      case .double, .float: Self.number(json).map { .double($0) }
      case .date: Self.number(json).map { .date($0) }
      case .decimal: json.double == nil ? json.string.map { .decimal($0) } : .decimal(json.description)
      case .string: json.string.map { .string($0) }
      case .uuid: json.string.map { .uuid($0) }
      case .uri: json.string.map { .uri($0) }
      case .binary, .transformable: Self.bytes(json)
      }
    guard let value else { return nil }
    self = value
  }

  private static func number(_ json: JSONValue) -> Double? {
    switch json.string {
    case nil: json.double
    case "inf": .infinity
    case "-inf": -.infinity
    case "nan": .nan
    default: nil
    }
  }

  private static func bytes(_ json: JSONValue) -> StoredValue? {
    if let file = json["file"]?.string, let size = json["size"]?.int {
      return .external(ExternalBinary(digest: file, size: size))
    }
    return json.string.flatMap { Data(base64Encoded: $0) }.map { .binary(Array($0)) }
  }
}
