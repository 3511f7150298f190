import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite struct ExactNameTests {
  private let composed = ExactName("caf\u{E9}")
  private let decomposed = ExactName("cafe\u{301}")

  @Test func normalFormsAreDistinct() {
    #expect(composed.string == decomposed.string)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    var table: [ExactName: Int] = [composed: 1]
    table[decomposed] = 2
    #expect(table[composed] == 1)
    #expect(table["cafe\u{301}"] == 2)
  }

  @Test func caseIsDistinct() {
    #expect(ExactName("A") != ExactName("a"))
  }

  @Test func sortsByBytes() {
    let names: [ExactName] = [
      "", "\0", "A", "AA", "Z", "a", "abcdefgh", "abcdefgha", "abcdefghb", "abcdefgi", "cafe\u{301}", "caf\u{E9}",
      "\u{7F}", "\u{80}", "\u{FFFF}", "\u{10000}",
    ]
    var random = SeededGenerator(seed: TestSeed.value)
    #expect(names.shuffled(using: &random).sorted() == names)
    for (index, name) in names.enumerated() {
      #expect(names.indices.filter { names[$0] < name } == Array(0..<index))
    }
  }

  @Test(arguments: TestSeed.values(1...3))
  func agreesWithTheBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let (left, right) = (random.string(upTo: 12), random.string(upTo: 3))
      let (leftName, rightName) = (ExactName(left), ExactName(right))
      #expect((leftName == rightName) == left.utf8.elementsEqual(right.utf8), "seed \(seed)")
      #expect((leftName < rightName) == left.utf8.lexicographicallyPrecedes(right.utf8), "seed \(seed)")
      // With a common prefix longer than a machine word.
      let (leftLong, rightLong) = (ExactName("0123456789" + left), ExactName("0123456789" + right))
      #expect((leftLong < rightLong) == (leftName < rightName), "seed \(seed)")
    }
  }

  @Test func describesItself() {
    #expect("\(ExactName("a/b"))" == "a/b")
  }
}
