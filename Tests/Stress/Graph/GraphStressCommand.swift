import LocalCloudPlatform
import TestSupport

/// `Stress graph`: compares Core Data in several processes with a reference.
struct GraphStressCommand: StressCommand {
  private var steps = 20_000
  private var seed = UInt64(monotonicNanoseconds())

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--steps": steps = Int(clamping: try arguments.number(argument))
      case "--seed": seed = try arguments.number(argument)
      default: throw StressUsage("graph has no option '\(argument)'")
      }
    }
  }

  func run() async throws -> Bool {
    try await recordScenario(seed: seed) { progress in
      try GraphRun(steps: steps, seed: seed, executable: HostProcess.executablePath, progress: progress).run()
    }
  }
}
