import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress corruption --count 100000`.
@Suite("Corrupted and foreign files", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct CorruptionTests {
  /// The seed is fixed, so the cases are always the same. The long form finds new ones.
  @Test("300 corrupted files cause no crash, no hang and no other loss, and can be repaired")
  func corruptedFilesCauseNoCrashNoHang() throws {
    let report = try CorruptionRun(count: 300, seed: TestSeed.value(1), executable: StressProgram.path).run()
    #expect(report.problems == [], "seed \(report.seed)")
    #expect(report.cases == 300)
    #expect(report.skipped < 60, "\(report)")
  }
}
