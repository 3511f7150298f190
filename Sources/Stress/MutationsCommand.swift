import Platform
import TestSupport

/// `Stress predicates [N] [--seed N]` and `Stress schemas [N] [--seed N]`: N mutated texts, 5,000,000 if nothing is said,
/// for the parser, the printer and what else there is of a language.
///
/// The seed is told first, so that a crash can be told again; one case that takes ten minutes counts as a hang.
struct MutationsCommand {
  enum Language: String { case predicates, schemas }

  private let language: Language
  private var count = 5_000_000
  private var seed = UInt64(monotonicNanoseconds())

  /// Nil for arguments that mean nothing.
  init?(_ language: Language, arguments: [String]) {
    self.language = language
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
    StandardStream.output.write("\(language.rawValue), seed \(seed)\n")
    let begin = monotonicNanoseconds()
    let watch = MutationWatch(seed: seed)
    defer { watch.end() }
    let report = report(watch)
    let seconds = (monotonicNanoseconds() - begin) / 1_000_000_000
    StandardStream.output.write("\(report)\nin \(seconds) s\n")
    return report.problems.isEmpty && report.cases == count
  }

  private func report(_ watch: MutationWatch) -> MutationReport {
    switch language {
    case .predicates:
      var run = PredicateMutationRun(count: count, seed: seed, largest: 1_000_000, watch: watch)
      return run.run()
    case .schemas:
      var run = SchemaMutationRun(count: count, seed: seed, largest: 1_000_000, watch: watch)
      return run.run()
    }
  }
}
