import Platform
import TestSupport
import Testing

/// A process that ends at any step of a commit leaves the cloud as it was before or as it is after, and the next
/// process goes on by itself. The long form of all attacks is `swift run -c release Stress attack`.
@Suite("Stopped at every step")
struct CrashTests {
  @Test("before or after, never between; the next process can end there, too")
  func everyStep() throws {
    let scale = AttackScale.short(seed: UInt64(monotonicNanoseconds()))
    for (kind, report) in try AttackKind.attackAll(scale, { try $0.kills() }) {
      #expect(report.failures == [], "\(kind), seed \(scale.seed)")
      #expect(report.calls > 0 && report.kills > 2 * report.calls - 1, "\(kind)")
      #expect(report.seesBoth(of: kind), "\(kind)")
      print("\(kind): \(report.calls) calls, \(report.kills) kills, \(report.secondKills) within recoveries")
    }
  }
}
