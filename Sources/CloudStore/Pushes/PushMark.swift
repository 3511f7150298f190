import Storage

/// Which push of which commit a line is: what tells a replay that a device has it already.
struct PushMark: Sendable, Hashable {
  /// The zone's history, which has no namesake.
  var history: String
  /// The zone's sequence after the commit; of the zone's end, one more.
  var sequence: Int64
  /// Which of the commit's pushes, from 1.
  var part: Int64

  init(history: String, sequence: Int64, part: Int64) {
    self.history = history
    self.sequence = sequence
    self.part = part
  }

  init?(_ value: JSONValue?) {
    guard let history = value?["history"]?.string, let sequence = value?["sequence"]?.integer,
      let part = value?["part"]?.integer, LogFile.sequences.contains(sequence), part >= 1
    else { return nil }
    self.init(history: history, sequence: sequence, part: part)
  }

  var value: JSONValue { ["history": .string(history), "part": .integer(part), "sequence": .integer(sequence)] }

  /// Whether it comes after another one of its history.
  func follows(_ other: PushMark) -> Bool { (sequence, part) > (other.sequence, other.part) }
}
