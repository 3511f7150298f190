/// The first line of a compacted log.
package struct LogHeader: Sendable, Hashable {
  /// Up to this sequence only lines that are still needed remain; after it every line is present.
  package var horizon: Int64
  /// The sequence of the last removal that was omitted; 0 if none was. A reader that has not read up to it has to start
  /// over.
  package var forgotten: Int64 = 0
  /// The number of lines up to the horizon that remained when the header was written.
  package var kept: Int64 = 0
  /// In a folder's main log: the number of lines that were ever superseded up to that time.
  package var superseded: Int64 = 0

  package init(horizon: Int64, forgotten: Int64 = 0, kept: Int64 = 0, superseded: Int64 = 0) {
    self.horizon = horizon
    self.forgotten = forgotten
    self.kept = kept
    self.superseded = superseded
  }

  /// Nil for any other line.
  package init?(_ value: JSONValue) {
    guard value["sequence"]?.integer == 0, let horizon = value["horizon"]?.integer,
      let forgotten = value["forgotten"]?.integer, let kept = value["kept"]?.integer,
      let superseded = value["superseded"]?.integer,
      [horizon, kept, superseded].allSatisfy(LogFile.sequences.contains), (0...horizon).contains(forgotten)
    else { return nil }
    self.init(horizon: horizon, forgotten: forgotten, kept: kept, superseded: superseded)
  }

  package var bytes: [UInt8] {
    JSONValue.object([
      "forgotten": .integer(forgotten), "horizon": .integer(horizon), "kept": .integer(kept), "sequence": 0,
      "superseded": .integer(superseded),
    ]).compact() + [0x0A]
  }

  /// Whether compaction is worth its cost after `worthless` lines were superseded since the last one: as many as it
  /// retained, and twice as many as stay in any case. So a log has at most a few times the lines it needs, and
  /// compaction costs each line a constant.
  package func isDue(worthless: Int64, retaining retained: Int64) -> Bool { worthless >= 2 * retained + kept }
}
