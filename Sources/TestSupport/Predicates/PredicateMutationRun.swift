import Platform
import PredicateFormat

/// Mutated formats for parser, printer and evaluator: whatever comes out must be an error or a tree that survives
/// printing, and soon.
package struct PredicateMutationRun {
  package struct Report: CustomStringConvertible {
    package var seed: UInt64
    package var cases = 0
    package var accepted = 0
    package var evaluated = 0
    /// The longest that one case took, in nanoseconds for each byte beyond the first thousand.
    package var slowest: Int64 = 0
    package var problems: [String] = []

    package var description: String {
      "seed \(seed): \(cases) formats, \(accepted) of them predicates, \(evaluated) with a result; "
        + "the slowest took \(slowest) ns a byte; \(problems.count) problems \(problems.prefix(10))"
    }
  }

  private let count: Int
  private let seed: UInt64
  /// Large inputs of one piece repeated are of so many bytes.
  private let largest: Int
  private var generator: PredicateGenerator

  package init(count: Int, seed: UInt64, largest: Int = 200_000) {
    self.count = count
    self.seed = seed
    self.largest = largest
    generator = PredicateGenerator(seed: seed)
  }

  package mutating func run() -> Report {
    var report = Report(seed: seed)
    for round in 0..<count { check(next(round), &report) }
    return report
  }

  // MARK: Formats

  private mutating func next(_ round: Int) -> String {
    // Rarely a large one: they are what takes time.
    if round % 20_000 == 7 { return large() }
    if round % 5 == 0, let format = try? generator.tree(depth: 3).format { return mutated(format) }
    return mutated(PredicateSamples.formats.randomElement(using: &generator.random) ?? "")
  }

  private mutating func mutated(_ format: String) -> String {
    var bytes = Array(format.utf8)
    let sibling = Array((PredicateSamples.formats.randomElement(using: &generator.random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &generator.random) {
      if Bool.random(using: &generator.random) {
        bytes = words(bytes, sibling)
      } else {
        let mutation =
          HostileMutation.byBytes.filter { $0 != .nesting }.randomElement(using: &generator.random) ?? .flip
        var mutator = ByteMutator(random: generator.random)
        bytes = mutator.mutate(bytes, mutation, sibling: sibling)
        generator.random = mutator.random
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Words of both in one, so that much of it still has a meaning.
  private mutating func words(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var words = one.split(separator: 0x20, omittingEmptySubsequences: false)
    let others = other.split(separator: 0x20)
    guard let word = others.randomElement(using: &generator.random), !words.isEmpty else { return one }
    let place = Int.random(in: words.indices, using: &generator.random)
    switch Int.random(in: 0..<3, using: &generator.random) {
    case 0: words[place] = word
    case 1: words.insert(word, at: place)
    default: words.remove(at: place)
    }
    return Array(words.joined(separator: [0x20]))
  }

  private mutating func large() -> String {
    let piece = PredicateSamples.repeated.randomElement(using: &generator.random) ?? "("
    let end = ["", "a == 1", ")", "1", "}"].randomElement(using: &generator.random) ?? ""
    return String(repeating: piece, count: largest / piece.utf8.count) + end
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

  private func check(_ format: String, _ report: inout Report) {
    let begin = monotonicNanoseconds()
    report.cases += 1
    defer {
      let time = Int64(monotonicNanoseconds() - begin) / Int64(max(1000, format.utf8.count))
      report.slowest = max(report.slowest, time)
    }
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
      // Not a number is no number that it could be equal to.
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
