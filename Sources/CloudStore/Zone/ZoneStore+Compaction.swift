import Platform

/// Logs grow with every change; compaction leaves what still matters, and the latest changes as they are.
extension ZoneStore {
  /// A checkpoint of the journal, and a compaction of the zone's logs when enough has come together: then the journal is
  /// empty, and the logs are durable, so that a compaction can be repeated from them.
  func checkpoint() throws {
    guard let log = try log(.changeLog) else { return try journal.checkpoint() }
    let (header, view) = (try log.header(), ZoneView(self))
    let (head, superseded) = (try view.head(), try view.superseded())
    guard header.isDue(worthless: superseded - header.superseded, retaining: limits.retainedChanges) else {
      return try journal.checkpoint()
    }
    let horizon = head - limits.retainedChanges
    var zoneLog: CompactedLog?
    // Everybody waits meanwhile, for the disk and for this.
    let others = try JobLine.run { [self] in
      try journal.checkpoint()
      return try shareLogs().compactMap { try compacted($0, horizon, superseded) }
    } beside: {
      zoneLog = try compacted(.changeLog, horizon, superseded)
    }
    try put([zoneLog].compactMap(\.self) + others, horizon: horizon, head: head)
  }

  private struct CompactedLog: Sendable {
    var effect: JournalEntry.Compaction
    var bytes: [UInt8]
  }

  /// Nil where it is not worth it.
  private func compacted(_ path: FilePath, _ horizon: Int64, _ superseded: Int64) throws -> CompactedLog? {
    guard let log = try log(path) else { return nil }
    let bytes = try LogCompaction(of: log, horizon: horizon, superseded: superseded).bytes
    let from = try log.end()
    if path != .changeLog, bytes.count >= from { return nil }
    let effect = JournalEntry.Compaction(
      path: path, horizon: horizon, superseded: superseded, from: from, size: bytes.count, digest: Digest.hex64(bytes))
    return CompactedLog(effect: effect, bytes: bytes)
  }

  private func put(_ logs: [CompactedLog], horizon: Int64, head: Int64) throws {
    let entry = JournalEntry(previous: head, sequence: head, effects: logs.map { .compact($0.effect) })
    do {
      for (place, log) in logs.enumerated() { try stageDurably(log.bytes, as: String(place)) }
      let end = try journal.append(entry)
      try apply(entry, staged: true)
      try forgetRemovals(through: horizon, head: head)
      try journal.markApplied(end)
    } catch {
      unstage(entry)
      throw error
    }
  }

  private func shareLogs() throws -> [FilePath] {
    try shares.entries().filter { $0.kind == .file && $0.name.hasSuffix(".jsonl") }
      .map { FilePath(.zone, ["shares", $0.name]) }
  }

  /// Staged, and on the disk: for what takes another file's place without a journal to bring it back.
  func stageDurably(_ bytes: [UInt8], as name: String) throws {
    try staged.writeStaged(name, bytes)
    try staged.file(name, .readWrite).sync()
  }

  /// For a replay: makes the compaction anew from the old log, unless the log is the new one already.
  func stage(_ compaction: JournalEntry.Compaction, as name: String) throws {
    guard let log = try log(compaction.path) else { return }
    let present = try log.file.read(at: 0, count: compaction.size)
    if Digest.hex64(present) == compaction.digest {
      // A staged copy may be left; it must not take the place of a log that has grown since.
      _ = try staged.remove(name)
      return
    }
    let compacted = try LogCompaction(
      of: LogFile(log.file, limit: compaction.from), horizon: compaction.horizon, superseded: compaction.superseded)
    guard Digest.hex64(compacted.bytes) == compaction.digest else {
      throw StoreError.damaged(path: log.file.path, reason: "it is neither what was compacted nor what became of it")
    }
    try stageDurably(compacted.bytes, as: name)
  }

  private func forgetRemovals(through horizon: Int64, head: Int64) throws {
    guard let index = try openIndex() else { return }
    var keys: [[UInt8]] = []
    for kind in [UInt8(ascii: "d"), UInt8(ascii: "o")] {
      try index.scan(prefix: [kind]) { key in
        if let end = key.firstIndex(of: 0),
          let event = IndexKey.event(in: key, after: Array(key[...end])), event.sequence <= horizon
        {
          keys.append(key)
        }
        return true
      }
    }
    if !keys.isEmpty { try index.apply(insert: [], remove: keys, sequence: head) }
  }
}
