import Platform
import TestSupport

/// `Stress predicates [N] [--seed N]`: N mutated formats for parser, printer and evaluator.
struct PredicatesCommand {
  private var count = 5_000_000
  private var seed = UInt64(monotonicNanoseconds())

  /// Nil for arguments that mean nothing.
  init?(arguments: [String]) {
    var rest = arguments[...]
    if let number = rest.first.flatMap({ Int($0) }), number >= 0 {
      count = number
      rest = rest.dropFirst()
    }
    guard !rest.isEmpty else { return }
    guard rest.count == 2, rest.first == "--seed", let value = rest.last.flatMap({ UInt64($0) }) else { return nil }
    seed = value
  }

  /// Whether all was well.
  func run() -> Bool {
    let begin = monotonicNanoseconds()
    var run = PredicateMutationRun(count: count, seed: seed, largest: 1_000_000)
    let report = run.run()
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty && report.cases == count
  }
}
