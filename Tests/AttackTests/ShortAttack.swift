import FaultInjection
import Platform
import TestSupport

/// The short form of all attacks, done once, by whichever test comes first.
enum ShortAttack {
  static let scale = AttackScale.short(seed: TestSeed.value)
  private static let result = Result { try AttackKind.attackAll(scale) }
  static var reports: [AttackKind.Reports] { get throws { try result.get() } }
}
