/// A log's compaction, up to a byte of it.
struct CompactedLog: Sendable {
  var effect: JournalEntry.Compaction
  var bytes: [UInt8]

  /// Nil where it is not worth it. `from`: how many bytes of the log; nil: its whole lines.
  init?(of path: StorePath, _ from: Int? = nil, in client: any FolderClient, _ plan: CompactionPlan) throws {
    guard let log = try client.log(path) else { return nil }
    let from = try from ?? log.end()
    let compaction = try LogCompaction(
      of: LogFile(log.file, limit: from), horizon: plan.horizon, superseded: plan.superseded, client.logSchema)
    // Without a lock it may be seen while somebody makes it shorter.
    guard compaction.from == from else { return nil }
    bytes = compaction.bytes
    if path != client.mainLog, bytes.count >= from { return nil }
    effect = JournalEntry.Compaction(
      path: path, horizon: plan.horizon, superseded: plan.superseded, from: from, size: bytes.count,
      digest: Digest.hex64(bytes))
  }
}
