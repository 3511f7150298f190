/// What stands in the first line of a log that was compacted.
package struct LogHeader: Sendable, Hashable {
  /// Up to here only lines that still matter are left; after it every line is there.
  package var horizon: Int64
  /// The last removal that was forgotten; whoever has not read up to here has to begin anew. 0: none was.
  package var forgotten: Int64 = 0
  /// How many lines up to the horizon were left when it was written.
  package var kept: Int64 = 0

  package init(horizon: Int64, forgotten: Int64 = 0, kept: Int64 = 0) {
    self.horizon = horizon
    self.forgotten = forgotten
    self.kept = kept
  }

  /// Nil for any other line.
  init?(_ value: JSONValue) {
    guard let horizon = value["horizon"]?.integer, let forgotten = value["forgotten"]?.integer,
      let kept = value["kept"]?.integer, LogFile.sequences.contains(horizon), (0...horizon).contains(forgotten),
      LogFile.sequences.contains(kept)
    else { return nil }
    self.init(horizon: horizon, forgotten: forgotten, kept: kept)
  }

  var bytes: [UInt8] {
    JSONValue.object([
      "forgotten": .integer(forgotten), "horizon": .integer(horizon), "kept": .integer(kept), "sequence": 0,
    ]).compact() + [0x0A]
  }

  /// Whether so much came after the horizon that a new one is worth its cost: as much as it keeps, and twice what has
  /// to stay. So a log has at most twice the lines it needs, and compaction costs each line a constant.
  func isDue(at head: Int64, retaining retained: Int64) -> Bool { head - horizon >= 2 * retained + kept }
}
