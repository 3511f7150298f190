/// The parameters of a compaction of a folder's logs.
struct CompactionPlan: Sendable {
  /// The folder's sequence when the compaction was found to be due.
  let head: Int64
  /// Up to this sequence, only lines that are still needed are retained.
  let horizon: Int64
  /// The number of the main log's lines that were ever superseded, up to ``head``.
  let superseded: Int64
  /// Whether the compaction may run without the folder's lock: with the lock it would block other processes for long,
  /// and the log is not much larger than it should be.
  let canWait: Bool

  /// A compaction up to a horizon, due or not, with the folder's lock.
  init(_ view: FolderView, horizon: Int64) throws {
    (head, superseded) = (try view.head(), try view.superseded())
    self.horizon = min(horizon, head)
    canWait = false
  }

  /// Nil if no compaction is due.
  init?(_ view: FolderView) throws {
    let (observer, limits) = (view.folder.observer, view.folder.limits)
    guard let log = try observer.log(observer.mainLog) else { return nil }
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

/// The compacted form of a log's first bytes.
struct CompactedLog: Sendable {
  var effect: JournalEntry.Compaction
  var bytes: [UInt8]

  /// Nil if the log is missing or compaction is not worth it. `from`: the number of bytes to compact; nil for all whole
  /// lines.
  init?(of path: StorePath, _ from: Int? = nil, in observer: any FolderObserver, _ plan: CompactionPlan) throws {
    guard let log = try observer.log(path) else { return nil }
    let from = try from ?? log.end()
    let compaction = try LogCompaction(
      of: LogFile(log.file, limit: from), horizon: plan.horizon, superseded: plan.superseded, observer.logSchema)
    // Without a lock, another process may shorten the log concurrently.
    guard compaction.from == from else { return nil }
    bytes = compaction.bytes
    if path != observer.mainLog, bytes.count >= from { return nil }
    effect = JournalEntry.Compaction(
      path: path, horizon: plan.horizon, superseded: plan.superseded, from: from, size: bytes.count,
      digest: Digest.hex64(bytes))
  }
}
