/// Where a zone's records and its log disagree.
package struct ZoneDifferences {
  /// Records whose files the log does not know as they are.
  package private(set) var changed: [ExactName] = []
  /// What the log has and the disk has not: the last line of each.
  package private(set) var lost: [ChangeLine] = []

  init(records: [ExactName: (record: StoredRecord, digest: String)], log: PlainLog) {
    var latest: [ExactName: ChangeLine] = [:]
    var lastSave: [ExactName: Int64] = [:]
    for line in log.lines {
      guard let change = ChangeLine(line.value) else { continue }
      latest[change.record] = change
      if change.kind == .save { lastSave[change.record] = change.sequence }
    }
    for (name, entry) in records {
      let line = latest[name]
      let isKnown =
        line.map {
          $0.kind != .delete && $0.digest == entry.digest && $0.tag == entry.record.tag
            && $0.parent == entry.record.parent
        } ?? false
      if !isKnown || lastSave[name] != entry.record.sequence { changed.append(name) }
    }
    changed.sort()
    lost = latest.values.filter { $0.kind != .delete && records[$0.record] == nil }.sorted { $0.record < $1.record }
  }
}
