/// Sizes at which the store tidies up; tests make them small.
package struct StorageLimits: Sendable {
  /// A journal of more bytes is emptied by a checkpoint: few enough that whoever waits for one hardly notices, enough
  /// that its cost is spread over thousands of saves.
  package var checkpointBytes = 2 << 20
  /// A large commit leaves so many times as many: still read in a moment at recovery, and spread over many more.
  package var largeCommitFactor = 8
  /// So many changes are remembered whole, in each log, before they may be compacted.
  package var retainedChanges: Int64 = 10_000
  /// A folder's log of fewer bytes is compacted while others wait: hardly longer than a commit.
  package var compactedAtOnceBytes = 512 << 10

  /// So many commits of processes that wait for one folder become durable by one sync, at most: each waits for them all.
  package var commitsTogether = 16

  /// A field's first keys are made so many documents at a time, while others wait.
  package var documentsIndexedAtOnce = 1_000

  package init() {}
}
