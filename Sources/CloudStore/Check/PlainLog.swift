import Platform

/// A log read from its first byte to its last, with nothing of the code that writes and searches logs: what the
/// specification says is checked here, line by line.
package struct PlainLog {
  package struct Line {
    package var value: JSONValue
    package var sequence: Int64
  }

  package private(set) var header = LogHeader(horizon: 0)
  package private(set) var lines: [Line] = []
  /// What is wrong; the lines are those that could be read all the same.
  package private(set) var damage: [String] = []

  /// A zone's log: after the horizon, or `base` where there is none, the sequence rises by one. Whole lines only.
  package init(zoneLog bytes: [UInt8], base: Int64 = 0) { self.init(bytes, base: base, mayBeTorn: false) }

  /// A database's log. Its lines are in no journal, so a process that was killed may have left half of one, which the
  /// next one cuts off.
  package init(databaseLog bytes: [UInt8]) { self.init(bytes, base: 0, mayBeTorn: true) }

  /// A device's pushes. Of them, too, a killed process may have left half of one; and a log that was begun anew goes on
  /// above the cursors.
  package init(pushLog bytes: [UInt8]) { self.init(bytes, base: 0, mayBeTorn: true, mayJump: true) }

  /// What the sharing screen did on a device. The next one cuts off half a line here, too.
  package init(sharingLog bytes: [UInt8]) { self.init(bytes, base: 0, mayBeTorn: true) }

  private init(_ bytes: [UInt8], base: Int64, mayBeTorn: Bool, mayJump: Bool = false) {
    var offset = 0
    var last = base
    for piece in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      defer { offset += piece.count + 1 }
      if offset + piece.count == bytes.count {
        if !piece.isEmpty, !mayBeTorn { damage.append("it ends within a line") }
        break
      }
      guard let value = try? JSONValue(parsing: Array(piece)) else {
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
      lines.append(Line(value: value, sequence: sequence))
      let expected = sequence <= header.horizon ? sequence : max(last, header.horizon) + 1
      if sequence <= last && !lines.dropLast().isEmpty || sequence != expected && !mayJump {
        damage.append("sequence \(sequence) where \(max(last, header.horizon) + 1) belongs")
      }
      last = max(last, sequence)
    }
  }

  package var last: Int64? { lines.last?.sequence }
  package var end: Int64 { max(last ?? 0, header.horizon) }
}
