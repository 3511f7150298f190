import LocalCloudStorage

/// A field as users write it in JSON: a plain value, a dictionary of the Web Services, or one of another tool. Stricter
/// than ``FieldValue/parse(_:key:)``: nothing ambiguous is interpreted.
package enum WrittenField {
  /// A dictionary of the Web Services.
  case dictionary(JSONObject)
  /// A field with the name of a type that the Web Services lack, as `cktool` writes it.
  case other(contents: JSONValue, typeName: String)

  package init(_ value: JSONValue) throws(FieldProblem) {
    guard let object = value.object, let contents = object["value"] else {
      self = .dictionary(try Self.inferred(value))
      return
    }
    if let key = object.keys.first(where: { !["value", "type", "isEncrypted"].contains($0) }) {
      throw FieldProblem("a field has no key \"\(key)\": expected \"value\", \"type\" and \"isEncrypted\"")
    }
    guard let type = object["type"] else {
      guard object["isEncrypted"]?.bool == true else {
        self = .dictionary(try Self.inferred(contents))
        return
      }
      throw FieldProblem("an encrypted field needs its \"type\"")
    }
    guard let name = type.string else { throw FieldProblem("\"type\" is not a string") }
    self = name.hasSuffix("Type") ? .other(contents: contents, typeName: name) : .dictionary(object)
  }

  /// The type that CloudKit infers from a value's shape.
  package static func inferred(_ value: JSONValue) throws(FieldProblem) -> JSONObject {
    if value.isNull { return ["value": .null] }
    guard let items = value.array else {
      let type = try type(of: value)
      return type.field(completed(value, as: type))
    }
    // An empty list has no element type; the schema provides it.
    guard let first = items.first else { return ["value": []] }
    var common = try type(of: first)
    for item in items.dropFirst() {
      let other = try type(of: item)
      if [common, other].allSatisfy({ $0 == .int64 || $0 == .double }) {
        common = common == other ? common : .double
      } else if other != common {
        throw FieldProblem("a list holds values of one type, not \(common.rawValue) and \(other.rawValue)")
      }
    }
    let type = common
    return type.field(.array(items.map { completed($0, as: type) }), isList: true)
  }

  private static func type(of value: JSONValue) throws(FieldProblem) -> FieldValue.ElementType {
    switch value {
    case .string: return .string
    case .integer: return .int64
    case .double: return .double
    case .decimal(let text):
      guard !value.isWhole else { throw FieldProblem("\(text) is not a whole number of 64 bits") }
      return .double
    case .bool: throw FieldProblem("CloudKit has no booleans: write 0 or 1")
    case .null: throw FieldProblem("a list cannot hold null")
    case .array: throw FieldProblem("a list cannot hold lists")
    case .object(let object):
      if object["recordName"] != nil { return .reference }
      if object["latitude"] != nil && object["longitude"] != nil { return .location }
      throw FieldProblem("an object is neither a field (\"value\"), a reference (\"recordName\") nor a location")
    }
  }

  private static func completed(_ value: JSONValue, as type: FieldValue.ElementType) -> JSONValue {
    if type == .double, let number = value.double { return .double(number) }
    guard type == .reference, var object = value.object, object["action"] == nil else { return value }
    object["action"] = "NONE"
    return .object(object)
  }
}

/// A problem of one field, without its location.
package struct FieldProblem: Error, Equatable {
  package var reason: String
  package var hint: String?

  package init(_ reason: String, hint: String? = nil) {
    self.reason = reason
    self.hint = hint
  }
}
