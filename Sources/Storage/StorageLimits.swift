/// Thresholds for checkpoints, compaction and batches; tests make them small.
package struct StorageLimits: Sendable {
  /// A checkpoint empties the journal above this size in bytes: small enough that a caller waiting for the checkpoint
  /// hardly notices, large enough to spread its cost over thousands of saves.
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

  /// The number of documents indexed in one step when keys of a field are first made, while other processes wait.
  package var documentsIndexedAtOnce = 1_000

  /// While earlier states are being read (``FolderPin``), the index may grow by this number of pages beyond its double.
  /// After that these states are lost to their readers.
  package var pinnedPages = 8_192

  package init() {}
}
