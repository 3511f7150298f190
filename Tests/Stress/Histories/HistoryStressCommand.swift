import LocalCloudPlatform
import TestSupport

/// `Stress histories`: kills clients of a cloud at random, with random fault rules, and checks what they recorded. With a
/// ``HistoryPlant`` the run must fail.
struct HistoryStressCommand: StressCommand {
  private var kills = 1000
  private var processes = 8
  private var seed = UInt64(monotonicNanoseconds())
  private var plant: HistoryPlant?
  private var keepsFiles = false

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--kills": kills = Int(clamping: try arguments.number(argument))
      case "--processes": processes = min(64, max(1, Int(clamping: try arguments.number(argument))))
      case "--seed": seed = try arguments.number(argument)
      case "--plant":
        guard let planted = arguments.next().flatMap(HistoryPlant.init) else {
          throw StressUsage("--plant wants the name of an edit")
        }
        plant = planted
      case "--keep": keepsFiles = true
      default: throw StressUsage("histories has no option '\(argument)'")
      }
    }
  }

  func run() async throws -> Bool {
    try await recordScenario(seed: seed) { progress in
      try HistoryRun(
        kills: kills, processes: processes, seed: seed, executable: HostProcess.executablePath, plant: plant,
        keepsFiles: keepsFiles, progress: progress
      ).run()
    }
  }
}
