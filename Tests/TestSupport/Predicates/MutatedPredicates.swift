import LocalCloudPredicateFormat

/// Mutated formats for the parser, the printer and the evaluator of predicates.
package struct MutatedPredicates: MutatedLanguage {
  package static let things = "formats"

  private var generator: PredicateGenerator

  package init(seed: UInt64) { generator = PredicateGenerator(seed: seed) }

  // MARK: Formats

  package mutating func large(bytes: Int) -> String {
    mutating { $0.large(PredicateSamples.repeated, ["", "a == 1", ")", "1", "}"], bytes: bytes) }
  }

  package mutating func next(_ round: Int) -> String {
    let format = round % 5 == 0 ? try? generator.tree(depth: 3).format : nil
    return mutating { $0.mutated(format ?? $0.sample()) }
  }

  /// Lets a mutator use the generator's random numbers.
  private mutating func mutating(_ body: (inout TextMutator) -> String) -> String {
    var mutator = TextMutator(random: generator.random, samples: PredicateSamples.formats)
    defer { generator.random = mutator.random }
    return body(&mutator)
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

  package func check(_ format: String, _ report: inout MutationReport) {
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
