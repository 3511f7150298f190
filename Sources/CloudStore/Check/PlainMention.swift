import Storage

/// A line of a database's log, by the specification alone.
struct PlainMention {
  let era: Int64
  let zone: ExactName
  /// Nil where it counts for everything.
  let zoneSequence: Int64?

  /// Nil for a line that is none.
  init?(_ value: JSONValue) {
    guard let era = value["era"]?.integer, era >= 0, let zone = value["zone"]?.string, value["boot"]?.string != nil
    else { return nil }
    if let counted = value["zoneSequence"] {
      guard let sequence = counted.integer, LogFile.sequences.contains(sequence) else { return nil }
      zoneSequence = sequence
    } else {
      zoneSequence = nil
    }
    self.era = era
    self.zone = ExactName(zone)
  }
}
