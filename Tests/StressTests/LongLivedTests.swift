import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Long-lived operations whose process dies", .serialized)
struct LongLivedTests {
  // [encryption-value-10]
  @Test("80 deaths at random moments: what was kept is done exactly once, and told to the end; no secret lies open")
  func deaths() throws {
    let report = try LongLivedRun(rounds: 80, executable: StressProgram.path, seed: TestSeed.value).run()
    #expect(report.problems == [])
    #expect(report.unkept + report.resumed + report.completed == 80)
    #expect(report.resumed > 0, "\(report)")
  }
}
