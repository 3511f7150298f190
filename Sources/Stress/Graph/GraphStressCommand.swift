import Platform
import TestSupport

/// `Stress graph`: Core Data in several processes against a reference.
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

  func run() throws -> Bool {
    let begin = monotonicNanoseconds()
    StandardStream.output.write("seed \(seed)\n")
    let report = try GraphRun(steps: steps, seed: seed, executable: HostProcess.executablePath) {
      StandardStream.error.write("\($0)\n")
    }
    .run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty
  }
}
