import FaultInjection
import LocalCloudPlatform
import TestSupport

/// `Stress corruption`: replaces files of each kind in a cloud with mutated or random files.
struct CorruptionCommand: StressCommand {
  private var count = 100_000
  private var seed = UInt64(monotonicNanoseconds())

  init(_ arguments: StressArguments) throws(StressUsage) {
    var arguments = arguments
    while let argument = arguments.next() {
      switch argument {
      case "--count": count = Int(clamping: try arguments.number(argument))
      case "--seed": seed = try arguments.number(argument)
      default: throw StressUsage("corruption has no option '\(argument)'")
      }
    }
  }

  func run() throws -> Bool {
    let begin = monotonicNanoseconds()
    let cases = Counter()
    let report = try CorruptionRun(count: count, seed: seed, executable: HostProcess.executablePath) { part in
      let done = cases.add(part.cases)
      StandardStream.error.write("\(done) of \(count) files\n")
      for problem in part.problems { StandardStream.error.write("! \(problem)\n") }
    }.run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty && report.cases == count
  }
}
