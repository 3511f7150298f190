import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress graph`, with the options `--steps` and `--seed`.
@Suite(
  "Core Data compared with a reference model", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct GraphTests {
  @Test("contents, inverses, notifications and history equal the model's, with several processes, contexts and stores")
  func contentsInversesNotificationsAndHistoryEqual() throws {
    let seed = TestSeed.value(1)
    let process = try ChildProcess(StressProgram.path, ["graph", "--steps", "1500", "--seed", "\(seed)"])
    #expect(process.wait(seconds: 600) == 0, "\(process.output.suffix(6000)) \(process.errors.suffix(2000))")
    #expect(process.output.contains("seed \(seed): 1500 steps"))
  }
}
