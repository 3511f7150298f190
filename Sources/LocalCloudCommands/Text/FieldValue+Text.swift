import LocalCloudModel
import LocalCloudStorage

extension FieldValue {
  /// The suffix of the field's name on the command line: empty for a string, otherwise `:int64`, `:int64-list`, …
  var suffix: String {
    if case .string = self { return "" }
    if case .list(let type, _) = self { return ":\(type.word)-list" }
    return elementType.map { ":\($0.word)" } ?? ""
  }

  /// The suffix for an encrypted field: `:encrypted`, `:encrypted-int64`, …
  var encryptedSuffix: String { ":encrypted" + (suffix.isEmpty ? "" : "-" + suffix.dropFirst()) }

  /// The suffix and the value as they follow a field's name: `=Ada`, `:int64=36`. Lists are written as JSON.
  func word(isEncrypted: Bool = false) -> String {
    let suffix = isEncrypted ? encryptedSuffix : suffix
    guard case .list(_, let elements) = self, !elements.contains(where: \.isLong) else { return "\(suffix)=\(text)" }
    return "\(suffix)=\(field["value"] ?? .null)"
  }

  /// Whether text output shows the size and a digest of the value instead of its bytes. JSON has the bytes.
  private var isLong: Bool {
    if case .bytes(let bytes) = self { bytes.count > 48 } else { false }
  }

  /// The value as a word of the command line. For long bytes and for assets, the size and the digest.
  var text: String {
    switch self {
    case .string(let value): value
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .timestamp(let value): value.text
    case .bytes(let bytes):
      isLong ? "\(bytes.count) bytes, \(Digest.hex128(bytes))" : field["value"]?.string ?? ""
    case .reference(let value): value.record.string
    case .location(let value): "\(value.latitude),\(value.longitude)"
    case .asset(let value): value.file ?? value.name.map { "\($0.size) bytes, \($0)" } ?? ""
    case .list(_, let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    }
  }
}
