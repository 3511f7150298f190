import LocalCloudStorage

/// The changes of shares according to a zone's log: the lines of records that the share's own log must have, too
/// ([log-13]).
///
/// Only a record's last line in a share's log is compared, because feeds report no other, and whether it is `in` or
/// `out`. A line that a child's save left (a touch without shares) is in no share's log. Compaction retains a record's
/// last `save` and its last line. So up to the horizon a share's log may hold more than the zone's log, but never less.
struct SharedChanges {
  /// The part of a line of the zone's log that a share's line must agree with.
  struct Change {
    var sequence: Int64
    var type: String
  }

  /// Up to this sequence lines may be missing.
  var horizon: Int64 = 0
  /// Each record's last `save`; empty if the caller finds these itself.
  private var saves: [ExactName: Change] = [:]
  private let holdsSaves: Bool
  /// By share and record: the last line with which the record entered the share, or changed inside.
  private var entered: [ExactName: [ExactName: Change]] = [:]
  /// By share and record: the last line with which the record left the share.
  private var left: [ExactName: [ExactName: Change]] = [:]
  /// Each share's own first line since it was made. A share that was made again under its name has a new log
  /// ([log-14]).
  private var begun: [ExactName: Int64] = [:]

  init(holdsSaves: Bool = true) { self.holdsSaves = holdsSaves }

  /// Takes the next line. Call with all lines, in order.
  mutating func add(_ line: ChangeLine) {
    let isThere = line.kind != .delete
    let change = Change(sequence: line.sequence, type: line.type)
    if line.kind == .save, holdsSaves { saves[line.record] = change }
    if let share = line.shareAfter, isThere { entered[share, default: [:]][line.record] = change }
    for share in [line.shareBefore, line.shareAfter].compactMap({ $0 }) where !isThere || share != line.shareAfter {
      left[share, default: [:]][line.record] = change
    }
    if !isThere {
      begun[line.record] = nil
    } else if line.shareAfter == line.record, begun[line.record] == nil {
      begun[line.record] = line.sequence
    }
  }

  /// The records for which the share's log differs from the zone's, each with the difference.
  func differences(from log: IndependentShareLog, of share: ExactName) -> [(record: ExactName, text: String)] {
    differences(from: log, of: share) { saves[$0] }
  }

  /// - Parameter lastSave: returns a record's last `save`.
  func differences(
    from log: IndependentShareLog, of share: ExactName, lastSave: (ExactName) throws -> Change?
  ) rethrows -> [(record: ExactName, text: String)] {
    let (entered, left) = (entered[share] ?? [:], left[share] ?? [:])
    var result: [(record: ExactName, text: String)] = []
    for (record, line) in log.newest {
      let text: String?
      switch line.kind {
      case .inside: text = difference(line, change: latest(entered[record], try lastSave(record)), end: left[record])
      case .outside: text = difference(line, change: entered[record], end: left[record])
      }
      if let text { result.append((record, text)) }
    }
    // If the log has no line of a record, it may have forgotten that the record left, or the record left before the
    // share was made.
    if let first = begun[share] {
      for (record, end) in left where log.newest[record] == nil {
        if end.sequence > first, end.sequence > log.horizon, end.sequence > entered[record]?.sequence ?? -1 {
          result.append((record, "it does not say that '\(record)' left at sequence \(end.sequence)"))
        }
      }
    }
    return result.sorted { $0.record < $1.record }
  }

  private func latest(_ first: Change?, _ second: Change?) -> Change? {
    [first, second].compactMap { $0 }.max { $0.sequence < $1.sequence }
  }

  /// `change`, `end`: when the record last entered the share or changed inside, and when it last left, by the zone's
  /// log.
  private func difference(_ line: ShareLine, change: Change?, end: Change?) -> String? {
    let name = line.record
    if let end, end.sequence > line.sequence {
      return "it does not say that '\(name)' left at sequence \(end.sequence)"
    }
    if let change, change.sequence > line.sequence {
      return "it lacks the change of '\(name)' at sequence \(change.sequence)"
    }
    if let known = line.kind == .inside ? change : end, known.sequence == line.sequence {
      return known.type.hasSameBytes(as: line.type) ? nil : "the type in its line of '\(name)' is not the zone's log's"
    }
    return line.sequence <= horizon
      ? nil : "its line of '\(name)' at sequence \(line.sequence) is no change of the zone's log"
  }
}

extension ZoneView {
  /// By share, the records for which its log differs from the zone's ([log-13]). For repair, when both logs can be
  /// read.
  package func shareLogDifferences() throws -> [ExactName: Set<ExactName>] {
    var changes = SharedChanges()
    let base = try properties().base
    let log = IndependentLog(zoneLog: try zone.directory.contents("changes.jsonl") ?? [], base: base) { line in
      if let change = ChangeLine(line.value) { changes.add(change) }
    }
    changes.horizon = log.header.horizon
    var result: [ExactName: Set<ExactName>] = [:]
    for entry in try zone.shares.entries() where entry.kind == .file && entry.name.hasSuffix(".jsonl") {
      guard let bytes = try zone.shares.contents(entry.name) else { continue }
      let log = IndependentShareLog(bytes, file: entry.name, end: max(log.end, base))
      if let share = log.share { result[share] = Set(changes.differences(from: log, of: share).map(\.record)) }
    }
    return result
  }
}
