/// What a compaction of a folder's logs goes by.
struct CompactionPlan: Sendable {
  /// The folder's sequence when it was found due.
  let head: Int64
  /// Up to here only what still matters is kept.
  let horizon: Int64
  /// How many lines had ever become worthless by then.
  let superseded: Int64
  /// Whether it may be done beside others: it would keep them waiting, and the log is not much larger than it should be.
  let canWait: Bool

  /// Nil where it is not due.
  init?(_ view: FolderView) throws {
    let (client, limits) = (view.folder.client, view.folder.limits)
    guard let log = try client.log(client.mainLog) else { return nil }
    let header = try log.header()
    (head, superseded) = (try view.head(), try view.superseded())
    let worthless = superseded - header.superseded
    guard header.isDue(worthless: worthless, retaining: limits.retainedChanges) else { return nil }
    horizon = head - limits.retainedChanges
    canWait =
      try log.file.size() > limits.compactedAtOnceBytes
      && !header.isDue(worthless: worthless / 2, retaining: limits.retainedChanges)
  }
}

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
