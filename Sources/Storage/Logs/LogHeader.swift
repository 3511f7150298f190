/// What stands in the first line of a log that was compacted.
package struct LogHeader: Sendable, Hashable {
  /// Up to here only lines that still matter are left; after it every line is there.
  package var horizon: Int64
  /// The last removal that was forgotten; whoever has not read up to here has to begin anew. 0: none was.
  package var forgotten: Int64 = 0
  /// How many lines up to the horizon were left when it was written.
  package var kept: Int64 = 0
  /// Of a folder's main log: how many lines had ever become worthless by then.
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

  /// Whether compaction is worth its cost when so many lines became worthless since the last one: as many as it kept,
  /// and twice as many as stay in any case. So a log has a few times the lines it needs at most, and compaction costs
  /// each line a constant.
  package func isDue(worthless: Int64, retaining retained: Int64) -> Bool { worthless >= 2 * retained + kept }
}
