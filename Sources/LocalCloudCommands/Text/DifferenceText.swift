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
    case .subscription(let path, let id, _): return sign + " subscription \(id) of \(Self.name(of: path))\n"
    case .zone(let path, _):
      zone = path
      return sign + " \(Self.name(of: path))\n"
    case .record(let path, let before, let after):
      let record = RecordDifference(before, after)
      return text(
        of: path, sign + " \(record.type) \(record.name, .bold)\n", Self.lines(record, difference.kind))
    case .loggedRecord(let path, let record):
      return text(of: path, sign + " \(record.type) \(record.name.string, .bold)\n", Self.lines(record))
    }
  }

  private mutating func text(of path: ZonePath, _ record: StyledText, _ lines: [String]) -> StyledText {
    var text = zone == path ? StyledText() : "\(Self.name(of: path))\n"
    zone = path
    text.append("  " + record)
    for line in lines { text.append("      \(line)\n" as StyledText) }
    return text
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

  /// `alice's private database, iCloud.com.example.Notes, development`
  private static func name(of path: DatabasePath) -> String {
    (path.account.map { "\($0)'s \(path.scope[0]) database" } ?? "the public database")
      + ", \(path.container), \(path.environment)"
  }

  /// Change, kind, container, environment, database, account, zone, type, record or subscription, and the differences in
  /// a record.
  static func cells(of difference: TreeDifference) -> [String] {
    let change = difference.kind.rawValue
    switch difference {
    case .account(let name, _): return [change, "account", "", "", "", name, "", "", "", ""]
    case .schema(let container, let environment, _):
      return [change, "schema", container.string, environment, "", "", "", "", "", ""]
    case .subscription(let path, let id, _):
      return [change, "subscription"] + cells(of: path) + ["", "", id, ""]
    case .zone(let path, _): return [change, "zone"] + cells(of: path) + ["", "", ""]
    case .loggedRecord(let path, let record):
      return [change, "record"] + cells(of: path)
        + [record.type, record.name.string, lines(record).joined(separator: "; ")]
    case .record(let path, let before, let after):
      let record = RecordDifference(before, after)
      return [change, "record"] + cells(of: path)
        + [record.type, record.name, lines(record, difference.kind).joined(separator: "; ")]
    }
  }

  private static func cells(of path: ZonePath) -> [String] {
    cells(of: path.database) + [path.zone.string]
  }

  private static func cells(of path: DatabasePath) -> [String] {
    [path.container.string, path.environment, path.scope.first ?? "", path.account ?? ""]
  }

  // MARK: Records

  /// A log has the names of fields, not their values.
  private static func lines(_ record: LoggedDifference) -> [String] {
    guard record.kind != .removed else { return [] }
    return ((record.members ?? []) + (record.fields ?? ["fields not recorded"]))
  }

  private static func lines(_ record: RecordDifference, _ kind: TreeDifference.ChangeKind) -> [String] {
    let members = record.members.map { line($0, kind, text(ofMember:)) }
    return members + record.fields.map { part in line(part, kind) { text(ofField: $0, part.key) } }
  }

  /// `quantity: 3 → 4`; of a record that one state lacks, `quantity: 3`.
  private static func line(
    _ part: RecordDifference.Part, _ kind: TreeDifference.ChangeKind, _ text: (JSONValue) -> String
  ) -> String {
    let (before, after) = (part.before.map(text), part.after.map(text))
    return kind == .changed ? line(part.key, from: before, to: after) : "\(part.key): \(after ?? before ?? "")"
  }

  /// `quantity: 3 → 4`
  static func line(_ key: String, from before: String?, to after: String?) -> String {
    // Two sealed values, or two values that the text does not distinguish.
    if let before, before == after { return "\(key): \(before) changed" }
    return "\(key): \(before ?? "no value") → \(after ?? "no value")"
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
