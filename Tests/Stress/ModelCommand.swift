import LocalCloudPlatform
import TestSupport

/// `Stress model`: thirteen people share, join, write, move and leave at random. By default one person acts at a time,
/// and a seed always gives the same steps; `--together` sets how many may act at once. With a planted ``ModelFault``
/// the run must fail.
struct ModelCommand: StressCommand {
  private var steps = 1000
  private var seed = UInt64(monotonicNanoseconds())
  private var together = 1
  private var fault: ModelFault?

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--steps": steps = Int(clamping: try arguments.number(argument))
      case "--seed": seed = try arguments.number(argument)
      case "--together": together = min(4, max(1, Int(clamping: try arguments.number(argument))))
      case "--fault":
        guard let planted = arguments.next().flatMap(ModelFault.init) else {
          throw StressUsage("--fault wants the name of one")
        }
        fault = planted
      default: throw StressUsage("model has no option '\(argument)'")
      }
    }
  }

  func run() async throws -> Bool {
    try await recordScenario(seed: seed) { progress in
      try ModelRun(
        steps: steps, seed: seed, executable: HostProcess.executablePath, together: together, fault: fault,
        progress: progress
      ).run()
    }
  }
}
