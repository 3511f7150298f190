import CloudModel

extension FieldValue {
  /// What stands behind a field's name on the command line: nothing for a string, else `:int64`, `:int64-list`, …
  var suffix: String {
    if case .string = self { return "" }
    if case .list(let type, _) = self { return ":\(type.word)-list" }
    return elementType.map { ":\($0.word)" } ?? ""
  }

  /// The same of an encrypted field: `:encrypted`, `:encrypted-int64`, …
  var encryptedSuffix: String { ":encrypted" + (suffix.isEmpty ? "" : "-" + suffix.dropFirst()) }

  /// `=Ada`, `:int64=36`, as it stands behind a field's name; lists as JSON.
  func word(isEncrypted: Bool = false) -> String {
    let suffix = isEncrypted ? encryptedSuffix : suffix
    guard case .list = self else { return "\(suffix)=\(text)" }
    return "\(suffix)=\(field["value"] ?? .null)"
  }

  /// As a word of the command line would say it.
  var text: String {
    switch self {
    case .string(let value): value
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .timestamp(let value): value.text
    case .bytes: field["value"]?.string ?? ""
    case .reference(let value): value.record.string
    case .location(let value): "\(value.latitude),\(value.longitude)"
    case .asset(let value): value.file ?? value.name.map { "\($0.size) bytes, \($0)" } ?? ""
    case .list(_, let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    }
  }
}
