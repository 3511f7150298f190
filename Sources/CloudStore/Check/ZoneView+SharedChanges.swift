import Storage

extension ZoneView {
  /// By share, the records of which its log tells something else than the zone's does ([log-13]). For repair, where both
  /// can be read.
  package func shareLogDifferences() throws -> [ExactName: Set<ExactName>] {
    var changes = SharedChanges()
    let base = try properties().base
    let log = PlainLog(zoneLog: try zone.directory.contents("changes.jsonl") ?? [], base: base) { line in
      if let change = ChangeLine(line.value) { changes.take(change) }
    }
    changes.horizon = log.header.horizon
    var result: [ExactName: Set<ExactName>] = [:]
    for entry in try zone.shares.entries() where entry.kind == .file && entry.name.hasSuffix(".jsonl") {
      guard let bytes = try zone.shares.contents(entry.name) else { continue }
      let log = PlainShareLog(bytes, file: entry.name, end: max(log.end, base))
      if let share = log.share { result[share] = Set(changes.differences(from: log, of: share).map(\.record)) }
    }
    return result
  }
}
