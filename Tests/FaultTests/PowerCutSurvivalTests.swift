import LocalCloudPlatform
import TestSupport
import Testing

/// After a power cut at any moment and a restart, the cloud is as before the commit or as after it.
@Suite("Survival of power cuts", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct PowerCutSurvivalTests {
  @Test("after a power cut at any moment the cloud is as before or after the commit, also if the recovery is cut too")
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
    #expect(cuts > 500)
    #expect(kills > 100)
    #expect(syncs > 200)
  }
}
