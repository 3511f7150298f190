import LocalCloudPlatform
import LocalCloudStorage

/// A log that is read from its first byte to its last, without the code that writes and searches logs: each line is
/// checked against the specification.
package struct IndependentLog {
  package struct Line {
    package var value: JSONValue
    package var sequence: Int64
  }

  package private(set) var header = LogHeader(horizon: 0)
  /// The lines; empty if each was passed on as it was read.
  package private(set) var lines: [Line] = []
  /// The last line's sequence.
  package private(set) var last: Int64?
  /// The damage; ``lines`` holds the readable lines.
  package private(set) var damage: [String] = []

  /// A zone's log: after the horizon, or `base` if there is none, the sequence rises by one. Whole lines only.
  package init(zoneLog bytes: [UInt8], base: Int64 = 0) { self.init(bytes, base: base, mayBeTorn: false) }

  /// Like ``init(zoneLog:base:)``, but passes each line to `each`: a long log's values would fill the memory.
  init(zoneLog bytes: [UInt8], base: Int64, _ each: (Line) -> Void) {
    self.init(bytes, base: base, mayBeTorn: false, each)
  }

  /// A share's log: whole lines; their sequences rise with gaps.
  init(shareLog bytes: [UInt8], _ each: (Line) -> Void) {
    self.init(bytes, base: 0, mayBeTorn: false, mayJump: true, each)
  }

  /// A log with lines that no journal holds, for example a database's log. A killed process may have left a partial
  /// line; the next writer cuts it off.
  ///
  /// - Parameter mayJump: sequences may have gaps, because a replaced log continues above the earlier ones.
  package init(unjournalledLog bytes: [UInt8], mayJump: Bool = false) {
    self.init(bytes, base: 0, mayBeTorn: true, mayJump: mayJump)
  }

  private init(_ bytes: [UInt8], base: Int64, mayBeTorn: Bool, mayJump: Bool = false) {
    var lines: [Line] = []
    self.init(bytes, base: base, mayBeTorn: mayBeTorn, mayJump: mayJump) { lines.append($0) }
    self.lines = lines
  }

  private init(_ bytes: [UInt8], base: Int64, mayBeTorn: Bool, mayJump: Bool = false, _ each: (Line) -> Void) {
    var offset = 0
    var highest = base
    var kept: Int64 = 0
    while offset < bytes.count {
      guard let end = bytes[offset...].firstIndex(of: 0x0A) else {
        if !mayBeTorn { damage.append("it ends within a line") }
        break
      }
      defer { offset = end + 1 }
      guard let value = try? JSONValue(parsing: Array(bytes[offset..<end])) else {
        damage.append("the line at byte \(offset) is not JSON")
        continue
      }
      if offset == 0, let header = LogHeader(value) {
        self.header = header
        continue
      }
      guard let sequence = value["sequence"]?.integer, LogFile.sequences.contains(sequence) else {
        damage.append("the line at byte \(offset) has no sequence that can be")
        continue
      }
      each(Line(value: value, sequence: sequence))
      if sequence <= header.horizon { kept += 1 }
      let expected = sequence <= header.horizon ? sequence : max(highest, header.horizon) + 1
      if sequence <= highest || sequence != expected && !mayJump {
        damage.append("sequence \(sequence) where \(max(highest, header.horizon) + 1) belongs")
      }
      last = sequence
      highest = max(highest, sequence)
    }
    if kept != header.kept {
      damage.append(
        "the first line says that \(header.kept) lines up to \(header.horizon) were left; there are \(kept)")
    }
  }

  package var end: Int64 { max(last ?? 0, header.horizon) }
}

/// A line of a database's log, parsed only by the specification.
struct IndependentMention {
  let era: Int64
  let zone: ExactName
  /// Nil if the mention covers all changes.
  let zoneSequence: Int64?

  /// Nil if the line is no mention.
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
