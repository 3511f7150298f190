import FaultInjection
import LocalCloudStorage
import LocalCloudStore

/// Changes one value of a JSON document as an editor or another program might do. The result is valid JSON.
struct JSONMutator {
  var random: SeededGenerator
  /// Strings that have a meaning in the cloud.
  let words: [String]

  /// Nil if the bytes are not JSON or contain nothing to change.
  mutating func mutate(_ bytes: [UInt8], _ mutation: CorruptionMutation, lines: Bool) -> [UInt8]? {
    guard lines else {
      return (try? JSONValue(parsing: bytes)).flatMap { change($0, mutation)?.pretty() }
    }
    var parts = bytes.split(separator: 0x0A).map { Array($0) }
    guard let index = parts.indices.randomElement(using: &random), let value = try? JSONValue(parsing: parts[index]),
      let changed = change(value, mutation)
    else { return nil }
    parts[index] = changed.compact()
    return parts.flatMap { $0 + [0x0A] }
  }

  private mutating func change(_ value: JSONValue, _ mutation: CorruptionMutation) -> JSONValue? {
    let choices = Self.values(in: value).filter { Self.fits($0.1, mutation) }
    guard let (path, old) = choices.randomElement(using: &random) else { return nil }
    if mutation == .removeKey { return Self.replace(value, path[...], with: nil) }
    if mutation == .addKey, var object = old.object {
      object[words.randomElement(using: &random) ?? ""] = hostileValue()
      return Self.replace(value, path[...], with: .object(object))
    }
    return Self.replace(value, path[...], with: new(mutation))
  }

  private static func fits(_ value: JSONValue, _ mutation: CorruptionMutation) -> Bool {
    switch mutation {
    case .number: value.double != nil
    case .string, .borrow: value.string != nil
    case .addKey: value.object != nil
    default: true
    }
  }

  private mutating func new(_ mutation: CorruptionMutation) -> JSONValue {
    switch mutation {
    case .number:
      let numbers: [JSONValue] = [
        .integer(.max), .integer(.min), .integer(-1), .integer(0), .integer(1), .integer(1 << 53), .integer(1 << 60),
        .integer((1 << 60) - 1), .double(0.5), .double(1e300), .double(-0.0),
        .integer(Int64.random(in: 0...40, using: &random)),
      ]
      return numbers.randomElement(using: &random) ?? .null
    case .string:
      let strings = [
        "", "\u{0}", "a\u{0}b", "../../../outside", "/", "..", ".", String(repeating: "x", count: 300),
        String(repeating: "é", count: 100_000), "\u{FEFF}", "e\u{301}", "~0123456789abcdef", "%00", ",", "\u{202E}",
      ]
      return .string(strings.randomElement(using: &random) ?? "")
    case .borrow:
      return .string(words.randomElement(using: &random) ?? "")
    default:
      return hostileValue()
    }
  }

  private mutating func hostileValue() -> JSONValue {
    let values: [JSONValue] = [
      .null, .bool(true), .integer(7), .double(1.5), .string("text"), .array([]), .object([:]),
      .array([.array([.object(["a": .null])])]), .object(["recordName": "a", "action": "DELETE_SELF"]),
      .object(["value": .array([.integer(1), .string("x")]), "type": "INT64_LIST"]),
    ]
    return values.randomElement(using: &random) ?? .null
  }

  // MARK: Paths in a document

  private static func values(in value: JSONValue, _ path: [String] = []) -> [([String], JSONValue)] {
    var result = [(path, value)]
    for (key, member) in value.object ?? [:] { result += values(in: member, path + [key]) }
    for (index, member) in (value.array ?? []).enumerated() { result += values(in: member, path + ["\(index)"]) }
    return result
  }

  private static func replace(_ value: JSONValue, _ path: ArraySlice<String>, with new: JSONValue?) -> JSONValue {
    guard let key = path.first else { return new ?? .null }
    let rest = path.dropFirst()
    if var object = value.object {
      object[key] = rest.isEmpty ? new : object[key].map { replace($0, rest, with: new) }
      return .object(object)
    }
    guard var array = value.array, let index = Int(key), array.indices.contains(index) else { return value }
    if rest.isEmpty, new == nil {
      array.remove(at: index)
    } else {
      array[index] = replace(array[index], rest, with: new)
    }
    return .array(array)
  }
}
