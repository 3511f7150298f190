import LocalCloudPlatform
import LocalCloudStorage

/// A log that is read from its first byte to its last, without the code that writes and searches logs: each line is
/// checked against the specification.
package struct IndependentLog {
  package struct Line {
    package var value: JSONValue
    package var sequence: Int64
    /// The byte where it begins.
    var offset: Int
  }

  package private(set) var header = LogHeader(horizon: 0)
  /// The lines; empty if each was passed on as it was read.
  package private(set) var lines: [Line] = []
  /// The last line's sequence.
  package private(set) var last: Int64?
  /// The damage; ``lines`` holds the readable lines.
  package private(set) var damage: [String] = []
  private let mayJump: Bool
  private var highest: Int64
  /// The number of lines up to the horizon.
  private var kept: Int64 = 0

  /// A zone's log: after the horizon, or `base` if there is none, the sequence rises by one. Whole lines only.
  package init(zoneLog bytes: [UInt8], base: Int64 = 0) { self.init(bytes, base: base, mayBeTorn: false) }

  /// Like ``init(zoneLog:base:)``, but reads the log piece by piece and passes each line to `each`: a long log would
  /// fill the memory.
  init(zoneLog file: File, base: Int64, _ each: (Line) -> Void) throws(SystemError) {
    (highest, mayJump) = (base, false)
    let size = try file.size()
    // No log is so large: the error says so.
    if size > File.mostBytes { _ = try file.readAll() }
    var buffer: [UInt8] = []
    var start = 0
    while start + buffer.count < size {
      let end = start + buffer.count
      let more = try file.read(at: end, count: min(max(1 << 16, buffer.count), size - end))
      if more.isEmpty { break }
      buffer += more
      let rest = readLines(in: buffer, at: start, each)
      start += buffer.count - rest.count
      buffer = Array(rest)
    }
    finish(isWhole: buffer.isEmpty)
  }

  /// Like ``init(zoneLog:base:)``, but passes each line to `each`.
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
    (highest, self.mayJump) = (base, mayJump)
    let rest = readLines(in: bytes, at: 0, each)
    finish(isWhole: mayBeTorn || rest.isEmpty)
  }

  /// Reads the whole lines of a part of the log that begins at `offset`. Returns the bytes after the last one.
  private mutating func readLines(in bytes: [UInt8], at offset: Int, _ each: (Line) -> Void) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      if let line = read(rest[..<end], at: offset + rest.startIndex) { each(line) }
      rest = rest[(end + 1)...]
    }
    return rest
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Line? {
    guard let value = try? JSONValue(parsing: Array(bytes)) else {
      damage.append("the line at byte \(offset) is not JSON")
      return nil
    }
    if offset == 0, let header = LogHeader(value) {
      self.header = header
      return nil
    }
    guard let sequence = value["sequence"]?.integer, LogFile.sequences.contains(sequence) else {
      damage.append("the line at byte \(offset) has no sequence that can be")
      return nil
    }
    if sequence <= header.horizon { kept += 1 }
    let expected = sequence <= header.horizon ? sequence : max(highest, header.horizon) + 1
    if sequence <= highest || sequence != expected && !mayJump {
      damage.append("sequence \(sequence) where \(max(highest, header.horizon) + 1) belongs")
    }
    last = sequence
    highest = max(highest, sequence)
    return Line(value: value, sequence: sequence, offset: offset)
  }

  private mutating func finish(isWhole: Bool) {
    if !isWhole { damage.append("it ends within a line") }
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
