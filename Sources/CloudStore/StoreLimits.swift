/// Sizes at which the store tidies up; tests make them small.
package struct StoreLimits: Sendable {
  /// A journal of more bytes is emptied by a checkpoint: small enough to be read in a moment at recovery, large enough
  /// that a checkpoint's cost is spread over thousands of saves.
  package var checkpointBytes = 16 << 20
  /// So many changes are remembered whole, in each zone and each database's log, before they may be compacted.
  package var retainedChanges: Int64 = 10_000

  package init() {}
}
