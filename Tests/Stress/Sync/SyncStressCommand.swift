import LocalCloudPlatform
import TestSupport

/// `Stress sync`: compares mirrored stores of several users' devices with the cloud.
struct SyncStressCommand: StressCommand {
  private var steps = 2000
  private var seed = UInt64(monotonicNanoseconds())
  private var keepsFiles = false

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--steps": steps = Int(clamping: try arguments.number(argument))
      case "--seed": seed = try arguments.number(argument)
      case "--keep": keepsFiles = true
      default: throw StressUsage("sync has no option '\(argument)'")
      }
    }
  }

  func run() async throws -> Bool {
    try await recordScenario(seed: seed) { progress in
      try await SyncRun(
        steps: steps, seed: seed, executable: HostProcess.executablePath, keepsFiles: keepsFiles, progress: progress
      ).run()
    }
  }
}
