import Foundation
import LocalCloudModel
import LocalCloudStorage

/// A checked view of a push's dictionary. The values come from outside and may have any type.
struct PushDictionary {
  private let members: [String: Any]

  init?(_ value: Any?) {
    switch value {
    case let members as [String: Any]: self.members = members
    case let members as [AnyHashable: Any]:
      self.members = Dictionary(
        members.compactMap { key, value in (key.base as? String).map { ($0, value) } }, uniquingKeysWith: { $1 })
    default: return nil
    }
  }

  func string(_ key: String) -> String? { members[key] as? String }

  func strings(_ key: String) -> [String]? { members[key] as? [String] }

  func integer(_ key: String) -> Int? { members[key] as? Int ?? (members[key] as? NSNumber)?.intValue }

  func dictionary(_ key: String) -> PushDictionary? { PushDictionary(members[key]) }

  /// The fields of a record: strings and numbers are sent plainly, other values as typed dictionaries.
  func fields(_ zoneID: CKRecordZoneID?) -> [String: ClientValue] {
    let translator = Translator(ownName: nil)
    var result: [String: ClientValue] = [:]
    for (key, value) in members {
      if let typed = PushDictionary(value) {
        guard let object = typed.json.object,
          let parsed = (try? FieldValue.parse(object, key: key)) ?? nil,
          let field = try? translator.value(parsed, in: zoneID ?? .default)
        else { continue }
        result[key] = field
      } else if let field = ClientValue(value) {
        result[key] = field
      }
    }
    return result
  }

  private var json: JSONValue {
    .object(JSONObject(members.compactMap { key, value in Self.json(value).map { (key, $0) } }))
  }

  private static func json(_ value: Any) -> JSONValue? {
    switch value {
    case let text as String: .string(text)
    case let number as NSNumber:
      Double(exactly: number.int64Value) == number.doubleValue
        ? .integer(number.int64Value) : .double(number.doubleValue)
    default: PushDictionary(value)?.json
    }
  }
}

extension JSONValue {
  /// The value as objects of Foundation, as a system passes dictionaries to an app.
  package var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    // Foundation's numbers have no more digits than a Double, so the text is passed.
    case .decimal(let text): text
    case .string(let text): text
    case .array(let elements): elements.map(\.foundation)
    case .object(let object):
      Dictionary(object.map { ($0.key, $0.value.foundation) }, uniquingKeysWith: { $1 })
    }
  }
}
