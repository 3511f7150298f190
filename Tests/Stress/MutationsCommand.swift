import LocalCloudPlatform
import TestSupport

/// `Stress predicates` and `Stress schemas`: mutated texts for the parser, the printer and the other functions of a
/// language.
///
/// Prints the seed first, so that a crash can be reproduced. A case that takes ten minutes counts as a hang.
struct MutationsCommand: StressCommand {
  enum Language: String { case predicates, schemas }

  private let language: Language
  private var count = 5_000_000
  private var seed = UInt64(monotonicNanoseconds())

  init(_ language: Language, _ arguments: StressArguments) throws(StressUsage) {
    self.language = language
    var arguments = arguments
    if let number = arguments.leadingNumber() { count = number }
    while let argument = arguments.next() {
      guard argument == "--seed" else {
        throw StressUsage("\(language) has no option '\(argument)', and wants a number first, or none")
      }
      seed = try arguments.number(argument)
    }
  }

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
      var run = MutationRun(MutatedPredicates.self, count: count, seed: seed, largest: 1_000_000, watch: watch)
      return run.run()
    case .schemas:
      var run = MutationRun(MutatedSchemas.self, count: count, seed: seed, largest: 1_000_000, watch: watch)
      return run.run()
    }
  }
}
