import Platform

/// A zone's or a share's log without the lines that later ones made worthless.
///
/// After the horizon every line stays. Up to it, of each record that is there just its latest save, and the touch after
/// it if there was one; of a share, the latest line of each record that is inside. Removals are forgotten.
struct LogCompaction {
  let header: LogHeader
  let bytes: [UInt8]

  /// The same log and horizon give the same bytes. Everybody waits meanwhile, so each line is parsed once.
  init(of log: LogFile, horizon: Int64, superseded: Int64) throws {
    var latest: [ExactName: Latest] = [:]
    var lines: [(bytes: ArraySlice<UInt8>, sequence: Int64, name: ExactName, kind: Kind)] = []
    try log.forEach(after: .min) { line in
      let (name, kind) = try Self.parts(line, in: log)
      latest[name, default: Latest()].take(kind, line.sequence)
      lines.append((line.bytes, line.sequence, name, kind))
      return true
    }
    var header = LogHeader(horizon: horizon, forgotten: try log.header().forgotten, superseded: superseded)
    var kept: [UInt8] = []
    for line in lines {
      let entry = latest[line.name] ?? Latest()
      if line.sequence > horizon {
        kept += line.bytes
        kept.append(0x0A)
      } else if entry.needs(line.kind, line.sequence) {
        kept += line.bytes
        kept.append(0x0A)
        header.kept += 1
      } else if line.kind.isRemoval, !entry.isPresent, line.sequence == entry.last {
        header.forgotten = max(header.forgotten, line.sequence)
      }
    }
    self.header = header
    bytes = header.bytes + kept
  }

  private enum Kind: String {
    case save
    case touch
    case delete
    case inside = "in"
    case outside = "out"

    var isRemoval: Bool { self == .delete || self == .outside }
  }

  /// What a record's lines come to.
  private struct Latest {
    var isPresent = false
    var save: Int64 = .min
    var last: Int64 = .min

    mutating func take(_ kind: Kind, _ sequence: Int64) {
      last = sequence
      switch kind {
      case .save, .inside: (isPresent, save) = (true, sequence)
      case .delete, .outside: isPresent = false
      case .touch: break
      }
    }

    func needs(_ kind: Kind, _ sequence: Int64) -> Bool {
      guard isPresent, !kind.isRemoval else { return false }
      return sequence == (kind == .touch ? last : save)
    }
  }

  private static func parts(_ line: LogFile.Line, in log: LogFile) throws -> (name: ExactName, Kind) {
    guard let name = line.value["recordName"]?.string, let kind = line.value["kind"]?.string.flatMap(Kind.init) else {
      throw StoreError.damaged(path: log.file.path, reason: "the line at byte \(line.offset) is not a change")
    }
    return (ExactName(name), kind)
  }
}
