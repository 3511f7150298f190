import CloudService
import CloudStore

extension FieldValue {
  /// What stands behind a field's name on the command line: nothing for a string, else `:int64`, `:int64-list`, …
  var suffix: String {
    if case .string = self { return "" }
    return ":" + typeName.lowercased().replacing("_list", with: "-list")
  }

  /// `=Ada`, `:int64=36`, as it stands behind a field's name; lists as JSON.
  var word: String {
    guard case .list = self else { return "\(suffix)=\(text)" }
    return "\(suffix)=\(field["value"] ?? .null)"
  }

  /// As a word of the command line would say it.
  var text: String {
    switch self {
    case .string(let value): value
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .timestamp(let value): Timestamp.text(milliseconds: value)
    case .bytes: field["value"]?.string ?? ""
    case .reference(let value): value.record.string
    case .location(let value): "\(value.latitude),\(value.longitude)"
    case .list(_, let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    }
  }
}
