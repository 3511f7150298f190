import Storage

/// A zone's or a share's log without the lines that later ones made worthless.
///
/// After the horizon every line stays. Up to it, of each record that is there just its latest save, and the touch after
/// it if there was one; of a share, the latest line of each record that is inside. Removals are forgotten.
struct LogCompaction {
  let header: LogHeader
  let bytes: [UInt8]
  /// Of so many bytes.
  let from: Int

  /// The same log and horizon give the same bytes. Everybody waits meanwhile, so a line is looked at once, and parsed only
  /// where it is not as plain as most are.
  init(of log: LogFile, horizon: Int64, superseded: Int64) throws {
    let text = try log.contents()
    from = text.count
    // About as many as there are lines, mostly of different records.
    let expected = text.count / 160
    var records = Records(expected)
    var lines: [Line] = []
    lines.reserveCapacity(expected)
    var start = 0
    while let newline = Self.newline(in: text, from: start) {
      if let found = try LoggedFate(in: text, start..<newline, of: log) {
        let record = records.take(found)
        lines.append(Line(place: start..<(newline + 1), record: record, kind: found.kind, sequence: found.sequence))
      }
      start = newline + 1
    }
    var header = LogHeader(horizon: horizon, forgotten: try log.header().forgotten, superseded: superseded)
    var kept: [Range<Int>] = []
    for line in lines {
      let latest = records.latest[line.record]
      if line.sequence <= horizon {
        guard latest.needs(line.kind, line.sequence) else {
          if line.kind.isRemoval, !latest.isPresent, line.sequence == latest.last {
            header.forgotten = max(header.forgotten, line.sequence)
          }
          continue
        }
        header.kept += 1
      }
      // Most stand side by side.
      if let last = kept.last, last.upperBound == line.place.lowerBound {
        kept[kept.count - 1] = last.lowerBound..<line.place.upperBound
      } else {
        kept.append(line.place)
      }
    }
    self.header = header
    var bytes = header.bytes
    bytes.reserveCapacity(bytes.count + kept.reduce(0) { $0 + $1.count })
    for place in kept { bytes += text[place] }
    self.bytes = bytes
  }

  /// Eight bytes at a time.
  private static func newline(in text: [UInt8], from start: Int) -> Int? {
    text.withUnsafeBytes { text in
      var offset = start
      while offset &+ 8 <= text.count {
        let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
        // Not zero if one of its bytes is.
        if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
        offset &+= 8
      }
      return text[offset...].firstIndex(of: 0x0A)
    }
  }

  private struct Line {
    var place: Range<Int>
    var record: Int
    var kind: LoggedFate.Kind
    var sequence: Int64
  }

  /// What each record's lines come to.
  private struct Records {
    private var places: [ExactName: Int] = [:]
    private(set) var latest: [Latest] = []

    init(_ expected: Int) {
      places.reserveCapacity(expected)
      latest.reserveCapacity(expected)
    }

    mutating func take(_ line: LoggedFate) -> Int {
      let place = places[line.record] ?? latest.count
      if place == latest.count {
        places[line.record] = place
        latest.append(Latest())
      }
      latest[place].take(line.kind, line.sequence)
      return place
    }
  }

  private struct Latest {
    var isPresent = false
    var save: Int64 = .min
    var last: Int64 = .min

    mutating func take(_ kind: LoggedFate.Kind, _ sequence: Int64) {
      last = sequence
      switch kind {
      case .save, .inside: (isPresent, save) = (true, sequence)
      case .delete, .outside: isPresent = false
      case .touch: break
      }
    }

    func needs(_ kind: LoggedFate.Kind, _ sequence: Int64) -> Bool {
      guard isPresent, !kind.isRemoval else { return false }
      return sequence == (kind == .touch ? last : save)
    }
  }
}
