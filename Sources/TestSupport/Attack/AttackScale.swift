/// How much of an attack is done.
package struct AttackScale: Sendable {
  package var seed: UInt64
  /// Seeded subsets of the effects not yet synced that a power cut keeps, at each point.
  package var subsets: Int
  /// One in so many points of the recoveries from a kill.
  package var secondKills: Int
  /// One in so many power cuts is followed by another one within the recovery from it.
  package var secondCuts: Int
  /// The same for the points within that recovery.
  package var secondCutPoints: Int
  /// One in so many calls fails with each error; the others with one of them, in turn.
  package var errors: Int
  /// One in so many system calls is interrupted, and one moves a single byte.
  package var transfers: Int

  package static func short(seed: UInt64) -> AttackScale {
    AttackScale(
      seed: seed, subsets: 1, secondKills: 12, secondCuts: 12, secondCutPoints: 4, errors: 0, transfers: 16)
  }

  package static func long(seed: UInt64) -> AttackScale {
    AttackScale(seed: seed, subsets: 50, secondKills: 1, secondCuts: 10, secondCutPoints: 1, errors: 1, transfers: 1)
  }
}
