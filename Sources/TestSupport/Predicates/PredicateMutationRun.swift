import LocalCloudPredicateFormat

/// Mutated formats for the parser, the printer and the evaluator. The result must be an error or a tree that survives
/// printing, within the limits on time and memory.
package struct PredicateMutationRun {
  private let count: Int
  private let seed: UInt64
  /// The size in bytes of large inputs, which repeat one piece.
  private let largest: Int
  private var generator: PredicateGenerator
  private let watch: MutationWatch?

  package init(count: Int, seed: UInt64, largest: Int = 200_000, watch: MutationWatch? = nil) {
    self.watch = watch
    self.count = count
    self.seed = seed
    self.largest = largest
    generator = PredicateGenerator(seed: seed)
  }

  package mutating func run() -> MutationReport {
    var report = MutationReport(seed: seed, things: "formats")
    for round in 0..<count {
      watch?.start(round)
      let format = next(round)
      report.measure(format, largest: largest) { check(format, &$0) }
    }
    return report
  }

  // MARK: Formats

  private mutating func next(_ round: Int) -> String {
    var mutator = TextMutator(random: generator.random, samples: PredicateSamples.formats)
    defer { generator.random = mutator.random }
    // Large inputs are rare, because they take most of the time.
    if round % 20_000 == 7 {
      return mutator.large(PredicateSamples.repeated, ["", "a == 1", ")", "1", "}"], bytes: largest)
    }
    if round % 5 == 0 {
      let format = try? generator.tree(depth: 3).format
      mutator.random = generator.random
      if let format { return mutator.mutated(format) }
    }
    return mutator.mutated(mutator.sample())
  }

  // MARK: Checks

  private static let arguments: [PredicateValue] = [
    .string("name"), .string("Alice"), .string("a.b"), .string("x"), .integer(3), .double(2.5), .list([.null]),
  ]

  private static let subject = PredicateValue.dictionary([
    "name": .string("Alice"), "a": .integer(1), "b": .integer(2), "c": .double(2.5), "n": .integer(3),
    "age": .integer(30), "tags": .list([.string("swift"), .string("a")]), "list": .list([.integer(1), .null]),
    "items": .list([.dictionary(["price": .integer(7), "name": .string("x"), "tags": .list([])])]),
    "place": .location(latitude: 48, longitude: 11), "d": .data([1, 2, 3]), "scores": .list([.integer(60)]),
  ])

  private func check(_ format: String, _ report: inout MutationReport) {
    let tree: PredicateTree
    do throws(PredicateFormatError) {
      tree = try PredicateTree(format: format, arguments: Self.arguments)
    } catch {
      if error.offset > format.utf8.count || error.line < 1 || error.column < 1 {
        report.problems.append("\(error) is outside of \(format.prefix(100))")
      }
      return
    }
    report.accepted += 1
    do {
      let printed = try tree.format
      let again = try PredicateTree(format: printed)
      // "Not a number" is not equal to itself.
      if again != tree, try again.format != printed || !printed.contains("\"nan\"") {
        report.problems.append("\(format.prefix(200)) printed as \(printed.prefix(200)) is another predicate")
      }
    } catch {
      report.problems.append("\(format.prefix(200)) does not survive printing: \(error)")
    }
    var evaluator = PredicateEvaluator(tree, variables: ["x": .integer(1), "limit": .integer(5)], now: 1000)
    if (try? evaluator.matches(Self.subject)) != nil { report.evaluated += 1 }
  }
}
