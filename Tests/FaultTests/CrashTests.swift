import LocalCloudPlatform
import TestSupport
import Testing

/// A process that ends at any step of a commit leaves the cloud as before the commit or as after it, and the next
/// process continues without help. The long form of all fault tests is `swift run -c release Stress faults`.
@Suite("Stopped at every step", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct CrashTests {
  @Test("a kill at any step leaves the state before or after the commit, also if the next process is killed too")
  func everyStep() throws {
    var (kills, writers, errors) = (0, 0, 0)
    for (kind, report) in try ShortFaultRun.reports.map({ ($0.kind, $0.kills) }) {
      #expect(report.failures == [], "\(kind), seed \(ShortFaultRun.scale.seed)")
      #expect(report.calls > 0, "\(kind)")
      #expect(report.kills > report.calls, "\(kind)")
      #expect(report.seesBoth(of: kind), "\(kind)")
      (kills, writers, errors) = (kills + report.secondKills, writers + report.writers, errors + report.secondErrors)
      print(
        "\(kind): \(report.calls) calls, \(report.kills) kills; after them \(report.secondKills) kills and "
          + "\(report.secondErrors) errors within recoveries, \(report.writers) writers first")
    }
    #expect(kills > 300)
    #expect(writers > 100)
    #expect(errors > 100)
  }
}
