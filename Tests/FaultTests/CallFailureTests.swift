import LocalCloudPlatform
import TestSupport
import Testing

/// Opening, reading, listing, file status and locks can fail as well as writes.
@Suite("Calls that fail", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct CallFailureTests {
  @Test("a failing call gives an error without effect or a complete success, also with interrupted and short transfers")
  func everyCall() throws {
    for (kind, report) in try ShortFaultRun.reports.map({ ($0.kind, $0.errors) }) {
      #expect(report.failures == [], "\(kind), seed \(ShortFaultRun.scale.seed)")
      #expect(report.errors > 2 * report.calls, "\(kind)")
      #expect(report.seesBoth(of: kind), "\(kind)")
      print("\(kind): \(report.calls) calls that change the tree, \(report.errors) errors")
    }
  }
}
