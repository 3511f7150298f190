import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress sync`, with the options `--steps` and `--seed`.
@Suite(
  "Users' devices that synchronize with the cloud", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it")
)
struct SyncTests {
  @Test("two devices each of three users agree after edits, shares, departures, purges, kills and offline periods")
  func twoDevicesEachOfThreeUsersAgree() throws {
    let seed = TestSeed.value(1)
    let process = try ChildProcess(StressProgram.path, ["sync", "--steps", "200", "--seed", "\(seed)"])
    #expect(process.wait(seconds: 600) == 0, "\(process.output.suffix(6000)) \(process.errors.suffix(2000))")
    #expect(process.output.contains("seed \(seed): 200 steps"))
  }
}
