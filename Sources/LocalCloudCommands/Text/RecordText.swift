import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Formats records for people.
struct RecordText {
  let people: People

  enum Layout {
    /// Records of one type, without a column for the type.
    case oneType
    /// One column for each field.
    case fieldColumns
    /// All fields in one column, written as words. The columns are the same for all records.
    case fieldWords
  }

  /// Formats one line for each record. `ofZones` adds a column with the record's zone.
  func table(_ records: [Record], _ layout: Layout, ofZones showsZones: Bool = false) -> Table {
    if layout == .fieldWords { return wordTable(records) }
    let showsType = layout == .fieldColumns
    let keys = Set(records.flatMap { Array($0.fields.keys) + Array($0.encryptedFields.keys) }).sorted()
    let hasParents = records.contains { $0.parent != nil }
    var columns: [Table.Column] = ["record"]
    if showsZones { columns.append("zone") }
    if showsType { columns.append("type") }
    if hasParents { columns.append("parent") }
    columns += keys.map { Table.Column($0, isNumber($0, records) ? .right : .left) }
    columns += ["modified", "by", "tag"]
    let rows = records.map { record in
      var cells = [record.id.name.string]
      if showsZones { cells.append(zoneName(record.id.zone)) }
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
        let words = fields(record).map { ShellText.word($0.key + $0.value.word(isEncrypted: $0.isEncrypted)) }
        return [record.id.name.string, record.type, record.parent?.string ?? "", words.joined(separator: " ")]
          + version(record)
      })
  }

  /// Plain and encrypted fields, sorted by name.
  private func fields(_ record: Record) -> [(key: String, value: FieldValue, isEncrypted: Bool)] {
    (record.fields.map { ($0.key, $0.value, false) } + record.encryptedFields.map { ($0.key, $0.value, true) })
      .sorted { $0.0 < $1.0 }
  }

  private func version(_ record: Record) -> [String] {
    [
      Timestamp.text(milliseconds: record.modified.timestamp), people.name(of: record.modified.userRecordName),
      record.changeTag,
    ]
  }

  private func isNumber(_ key: String, _ records: [Record]) -> Bool {
    records.allSatisfy { record in
      switch record.fields[key] ?? record.encryptedFields[key] {
      case .int64?, .double?, nil: true
      default: false
      }
    }
  }

  /// Formats all details of one record.
  func details(_ record: Record) -> StyledText {
    var list = DetailList("\(record.type) \(record.id.name, .bold)")
    list.add("zone", zoneName(record.id.zone))
    list.add("tag", record.changeTag)
    list.add("parent", record.parent?.string)
    list.add("share", record.share?.string)
    list.add("created", stamp(record.created))
    list.add("modified", stamp(record.modified))
    var text = list.text
    let all = fields(record)
    if !all.isEmpty {
      var fields = DetailList()
      for (key, value, isEncrypted) in all {
        fields.add(key + (isEncrypted ? value.encryptedSuffix : value.suffix), value.text)
      }
      text.append("\n" + fields.text)
    }
    if let details = record.shareDetails { text.append("\n" + ShareText(people: people).parts(details)) }
    return text
  }

  func zoneName(_ zone: ZoneIdentifier) -> String {
    zone.owner.map { "\(zone.name) of \(people.name(of: $0))" } ?? zone.name.string
  }

  private func stamp(_ stamp: Stamp) -> String {
    "\(Timestamp.text(milliseconds: stamp.timestamp)) by \(people.name(of: stamp.userRecordName)) on \(stamp.deviceID)"
  }
}

extension CommandContext {
  /// Writes all details of one record; tab-separated, a line of a list.
  func writeResult(record: Record, _ text: RecordText) throws {
    guard format == .tsv else { return try writeResult(record.object, text: text.details(record)) }
    try writeResult(list: "records", [.object(record.object)], table: text.table([record], .fieldColumns))
  }
}
