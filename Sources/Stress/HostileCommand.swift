import Platform
import TestSupport

/// `Stress hostile [--count N] [--seed N]`: mutated and random files in the place of each kind of file of a cloud.
struct HostileCommand {
  private var count = 100_000
  private var seed = UInt64(monotonicNanoseconds())

  /// Nil for arguments that mean nothing.
  init?(arguments: [String]) {
    guard arguments.count.isMultiple(of: 2) else { return nil }
    for place in stride(from: 0, to: arguments.count, by: 2) {
      guard let value = UInt64(arguments[place + 1]) else { return nil }
      switch arguments[place] {
      case "--count": count = Int(clamping: value)
      case "--seed": seed = value
      default: return nil
      }
    }
  }

  /// Whether all was well.
  func run() throws -> Bool {
    let begin = monotonicNanoseconds()
    let report = try HostileRun(count: count, seed: seed, executable: HostProcess.executablePath) { part in
      StandardStream.error.write("\(part.cases) files more\n")
      for problem in part.problems { StandardStream.error.write("! \(problem)\n") }
    }.run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty && report.cases == count
  }
}
