import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress histories`, with the options `--kills`, `--seed` and `--processes`.
@Suite("Recorded histories of killed clients", .serialized)
struct HistoryTests {
  private func run(_ kills: Int, _ options: String...) throws -> (status: Int32, output: String, errors: String) {
    let seed = TestSeed.value(1)
    let arguments = ["histories", "--kills", "\(kills)", "--seed", "\(seed)"]
    let process = try ChildProcess(StressProgram.path, arguments + options)
    let status = process.wait(seconds: 1200)
    return (status, process.output, process.errors)
  }

  @Test("after 10 kills of 8 clients with random faults every zone is linearizable, and every feed is complete")
  func after10Kills() throws {
    let (status, output, errors) = try run(10)
    #expect(status == 0, "\(output.suffix(6000)) \(errors.suffix(2000))")
    #expect(output.contains(" 10 kills"), "\(output)")
  }

  @Test("the command fails for a recorded history with a planted violation", arguments: HistoryPlant.allCases)
  func commandFailsForAPlantedViolation(_ plant: HistoryPlant) throws {
    let (status, output, errors) = try run(6, "--processes", "3", "--plant", plant.rawValue)
    #expect(status == 1, "\(output.suffix(6000)) \(errors.suffix(2000))")
    #expect(output.contains("no order explains") || output.contains("the feed has"), "\(output.suffix(6000))")
  }

  @Test(
    "the same after 300 kills", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
  func after300Kills() throws {
    let (status, output, errors) = try run(300)
    #expect(status == 0, "\(output.suffix(6000)) \(errors.suffix(2000))")
    #expect(output.contains(" 300 kills"), "\(output)")
  }
}
