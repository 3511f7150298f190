/// Thresholds for checkpoints, compaction and batches; tests make them small.
package struct StorageLimits: Sendable {
  /// The size in bytes above which a checkpoint empties the journal: small enough that a caller waiting for the
  /// checkpoint hardly notices, large enough to spread its cost over thousands of saves.
  package var checkpointBytes = 2 << 20
  /// After a large commit the limit is this many times ``checkpointBytes``: recovery still reads the journal in a
  /// moment, and the checkpoint's cost is spread over many more commits.
  package var largeCommitFactor = 8
  /// The number of latest changes that each log keeps whole. Older ones may be compacted.
  package var retainedChanges: Int64 = 10_000
  /// Logs are compacted at once, while other processes wait, if the main log has at most this many bytes: that takes
  /// hardly longer than a commit.
  package var compactedAtOnceBytes = 512 << 10

  /// The maximum number of commits that one sync makes durable together; each writer waits for all of them.
  package var commitsTogether = 16

  /// The number of documents whose keys are made in one step when a field is first indexed, while other processes wait.
  package var documentsIndexedAtOnce = 1_000

  /// The number of pages by which the index may grow, beyond its double, because earlier states are being read
  /// (``FolderPin``). Then they are lost to their readers.
  package var pinnedPages = 8_192

  package init() {}
}
