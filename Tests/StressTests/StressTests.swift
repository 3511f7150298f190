import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// Real processes on one zone. The long version is `swift run -c release Stress 20`.
@Suite("Many processes of three accounts on one shared zone", .serialized)
struct StressTests {
  @Test("8 writers, 400 saves each, 4 readers: all there, in order, no gap; no record file that does not parse")
  func singles() throws {
    let report = try StressRun(mode: .singles, executable: StressProgram.path).run()
    #expect(report.problems == [])
    #expect(report.commits == 3200 && report.filesRead > 0)
  }

  @Test("8 writers of batches of 10 that bear one stamp: no reader ever sees half a batch")
  func batches() throws {
    let report = try StressRun(mode: .batches, executable: StressProgram.path).run()
    #expect(report.problems == [])
  }

  @Test("two processes from the same record: one wins, the other gets ancestor, server and client record")
  func contests() throws {
    #expect(try ContestRun(rounds: 20, executable: StressProgram.path).run() == [])
  }

  @Test("200 kills at random moments under load: what was acknowledged is there, whole, and the others go on")
  func kills() throws {
    let report = try KillRun(kills: 200, executable: StressProgram.path, seed: TestSeed.value).run()
    #expect(report.problems == [])
    #expect(report.kills == 200 && report.acknowledged > 0)
  }
}
