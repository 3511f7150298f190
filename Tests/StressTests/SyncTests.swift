import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress sync`, which takes `--steps` and `--seed`.
@Suite("People's devices agree with the cloud, whatever they do")
struct SyncTests {
  @Test("three people with two devices each: edits, shares, departures, purges, kills, times without the cloud")
  func story() throws {
    let seed = TestSeed.value(1)
    let process = try ChildProcess(StressProgram.path, ["sync", "--steps", "200", "--seed", "\(seed)"])
    #expect(process.wait(seconds: 600) == 0, "\(process.output.suffix(6000)) \(process.errors.suffix(2000))")
    #expect(process.output.contains("seed \(seed): 200 steps"))
  }
}
