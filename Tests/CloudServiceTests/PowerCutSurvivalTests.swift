import Platform
import TestSupport
import Testing

/// A power cut at any moment leaves the cloud as it was before or as it is after, once the machine is on again.
@Suite("Power cuts: the cloud survives")
struct PowerCutSurvivalTests {
  @Test("before or after, never between; nobody misses a change; the recovery can be cut, too")
  func everyMoment() throws {
    let scale = AttackScale.short(seed: UInt64(monotonicNanoseconds()))
    for (kind, report) in try AttackKind.attackAll(scale, { try $0.cuts() }) {
      #expect(report.failures == [], "\(kind), seed \(scale.seed)")
      #expect(report.cuts > 2 * report.calls, "\(kind)")
      #expect(report.seesBoth(of: kind), "\(kind)")
      print("\(kind): \(report.calls) calls, \(report.cuts) power cuts, \(report.secondCuts) within recoveries")
    }
  }
}
