import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress engine`, with the options `--steps` and `--seed`.
@Suite("Users' devices with CKSyncEngine")
struct EngineTests {
  private func run(steps: Int) throws {
    let seed = TestSeed.value(1)
    let process = try ChildProcess(StressProgram.path, ["engine", "--steps", "\(steps)", "--seed", "\(seed)"])
    #expect(process.wait(seconds: 1200) == 0, "\(process.output.suffix(6000)) \(process.errors.suffix(2000))")
    #expect(process.output.contains("seed \(seed): \(steps) steps"))
  }

  @Test("two devices each of two users agree after edits, conflicts, faults, sign-ins, ends of zones and kills")
  func twoDevicesEachOfTwoUsersAgree() throws { try run(steps: 500) }

  @Test(
    "the same after 5,000 steps, with each kind of interruption many times",
    .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
  func twoDevicesEachOfTwoUsersAgreeAfterManySteps() throws { try run(steps: 5000) }
}
