/// The extent of a fault run. "One in" values are sampling distances.
package struct FaultRunScale: Sendable {
  package var seed: UInt64
  /// The number of random subsets of unsynced effects that power cuts retain at each point.
  package var subsets: Int
  /// Whether to kill before and after each call and at three positions of a write; otherwise before each call and in
  /// the middle of a write.
  package var thoroughly: Bool
  /// One in this many points of the recoveries from a kill is killed again.
  package var secondKills: Int
  /// One in this many of those kills is carried out. The states after the others are computed from the calls.
  package var doneSecondKills: Int
  /// One in this many power cuts with a new tree as the result is followed by another one during the recovery.
  package var secondCuts: Int
  /// One in this many points of that recovery is cut.
  package var secondCutPoints: Int
  /// One in this many kills is followed by a power cut after the recovery.
  package var cutsAfterKills: Int
  /// After one in this many kills, a writer is the first to use the cloud.
  package var writers: Int
  /// In one in this many recoveries from a kill, calls fail: one in `failuresInRecovery` of its calls.
  package var failingRecoveries: Int
  package var failuresInRecovery: Int
  /// The number of random subsets that power cuts retain after a failed sync.
  package var subsetsOfLost: Int
  /// Whether a call fails with each error, one after another; otherwise it fails with one of them.
  package var isEveryError: Bool
  /// One in this many calls that change nothing fails.
  package var looks: Int
  /// One in this many system calls is interrupted, and one transfers a single byte.
  package var transfers: Int

  package static func short(seed: UInt64) -> FaultRunScale {
    FaultRunScale(
      seed: seed, subsets: 1, thoroughly: false, secondKills: 80, doneSecondKills: 1, secondCuts: 48,
      secondCutPoints: 32, cutsAfterKills: 4, writers: 8, failingRecoveries: 32, failuresInRecovery: 256,
      subsetsOfLost: 0, isEveryError: false, looks: 8, transfers: 48)
  }

  package static func long(seed: UInt64) -> FaultRunScale {
    FaultRunScale(
      seed: seed, subsets: 50, thoroughly: true, secondKills: 1, doneSecondKills: 24, secondCuts: 150,
      secondCutPoints: 1, cutsAfterKills: 1, writers: 1, failingRecoveries: 4, failuresInRecovery: 24,
      subsetsOfLost: 8, isEveryError: true, looks: 1, transfers: 1)
  }
}
