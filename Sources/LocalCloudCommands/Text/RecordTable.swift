import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The table of records that arrive page by page. All pages have the columns of the first one, unless a later page has
/// fields, or parents, that no earlier one had: it and the following ones have columns for these, too.
struct RecordTable {
  private let text: RecordText
  private let layout: RecordText.Layout
  private let showsZones: Bool
  /// The columns of fields.
  private var alignments: [String: Table.Alignment] = [:]
  private var hasParents = false

  /// `ofZones` adds a column with the record's zone.
  init(_ text: RecordText, _ layout: RecordText.Layout, ofZones showsZones: Bool = false) {
    self.text = text
    self.layout = layout
    self.showsZones = showsZones
  }

  /// Adds columns for fields that later pages may have.
  mutating func expect(_ fields: [String]) {
    for field in fields where alignments[field] == nil { alignments[field] = .left }
  }

  /// Formats one line for each record.
  mutating func page(_ records: [Record]) -> Table {
    if layout == .fieldWords { return wordTable(records) }
    for key in Set(records.flatMap { Array($0.fields.keys) + Array($0.encryptedFields.keys) })
    where alignments[key] == nil {
      alignments[key] = Self.isNumber(key, records) ? .right : .left
    }
    if records.contains(where: { $0.parent != nil }) { hasParents = true }
    let showsType = layout == .fieldColumns
    let keys = alignments.keys.sorted()
    var columns: [Table.Column] = ["record"]
    if showsZones { columns.append("zone") }
    if showsType { columns.append("type") }
    if hasParents { columns.append("parent") }
    columns += keys.map { Table.Column($0, alignments[$0] ?? .left) }
    columns += ["modified", "by", "tag"]
    let rows = records.map { record in
      var cells = [record.id.name.string]
      if showsZones { cells.append(text.zoneName(record.id.zone)) }
      if showsType { cells.append(record.type) }
      if hasParents { cells.append(record.parent?.string ?? "") }
      cells += keys.map { (record.fields[$0] ?? record.encryptedFields[$0])?.text ?? "" }
      return cells + version(record)
    }
    return Table(columns, rows: rows)
  }

  private func wordTable(_ records: [Record]) -> Table {
    Table(
      ["record", "type", "parent", "fields", "modified", "by", "tag"],
      rows: records.map { record in
        let words = text.fields(record).map { ShellText.word($0.key + $0.value.word(isEncrypted: $0.isEncrypted)) }
        return [record.id.name.string, record.type, record.parent?.string ?? "", words.joined(separator: " ")]
          + version(record)
      })
  }

  private func version(_ record: Record) -> [String] {
    [
      Timestamp.text(milliseconds: record.modified.timestamp), text.people.name(of: record.modified.userRecordName),
      record.changeTag,
    ]
  }

  private static func isNumber(_ key: String, _ records: [Record]) -> Bool {
    records.allSatisfy { record in
      switch record.fields[key] ?? record.encryptedFields[key] {
      case .int64?, .double?, nil: true
      default: false
      }
    }
  }
}
