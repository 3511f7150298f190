import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress corruption --count 100000`.
@Suite("Files that somebody else wrote")
struct CorruptionTests {
  /// Always the same cases: the long form finds new ones.
  @Test("300 files mutated, random, or other things than files: no crash, no hang, nothing else lost, and repaired")
  func hostile() throws {
    let report = try CorruptionRun(count: 300, seed: TestSeed.value(1), executable: StressProgram.path).run()
    #expect(report.problems == [], "seed \(report.seed)")
    #expect(report.cases == 300)
  }
}
