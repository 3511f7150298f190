import LocalCloudPlatform
import TestSupport
import Testing

/// Opening, reading, listing, asking and locking can fail as well as writing.
@Suite("Calls that fail")
struct CallFailureTests {
  @Test("an error and nothing done, or success and all of it; a disk that stays gone; interrupted and short transfers")
  func everyCall() throws {
    for (kind, report) in try ShortFaultRun.reports.map({ ($0.kind, $0.errors) }) {
      #expect(report.failures == [], "\(kind), seed \(ShortFaultRun.scale.seed)")
      #expect(report.errors > 2 * report.calls, "\(kind)")
      #expect(report.seesBoth(of: kind), "\(kind)")
      print("\(kind): \(report.calls) calls that change the tree, \(report.errors) errors")
    }
  }
}
