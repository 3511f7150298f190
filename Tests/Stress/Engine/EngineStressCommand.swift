import LocalCloudPlatform
import TestSupport

/// `Stress engine`: compares apps with sync engines on several users' devices with the cloud.
struct EngineStressCommand: StressCommand {
  private var steps = 5000
  private var seed = UInt64(monotonicNanoseconds())
  private var keepsFiles = false
  private var isCalm = false
  private var keepsZones = false

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--steps": steps = Int(clamping: try arguments.number(argument))
      case "--seed": seed = try arguments.number(argument)
      case "--keep": keepsFiles = true
      case "--calm": isCalm = true
      case "--keep-zones": keepsZones = true
      default: throw StressUsage("engine has no option '\(argument)'")
      }
    }
  }

  func run() async throws -> Bool {
    try await recordScenario(seed: seed) { progress in
      try await EngineRun(
        steps: steps, seed: seed, executable: HostProcess.executablePath, keepsFiles: keepsFiles, isCalm: isCalm,
        keepsZones: keepsZones, progress: progress
      ).run()
    }
  }
}
