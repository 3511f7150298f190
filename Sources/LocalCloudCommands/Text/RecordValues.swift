import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The plain values of a record for scripts, as `record get --value` prints them.
struct RecordValues {
  let record: Record
  let target: ZoneTarget

  /// The lines with the values of these fields: of one field its text, of a list one line for each element; of several
  /// fields one line of tab-separated cells, as in a table.
  func lines(_ names: [String]) throws -> [String] {
    if names.count == 1 { return try texts(names[0]).texts }
    let cells = try names.map { name in
      let value = try texts(name)
      let text = value.isList ? "[" + value.texts.joined(separator: ", ") + "]" : value.texts.joined()
      return VisibleText.escapeReversibly(text)
    }
    return [cells.joined(separator: "\t")]
  }

  private func texts(_ name: String) throws -> (texts: [String], isList: Bool) {
    if let value = record.fields[name] ?? record.encryptedFields[name] {
      if case .list(_, let elements) = value { return (try elements.map(text), true) }
      return ([try text(value)], false)
    }
    if let text = systemText(name) { return ([text], false) }
    let fields = (Array(record.fields.keys) + Array(record.encryptedFields.keys)).sorted()
    throw CommandFailure.notFound(
      "the record \(record.id.name) has no field \"\(name)\"",
      hint: "it has \((fields + Self.systemFields.filter { systemText($0) != nil }).joined(separator: ", "))")
  }

  private func text(_ value: FieldValue) throws -> String {
    switch value {
    case .bytes: return value.field["value"]?.string ?? ""
    case .asset(let asset):
      if let file = asset.file { return file }
      guard let name = asset.name else { return "" }
      return try target.service.zones.path(
        ofAsset: name, of: record.id.zone, in: target.scope, by: target.caller)
    default: return value.text
    }
  }

  // MARK: System fields

  private static let systemFields = [
    "recordName", "recordType", "recordChangeTag", "parent", "share", "createdTimestamp", "createdUserRecordName",
    "modifiedTimestamp", "modifiedUserRecordName", "url",
  ]

  /// Nil for another name, and for what the record does not have.
  private func systemText(_ name: String) -> String? {
    switch name {
    case "recordName": record.id.name.string
    case "recordType": record.type
    case "recordChangeTag": record.changeTag
    case "parent": record.parent?.string
    case "share": record.share?.string
    case "createdTimestamp": Timestamp.text(milliseconds: record.created.timestamp)
    case "createdUserRecordName": record.created.userRecordName
    case "modifiedTimestamp": Timestamp.text(milliseconds: record.modified.timestamp)
    case "modifiedUserRecordName": record.modified.userRecordName
    case "url": record.shareDetails?.url
    default: nil
    }
  }
}
