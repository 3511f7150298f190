import Platform
import TestSupport

/// `Stress crowd [--steps N] [--seed N] [--together N] [--fault NAME]`: thirteen people who share, join, write, move and
/// leave at random. One at a time, and then the same seed tells the same story, unless `--together` says how many at most.
/// With a ``CrowdFault`` planted, it must fail.
struct CrowdCommand {
  private var steps = 1000
  private var seed = UInt64(monotonicNanoseconds())
  private var together = 1
  private var fault: CrowdFault?

  /// Nil for arguments that mean nothing.
  init?(arguments: [String]) {
    guard arguments.count.isMultiple(of: 2) else { return nil }
    for place in stride(from: 0, to: arguments.count, by: 2) {
      if arguments[place] == "--fault" {
        guard let planted = CrowdFault(rawValue: arguments[place + 1]) else { return nil }
        fault = planted
        continue
      }
      guard let value = UInt64(arguments[place + 1]) else { return nil }
      switch arguments[place] {
      case "--steps": steps = Int(clamping: value)
      case "--seed": seed = value
      case "--together": together = min(4, max(1, Int(clamping: value)))
      default: return nil
      }
    }
  }

  /// Whether all was well.
  func run() throws -> Bool {
    let begin = monotonicNanoseconds()
    StandardStream.output.write("seed \(seed)\n")
    let report = try CrowdRun(
      steps: steps, seed: seed, executable: HostProcess.executablePath, together: together, fault: fault
    ) { StandardStream.error.write("\($0)\n") }.run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty
  }
}
