/// How much of an attack is done.
package struct FaultRunScale: Sendable {
  package var seed: UInt64
  /// Seeded subsets of the effects not yet synced that a power cut keeps, at each point.
  package var subsets: Int
  /// Whether a process ends before and after each call and at three places of a write, or before it and in the middle.
  package var thoroughly: Bool
  /// One in so many points of the recoveries from a kill.
  package var secondKills: Int
  /// One in so many of those is done; what the others leave is made from the calls.
  package var doneSecondKills: Int
  /// One in so many power cuts that left something new is followed by another one within the recovery from it.
  package var secondCuts: Int
  /// The same for the points within that recovery.
  package var secondCutPoints: Int
  /// One in so many kills is followed by a power cut after the recovery from it.
  package var cutsAfterKills: Int
  /// One in so many trees that a kill left is one that a writer comes to first.
  package var writers: Int
  /// In one in so many recoveries from a kill calls fail: one in so many of those.
  package var failingRecoveries: Int
  package var failuresInRecovery: Int
  /// Seeded subsets that a power cut keeps after a sync that failed.
  package var subsetsOfLost: Int
  /// Whether a call fails with each error, or with one of them, in turn.
  package var isEveryError: Bool
  /// One in so many calls that change nothing fails.
  package var looks: Int
  /// One in so many system calls is interrupted, and one moves a single byte.
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
