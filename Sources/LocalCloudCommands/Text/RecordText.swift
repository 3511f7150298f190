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

  /// Formats one line for each record.
  func table(_ records: [Record], _ layout: Layout) -> Table {
    var table = RecordTable(self, layout)
    return table.page(records)
  }

  /// Plain and encrypted fields, sorted by name.
  func fields(_ record: Record) -> [(key: String, value: FieldValue, isEncrypted: Bool)] {
    (record.fields.map { ($0.key, $0.value, false) } + record.encryptedFields.map { ($0.key, $0.value, true) })
      .sorted { $0.0 < $1.0 }
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
