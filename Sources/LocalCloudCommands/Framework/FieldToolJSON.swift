import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Converts `cktool`'s field values, for example `{"type": "int64Type", "value": 6}`, to the form of Web Services.
enum FieldToolJSON {
  static func field(
    _ value: JSONValue, typeName: String
  ) throws(FieldProblem) -> (dictionary: JSONObject?, assets: FieldAssets?) {
    if typeName == "emptyListType" {
      guard value.isNull || value.array?.isEmpty == true else { throw FieldProblem("an emptyListType is not empty") }
      return (["value": []], nil)
    }
    guard let type = ToolType(name: typeName) else {
      throw FieldProblem(
        "there is no type \"\(typeName)\"", hint: ToolType.nearest(to: typeName).map { "did you mean \"\($0)\"?" })
    }
    return try field(value, type: type)
  }

  static func field(
    _ value: JSONValue, type: ToolType
  ) throws(FieldProblem) -> (dictionary: JSONObject?, assets: FieldAssets?) {
    if value.isNull { return (["value": .null], nil) }
    var items = [value]
    if type.isList {
      guard let list = value.array else { throw FieldProblem("the value of a \(type.name) is not a list") }
      items = list
    }
    let element = type.element
    if element == .asset { return (nil, FieldAssets(source: .keys(try assetKeys(items)), isList: type.isList)) }
    var converted: [JSONValue] = []
    for item in items { converted.append(try convert(item, to: element)) }
    let contents = type.isList ? .array(converted) : converted[0]
    return (element.field(contents, isList: type.isList, isEncrypted: type.isEncrypted), nil)
  }

  private static func assetKeys(_ items: [JSONValue]) throws(FieldProblem) -> [String] {
    var result: [String] = []
    for item in items {
      guard let key = item.string else { throw FieldProblem("an asset's value is a key of --asset-files") }
      result.append(key)
    }
    return result
  }

  private static func convert(_ value: JSONValue, to type: FieldType) throws(FieldProblem) -> JSONValue {
    switch (type, value) {
    case (.string, .string), (.int64, .integer): return value
    case (.double, _) where value.double != nil: return .double(value.double ?? 0)
    case (.timestamp, _) where Moment(value) != nil: return value
    case (.timestamp, .string(let text)): return try FieldText.timestamp(text, allowingLocal: true).json
    case (.bytes, .string(let text)): return try FieldText.value(text, of: .bytes)
    case (.reference, .object(let object)): return .object(try reference(object))
    case (.location, .object(let object)): return .object(try location(object))
    default: throw FieldProblem("the value \(value) is not of type \(type.rawValue)")
    }
  }

  private static func reference(_ object: JSONObject) throws(FieldProblem) -> JSONObject {
    guard object["recordName"]?.string != nil else { throw FieldProblem("a reference needs a \"recordName\"") }
    var result = object
    result["zone"] = nil
    result["owner"] = nil
    if result["action"] == nil { result["action"] = "NONE" }
    var zone = JSONObject()
    zone["zoneName"] = object["zone"]
    zone["ownerRecordName"] = object["owner"]
    if !zone.isEmpty { result["zoneID"] = .object(zone) }
    return result
  }

  private static func location(_ object: JSONObject) throws(FieldProblem) -> JSONObject {
    guard object["latitude"]?.double != nil, object["longitude"]?.double != nil else {
      throw FieldProblem("a location needs \"latitude\" and \"longitude\"")
    }
    var result = object
    if let text = object["timestamp"]?.string {
      result["timestamp"] = try FieldText.timestamp(text, allowingLocal: true).json
    }
    return result
  }
}
