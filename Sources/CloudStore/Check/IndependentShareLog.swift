import LocalCloudStorage

/// A share's log as its bytes state it, without the code that builds the index from it.
struct IndependentShareLog {
  /// The share; nil if it can't be determined.
  private(set) var share: ExactName?
  /// Each record's last line.
  private(set) var newest: [ExactName: ShareLine] = [:]
  /// Every line of the kind `out`, including those of records that were added again.
  private(set) var removals: [ShareLine] = []
  private(set) var horizon: Int64 = 0
  /// The damage, that of the log itself first.
  private(set) var damage: [String] = []

  /// `end`: the zone's sequence; no line may exceed it.
  init(_ bytes: [UInt8], file: String, end: Int64) {
    var (newest, removals): ([ExactName: ShareLine], [ShareLine]) = ([:], [])
    var strange: [String] = []
    let log = IndependentLog(shareLog: bytes) { line in
      guard let change = ShareLine(line.value) else {
        strange.append("the line of sequence \(line.sequence) is not a share's line")
        return
      }
      if change.sequence > end { strange.append("sequence \(change.sequence), where the zone is at \(end)") }
      if change.kind == .outside { removals.append(change) }
      newest[change.record] = change
    }
    (self.newest, self.removals, horizon) = (newest, removals, log.header.horizon)
    damage = log.damage + strange
    share = Self.name(ofLog: file, newest.keys)
    if share == nil { damage.append("no member of this share's log is the share itself") }
  }

  /// The lines that the index has keys for: the last line of each record inside, and every removal.
  var indexedLines: [ShareLine] { newest.values.filter { $0.kind == .inside } + removals }

  /// The share's name, from the file's name or, if that holds a digest, from the record with that file name ([name-2]).
  private static func name(ofLog file: String, _ records: some Sequence<ExactName>) -> ExactName? {
    guard file.hasSuffix(".jsonl") else { return nil }
    let stem = String(file.dropLast(".jsonl".count))
    if let name = FileName.decode(stem) { return ExactName(name) }
    return records.first { FileName.encode($0.string) == stem }
  }
}
