import Platform
import TestSupport

/// `Stress sync`: mirrored stores of several people's devices against the cloud.
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
    let begin = monotonicNanoseconds()
    StandardStream.output.write("seed \(seed)\n")
    let report = try await SyncRun(
      steps: steps, seed: seed, executable: HostProcess.executablePath, keepsFiles: keepsFiles
    ) { StandardStream.error.write("\($0)\n") }.run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty
  }
}
