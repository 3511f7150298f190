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
