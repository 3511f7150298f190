import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Formats the differences between two states of a cloud as lines. The records of a zone follow a line with the zone.
struct DifferenceText {
  /// The zone of the last line.
  private var zone: ZonePath?

  mutating func text(of difference: TreeDifference) -> StyledText {
    let sign = Self.sign(difference.kind)
    switch difference {
    case .account(let name, _): return sign + " account \(name)\n"
    case .schema(let container, let environment, _): return sign + " schema of \(container), \(environment)\n"
    case .zone(let path, _):
      zone = path
      return sign + " \(Self.name(of: path))\n"
    case .record(let path, let before, let after):
      var text = zone == path ? StyledText() : "\(Self.name(of: path))\n"
      zone = path
      let record = RecordDifference(before, after)
      text.append("  \(sign) \(record.type) \(record.name, .bold)\n" as StyledText)
      for line in Self.lines(record, difference.kind) { text.append("      \(line)\n" as StyledText) }
      return text
    }
  }

  private static func sign(_ kind: TreeDifference.ChangeKind) -> StyledText {
    switch kind {
    case .added: "\("+", .green)"
    case .changed: "\("~", .yellow)"
    case .removed: "\("-", .red)"
    }
  }

  /// `zone Notes of alice, iCloud.com.example.Notes, development`
  private static func name(of path: ZonePath) -> String {
    "zone \(path.zone) of \(path.account ?? "the public database"), \(path.database.container), "
      + path.database.environment
  }

  /// Change, kind, container, environment, database, account, zone, type, record and the differences in it.
  static func cells(of difference: TreeDifference) -> [String] {
    let change = difference.kind.rawValue
    switch difference {
    case .account(let name, _): return [change, "account", "", "", "", name, "", "", "", ""]
    case .schema(let container, let environment, _):
      return [change, "schema", container.string, environment, "", "", "", "", "", ""]
    case .zone(let path, _): return [change, "zone"] + cells(of: path) + ["", "", ""]
    case .record(let path, let before, let after):
      let record = RecordDifference(before, after)
      return [change, "record"] + cells(of: path)
        + [record.type, record.name, lines(record, difference.kind).joined(separator: "; ")]
    }
  }

  private static func cells(of path: ZonePath) -> [String] {
    let database = path.database
    return [
      database.container.string, database.environment, database.scope.first ?? "", path.account ?? "",
      path.zone.string,
    ]
  }

  // MARK: Records

  private static func lines(_ record: RecordDifference, _ kind: TreeDifference.ChangeKind) -> [String] {
    let members = record.members.map { line($0, kind, text(ofMember:)) }
    return members + record.fields.map { part in line(part, kind) { text(ofField: $0, part.key) } }
  }

  /// `quantity: 3 → 4`; of a record that one state lacks, `quantity: 3`.
  private static func line(
    _ part: RecordDifference.Part, _ kind: TreeDifference.ChangeKind, _ text: (JSONValue) -> String
  ) -> String {
    let (before, after) = (part.before.map(text), part.after.map(text))
    if kind != .changed { return "\(part.key): \(after ?? before ?? "")" }
    // Two sealed values, or two values that the text does not distinguish.
    if let before, before == after { return "\(part.key): \(before) changed" }
    return "\(part.key): \(before ?? "no value") → \(after ?? "no value")"
  }

  private static func text(ofMember value: JSONValue) -> String {
    value.object?["recordName"]?.string ?? value.string ?? value.description
  }

  private static func text(ofField value: JSONValue, _ key: String) -> String {
    guard let field = value.object else { return value.description }
    if field.isEncryptedField { return "(encrypted)" }
    return (try? FieldValue.parse(field, key: key))?.text ?? value.description
  }
}
