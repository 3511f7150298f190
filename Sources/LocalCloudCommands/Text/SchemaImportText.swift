import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Formats the data that a schema import deleted, as text and as JSON.
enum SchemaImportText {
  static func document(_ done: SchemaImport) -> JSONObject {
    var document = SchemaChangesText.document(done.changes)
    document["orphanCount"] = .integer(Int64(done.orphans))
    document["removed"] = .array(
      done.losses.map { loss in
        [
          "recordCount": .integer(Int64(loss.records)), "subject": .string(loss.subject.text),
          "zoneCount": .integer(Int64(loss.zones.count)),
        ]
      })
    return document
  }

  /// One line for each type and field with deleted data, and one for records that lost their parents.
  static func notices(_ done: SchemaImport) -> [StyledText] {
    let removed = Set(done.changes.filter { !$0.isAdditive }.map(\.subject))
    var lines: [StyledText] = done.losses.map { loss in
      let (records, zones) = (loss.records.counted("record"), loss.zones.count.counted("zone"))
      return switch loss.subject {
      case .type(let name) where removed.contains(loss.subject):
        "deleted \(records) of type \(name, .bold) in \(zones)"
      case .type(let name): "deleted with them \(records) of type \(name, .bold) in \(zones)"
      case let subject: "deleted \(subject.text, .bold) of \(records) in \(zones)"
      }
    }
    if done.orphans > 0 {
      lines.append(done.orphans == 1 ? "1 record lost its parent" : "\(done.orphans) records lost their parents")
    }
    return lines
  }
}

extension Int {
  /// The number with its noun: `1 record`, `2 records`.
  func counted(_ noun: String) -> String { "\(self) \(self.noun(noun))" }

  /// The noun for this number of things: `record`, `records`, `pushes`.
  func noun(_ singular: String) -> String { self == 1 ? singular : singular + (singular.hasSuffix("sh") ? "es" : "s") }
}
