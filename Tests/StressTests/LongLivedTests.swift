import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite(
  "Long-lived operations of a killed process", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct LongLivedTests {
  // [encryption-value-10]
  @Test(
    "after 80 random kills every stored operation runs exactly once, reports all results, and leaves no secret readable"
  )
  func after80RandomKillsEveryStoredOperation() throws {
    let report = try LongLivedRun(rounds: 80, executable: StressProgram.path, seed: TestSeed.value).run()
    #expect(report.problems == [])
    #expect(report.unkept + report.resumed + report.completed == 80)
    #expect(report.resumed > 0, "\(report)")
  }
}
