import FaultInjection
import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import Synchronization
import TestSupport
import Testing

@Suite("Formats from untrusted sources")
struct LimitTests {
  private static let depth = PredicateTree.maximumDepth

  private func nested(_ open: String, _ inner: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + inner + String(repeating: close, count: count)
  }

  /// The stack size in bytes, at most half of a thread's usual stack; unoptimised code needs more.
  private static let stack = _isDebugAssertConfiguration() ? 4 << 20 : 1 << 20

  @Test("a tree of maximum depth is read, printed, read again and evaluated on a small stack")
  func treeOfMaximumDepthIsReadPrinted() async throws {
    let formats = [
      nested("NOT ", "a == 1", "", Self.depth - 2), nested("(a == 1 AND NOT ", "a == 1", ")", (Self.depth - 2) / 2),
      "a == " + nested("-(", "a", ")", Self.depth - 2), "a == " + nested("{b, ", "a", "}", Self.depth - 2),
      "a == " + nested("{", "1", "}", Self.depth - 2),
      "a == " + nested("TERNARY(TRUEPREDICATE, ", "a", ", 2)", Self.depth - 2),
      "a IN " + nested("SUBQUERY(", "c", ", $x, TRUEPREDICATE)", Self.depth - 2),
      nested("SUBQUERY(c, $x, ", "a == 1", ").@count == 1", (Self.depth - 2) / 3),
      "a == " + String(repeating: "1 + ", count: Self.depth - 2) + "a",
      "a == " + nested("(a + ", "1", ")", Self.depth - 2),
      "a == CAST({'k', " + nested("CAST({'k', ", "1", "}, 'NSDictionary')", Self.depth - 3) + "}, 'T')",
    ]
    for format in formats {
      let result: String = await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: Self.roundTrip(format)) }
        thread.stackSize = Self.stack
        thread.start()
      }
      #expect(result == "same", "\(format.prefix(60))")
    }
  }

  private static func roundTrip(_ format: String) -> String {
    do {
      let tree = try PredicateTree(format: format)
      guard try PredicateTree(format: tree.format) == tree else { return "another" }
      var evaluator = PredicateEvaluator(tree)
      let subject = PredicateValue.dictionary(["a": .integer(1), "c": .list([.integer(1)])])
      _ = try evaluator.matches(subject)
      return "same"
    } catch { return "\(error)" }
  }

  @Test("one level above the maximum depth is refused")
  func oneLevelAboveTheMaximumDepth() throws {
    let formats = [
      nested("NOT ", "a == 1", "", Self.depth - 1), "a == " + nested("{", "1", "}", Self.depth),
      "a == " + nested("-(", "a", ")", Self.depth - 1), "a == " + String(repeating: "1 + ", count: Self.depth) + "a",
      "a == " + nested("(", "1", ")", 3 * Self.depth),
    ]
    for format in formats {
      let error = #expect(throws: PredicateFormatError.self, "\(format.prefix(60))") {
        try PredicateTree(format: format)
      }
      #expect(error?.message == "more than \(Self.depth) levels deep")
    }
    let deep = (0..<Self.depth).reduce(PredicateValue.integer(1)) { value, _ in .list([value]) }
    #expect(throws: PredicateFormatError.self) { try PredicateTree(format: "a == %@", arguments: [deep]) }
  }

  @Test("formats and regular expressions of 100,000 levels are refused")
  func formatsAndRegularExpressionsOf100000Levels() {
    for (open, close) in [("(", ")"), ("{", "}"), ("NOT ", ""), ("-", ""), ("f(", ")"), ("a[", "]"), ("ANY ", "")] {
      for end in ["", "a"] {
        let format = "a == " + open + nested(open, end, close, 100_000)
        #expect(throws: PredicateFormatError.self, "\(open)") { try PredicateTree(format: format) }
        #expect(throws: PredicateFormatError.self, "\(open)") { try PredicateTree(format: open + format) }
      }
    }
    for (open, close) in [("(", ")"), ("(?:", ")"), ("(?i:", ")"), ("[a", "]"), ("(a|", ")"), ("(?<n>", ")*")] {
      let tree = PredicateTree.comparison(
        PredicateComparison(
          .constant(.string("a")), .matches, .constant(.string(nested(open, "a", close, 100_000)))))
      var evaluator = PredicateEvaluator(tree, matching: TextPattern.matching)
      #expect(throws: PredicateEvaluationError.self, "\(open)") { try evaluator.matches(.null) }
    }
  }

  @Test("the printer and the evaluator refuse manually built trees that are too deep")
  func byHand() {
    let tree = (0...Self.depth).reduce(PredicateTree.constant(true)) { tree, _ in .not(tree) }
    #expect(throws: PredicateDepthError.self) { try tree.format }
    var evaluator = PredicateEvaluator(tree)
    #expect(throws: Never.self) { try evaluator.matches(.null) }
    let deeper = (0..<(3 * Self.depth)).reduce(tree) { tree, _ in .not(tree) }
    var other = PredicateEvaluator(deeper)
    #expect(throws: PredicateEvaluationError.self) { try other.matches(.null) }
  }

  @Test("long chains of one operator, long paths and long lists count as one level")
  func longChainsOfOneOperatorLongPaths() throws {
    let compound = Array(repeating: "a == 1", count: 5000).joined(separator: " AND ")
    #expect(try PredicateTree(format: compound).format == compound)
    let path = Array(repeating: "a", count: 5000).joined(separator: ".") + " == 1"
    #expect(try PredicateTree(format: path).format == path)
    let list = "a IN {" + Array(repeating: "1", count: 5000).joined(separator: ", ") + "}"
    #expect(try PredicateTree(format: list).format == list)
  }

  @Test("parsing 300 kB of repeated pieces takes linear time", arguments: PredicateSamples.repeated)
  func parsing300KBOfRepeatedPiecesTakes(_ piece: String) {
    for end in ["", "a == 1"] {
      let format = String(repeating: piece, count: 300_000 / piece.utf8.count) + end
      let time = processorTime { _ = try? PredicateTree(format: format) }
      #expect(time < .seconds(20), "\(piece)")
    }
  }

  /// The seed is fixed; the long form, `Stress predicates`, generates new formats. In a process of its own, whose memory it
  /// measures.
  @Test("20,000 mutated formats give an error, or a tree that survives printing and evaluation")
  func mutatedFormatsGiveAnError() async {
    await #expect(processExitsWith: .success) {
      var run = MutationRun(MutatedPredicates.self, count: 20_000, seed: TestSeed.value(1), largest: 50_000)
      let report = run.run()
      #expect(report.problems == [], "\(report)")
      #expect(report.cases == 20_000, "\(report)")
      #expect(report.accepted > 2000, "\(report)")
      #expect(report.evaluated > 500, "\(report)")
    }
  }

  @Test("4,000 random trees survive printing")
  func randomTreesSurvivePrinting() throws {
    for seed in TestSeed.values(1...4000) {
      var generator = PredicateGenerator(seed: seed)
      let tree = generator.tree(depth: 4)
      let printed = try tree.format
      let again = try? PredicateTree(format: printed)
      #expect(again == tree, "seed \(seed): \(printed)")
    }
  }
}
