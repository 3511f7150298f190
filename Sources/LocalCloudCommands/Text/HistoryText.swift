import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Formats the versions of a record, one a line.
struct HistoryText {
  let people: People

  private static let notRecorded = "not recorded"
  private static let notKept = "(not kept)"

  func table(_ history: RecordHistory) -> Table {
    Table(["change", "tag", "time", "by", "device", "fields"], rows: history.versions.map(row))
  }

  private func row(_ version: RecordHistory.Version) -> [String] {
    [
      version.change.rawValue, version.changeTag,
      version.stamp.map { Timestamp.text(milliseconds: $0.timestamp) }
        ?? (version.change == .touched ? "" : Self.notRecorded),
      people.name(of: version.stamp?.userRecordName), version.stamp?.deviceID ?? "",
      Self.changes(in: version).joined(separator: "; "),
    ]
  }

  private static func changes(in version: RecordHistory.Version) -> [String] {
    let fields = version.fields.map { $0.map { text(of: $0, in: version) } } ?? [notRecorded]
    return fields + version.members
      + [version.shareBefore.map { "left \($0)" }, version.shareAfter.map { "entered \($0)" }].compactMap(\.self)
  }

  private static func text(of field: RecordHistory.Field, in version: RecordHistory.Version) -> String {
    let after = field.after.map(text)
    if version.change == .created { return version.hasAfter ? "\(field.key): \(after ?? "")" : field.key }
    if !version.hasBefore, !version.hasAfter { return field.key }
    return DifferenceText.line(
      field.key, from: version.hasBefore ? field.before.map(text) : notKept, to: version.hasAfter ? after : notKept)
  }

  private static func text(of value: RecordHistory.Value) -> String {
    switch value {
    case .plain(let value), .opened(let value): value.text
    case .sealed: "(encrypted)"
    }
  }

  /// Says that versions are missing; nil if the log has all.
  static func gap(in history: RecordHistory) -> String? {
    guard history.horizon > 0 else { return nil }
    let since = history.completeSince.map { Timestamp.text(milliseconds: $0) }
    return "the zone's log was compacted: it has all versions since \(since ?? "then"), after its change "
      + "\(history.horizon); of earlier ones at most the last is kept"
  }
}
