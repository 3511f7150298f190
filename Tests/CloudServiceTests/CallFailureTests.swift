import Platform
import TestSupport
import Testing

/// Opening, reading, listing, asking and locking can fail as well as writing.
@Suite("Calls that fail")
struct CallFailureTests {
  @Test(
    "an error and nothing done, or success and all of it; a disk that stays gone; interrupted and short transfers",
    arguments: AttackKind.all)
  func everyCall(_ kind: AttackKind) throws {
    let scale = AttackScale.short(seed: UInt64(monotonicNanoseconds()))
    let report = try Attack(kind, scale).errors()
    #expect(report.failures == [], "seed \(scale.seed)")
    #expect(report.errors > 2 * report.calls)
    #expect(report.seesBoth(of: kind))
    print("\(kind): \(report.calls) calls that change the tree, \(report.errors) errors")
  }
}
