/// How much of an attack is done.
package struct AttackScale: Sendable {
  package var seed: UInt64
  /// Seeded subsets of the effects not yet synced that a power cut keeps, at each point.
  package var subsets: Int
  /// Whether a write is cut short at three places, or in the middle alone.
  package var allInsides: Bool
  /// One in so many points of the recoveries from a kill.
  package var secondKills: Int
  /// One in so many power cuts is followed by another one within the recovery from it.
  package var secondCuts: Int
  /// The same for the points within that recovery.
  package var secondCutPoints: Int
  /// One in so many kills is followed by a power cut after the recovery from it.
  package var cutsAfterKills: Int
  /// Whether a call fails with each error, or with one of them, in turn.
  package var isEveryError: Bool
  /// One in so many calls that change nothing fails.
  package var looks: Int
  /// One in so many system calls is interrupted, and one moves a single byte.
  package var transfers: Int

  package static func short(seed: UInt64) -> AttackScale {
    AttackScale(
      seed: seed, subsets: 1, allInsides: false, secondKills: 40, secondCuts: 24, secondCutPoints: 16,
      cutsAfterKills: 4, isEveryError: false, looks: 6, transfers: 32)
  }

  package static func long(seed: UInt64) -> AttackScale {
    AttackScale(
      seed: seed, subsets: 50, allInsides: true, secondKills: 1, secondCuts: 50, secondCutPoints: 1, cutsAfterKills: 1,
      isEveryError: true, looks: 1, transfers: 1)
  }
}
