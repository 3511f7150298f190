import LocalCloudStorage

/// The differences between a zone's records and its log.
package struct ZoneDifferences {
  /// Records that differ from the log, or that are invalid, each with the reason.
  private(set) var changed: [(record: ExactName, reason: String)] = []
  /// The last line of each record that the log has and the disk lacks.
  private(set) var lost: [ChangeLine] = []

  init(records: [ExactName: RecordFileState], log: IndependentLog) {
    var latest: [ExactName: ChangeLine] = [:]
    var lastSave: [ExactName: Int64] = [:]
    for line in log.lines {
      guard let change = ChangeLine(line.value) else { continue }
      latest[change.record] = change
      if change.kind == .save { lastSave[change.record] = change.sequence }
    }
    for (name, state) in records {
      let line = latest[name].flatMap { $0.kind == .delete ? nil : $0 }
      let reason =
        line.map { state.disagreement(with: $0, lastSave: lastSave[name]) } ?? "the log knows no such record"
      if let reason = reason ?? state.fault { changed.append((name, reason)) }
    }
    changed.sort { $0.record < $1.record }
    lost = latest.values.filter { $0.kind != .delete && records[$0.record] == nil }.sorted { $0.record < $1.record }
  }
}
