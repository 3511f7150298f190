import LocalCloudPlatform
import TestSupport
import Testing

/// A power cut at any moment leaves the cloud as it was before or as it is after, once the machine is on again.
@Suite("Power cuts: the cloud survives")
struct PowerCutSurvivalTests {
  @Test("before or after, never between; nobody misses a change; the recovery can be cut, too")
  func everyMoment() throws {
    var (cuts, kills, syncs) = (0, 0, 0)
    for (kind, report) in try ShortFaultRun.reports.map({ ($0.kind, $0.cuts) }) {
      #expect(report.failures == [], "\(kind), seed \(ShortFaultRun.scale.seed)")
      #expect(report.cuts > 2 * report.calls, "\(kind)")
      #expect(report.seesBoth(of: kind), "\(kind)")
      (cuts, kills, syncs) = (cuts + report.secondCuts, kills + report.secondKills, syncs + report.lostSyncs)
      print(
        "\(kind): \(report.calls) calls, \(report.cuts) power cuts; \(report.secondCuts) cuts and "
          + "\(report.secondKills) kills within recoveries; \(report.lostSyncs) cuts after a sync that failed")
    }
    #expect(cuts > 500 && kills > 100 && syncs > 200)
  }
}
