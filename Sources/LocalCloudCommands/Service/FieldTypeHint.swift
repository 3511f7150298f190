import LocalCloudModel
import LocalCloudService

/// Advice for a save that was refused since a value does not have its field's type.
enum FieldTypeHint {
  /// Shows how to write the first of the fields with another type on the command line, for example `quantity:int64=4`.
  /// Nil if all types match.
  static func text(for save: RecordSave, in target: ZoneTarget) -> String? {
    guard let fields = try? target.service.schemas.schema(by: target.caller).types[save.type]?.fields else {
      return nil
    }
    let values =
      save.fields.map { (key: $0, value: $1, isEncrypted: false) }
      + save.encryptedFields.map { (key: $0, value: $1, isEncrypted: true) }
    for (key, value, isEncrypted) in values.sorted(by: { $0.key < $1.key }) {
      guard let value, let declared = fields[key]?.type,
        isEncrypted != declared.isEncrypted || !hasType(declared, value)
      else { continue }
      return "the field \(key) is declared as \(declared.serverName): write \(word(key, declared, value))"
    }
    return nil
  }

  private static func hasType(_ declared: SchemaFieldType, _ value: FieldValue) -> Bool {
    if case .list(let type, _) = value { return declared.isList && type == declared.element.valueType }
    return !declared.isList && value.elementType == declared.element.valueType
  }

  /// The field and its value as a word; `…` stands for a value that can't be of the declared type.
  private static func word(_ key: String, _ declared: SchemaFieldType, _ value: FieldValue) -> String {
    let type = declared.element.valueType
    let isPlainString = type == .string && !declared.isList
    var suffix = isPlainString ? "" : type.word + (declared.isList ? "-list" : "")
    if declared.isEncrypted { suffix = suffix.isEmpty ? "encrypted" : "encrypted-" + suffix }
    let isWritten = !declared.isList && (try? FieldText.value(value.text, of: type)) != nil
    let text = declared.isList ? "[…]" : isWritten ? ShellText.word(value.text) : "…"
    return "\(key)\(suffix.isEmpty ? "" : ":" + suffix)=\(text)"
  }
}
