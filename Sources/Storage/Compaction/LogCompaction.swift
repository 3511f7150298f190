/// The contents of a folder's log without the lines that later ones superseded.
///
/// Every line after the horizon stays. Of the lines up to it, each existing subject keeps the latest one of the kind
/// `present` and, if the subject's last line is a touch, that one. Removals are omitted.
struct LogCompaction {
  let header: LogHeader
  let bytes: [UInt8]
  /// The size of the old log in bytes.
  let from: Int

  /// Compacts a log. The same log and horizon give the same bytes. Other processes may wait for this, so each line is
  /// read once, and parsed only if ``LogLineSummary`` can't read it in the fast way.
  init(of log: LogFile, horizon: Int64, superseded: Int64, _ schema: LogSchema) throws {
    let text = try log.contents()
    from = text.count
    if schema.areLinesIndependent {
      (header, bytes) = try Self.later(than: horizon, in: text, of: log, superseded)
      return
    }
    // An estimate of the number of lines; most have different subjects.
    let expected = text.count / 160
    var subjects = Subjects(expected)
    var lines: [Line] = []
    lines.reserveCapacity(expected)
    var start = 0
    while let newline = Self.newline(in: text, from: start) {
      if let found = try LogLineSummary(in: text, start..<newline, of: log, schema) {
        let subject = subjects.add(found)
        lines.append(
          Line(range: start..<(newline + 1), subject: subject, outcome: found.outcome, sequence: found.sequence))
      }
      start = newline + 1
    }
    var header = LogHeader(horizon: horizon, forgotten: try log.header().forgotten, superseded: superseded)
    var kept: [Range<Int>] = []
    for line in lines {
      let latest = subjects.latest[line.subject]
      if line.sequence <= horizon {
        guard latest.needs(line.outcome, line.sequence) else {
          if line.outcome == .gone, !latest.isPresent, line.sequence == latest.last {
            header.forgotten = max(header.forgotten, line.sequence)
          }
          continue
        }
        header.kept += 1
      }
      // Most of the retained lines are adjacent.
      if let last = kept.last, last.upperBound == line.range.lowerBound {
        kept[kept.count - 1] = last.lowerBound..<line.range.upperBound
      } else {
        kept.append(line.range)
      }
    }
    self.header = header
    var bytes = header.bytes
    bytes.reserveCapacity(bytes.count + kept.reduce(0) { $0 + $1.count })
    for range in kept { bytes += text[range] }
    self.bytes = bytes
  }

  /// The lines after the horizon, after a header.
  private static func later(
    than horizon: Int64, in text: [UInt8], of log: LogFile, _ superseded: Int64
  ) throws -> (LogHeader, [UInt8]) {
    var header = LogHeader(horizon: horizon, forgotten: try log.header().forgotten, superseded: superseded)
    var start = 0
    while let newline = newline(in: text, from: start) {
      let line = try log.parse(text[start..<newline], at: start)
      if line.sequence > horizon { break }
      // The sequence of a header is 0.
      header.forgotten = max(header.forgotten, line.sequence)
      start = newline + 1
    }
    return (header, header.bytes + text[start...])
  }

  /// Finds the next newline, eight bytes at a time.
  private static func newline(in text: [UInt8], from start: Int) -> Int? {
    text.withUnsafeBytes { text in
      var offset = start
      while offset &+ 8 <= text.count {
        let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
        // The result is not zero if one of the word's bytes is zero.
        if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
        offset &+= 8
      }
      return text[offset...].firstIndex(of: 0x0A)
    }
  }

  private struct Line {
    var range: Range<Int>
    var subject: Int
    var outcome: LogSchema.Outcome
    var sequence: Int64
  }

  /// The latest state of each subject.
  private struct Subjects {
    private var indexes: [ExactName: Int] = [:]
    private(set) var latest: [Latest] = []

    init(_ expected: Int) {
      indexes.reserveCapacity(expected)
      latest.reserveCapacity(expected)
    }

    mutating func add(_ line: LogLineSummary) -> Int {
      let index = indexes[line.subject] ?? latest.count
      if index == latest.count {
        indexes[line.subject] = index
        latest.append(Latest())
      }
      latest[index].apply(line.outcome, line.sequence)
      return index
    }
  }

  private struct Latest {
    var isPresent = false
    var save: Int64 = .min
    var last: Int64 = .min

    mutating func apply(_ outcome: LogSchema.Outcome, _ sequence: Int64) {
      last = sequence
      switch outcome {
      case .present: (isPresent, save) = (true, sequence)
      case .gone: isPresent = false
      case .touched: break
      }
    }

    func needs(_ outcome: LogSchema.Outcome, _ sequence: Int64) -> Bool {
      guard isPresent, outcome != .gone else { return false }
      return sequence == (outcome == .touched ? last : save)
    }
  }
}
