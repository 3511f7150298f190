import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// Real processes on one zone. The long version is `swift run -c release Stress 20`.
@Suite(
  "Many processes of three accounts in one shared zone", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct StressTests {
  @Test("400 saves each of 8 writers are all read in order without gaps, and every record file can be parsed")
  func savesEachOf8Writers() throws {
    let report = try StressRun(mode: .singles, executable: StressProgram.path).run()
    #expect(report.problems == [])
    #expect(report.commits == 3200)
    #expect(report.filesRead > 0)
  }

  @Test("no reader observes half of a batch of 10 records that 8 writers save with a common stamp")
  func noReaderObservesHalfOfABatch() throws {
    let report = try StressRun(mode: .batches, executable: StressProgram.path).run()
    #expect(report.problems == [])
  }

  @Test("of two processes that change the same record one wins, and the other gets ancestor, server and client record")
  func ofTwoProcessesThatChange() throws {
    #expect(try ContestRun(rounds: 20, executable: StressProgram.path).run() == [])
  }

  @Test("after 200 random kills under load every acknowledged save is there and complete, and other processes continue")
  func after200RandomKillsUnderLoad() throws {
    let report = try KillRun(kills: 200, executable: StressProgram.path, seed: TestSeed.value).run()
    #expect(report.problems == [])
    #expect(report.kills == 200)
    #expect(report.acknowledged > 0)
  }
}
