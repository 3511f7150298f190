import TestSupport
import Testing

@Suite("Rounds of the stress program")
struct StressRoundsTests {
  private func run(_ problems: [[String]]) throws -> (isGood: Bool, lines: [String]) {
    var (calls, lines) = (0, [String]())
    let parts = ["one", "other"].map { name in
      StressRounds.Part(name) {
        calls += 1
        return ("\(problems[calls - 1])", problems[calls - 1])
      }
    }
    let isGood = try StressRounds(problems.count / 2, parts).run { lines.append($0) }
    return (isGood, lines)
  }

  @Test("rounds without problems succeed and print a line for each run")
  func roundsWithoutProblemsSucceedAndPrint() throws {
    let (isGood, lines) = try run([[], [], [], []])
    #expect(isGood)
    #expect(lines == ["round 1, one: []\n", "round 1, other: []\n", "round 2, one: []\n", "round 2, other: []\n"])
  }

  @Test("a problem in any run makes the rounds fail, and the remaining runs are executed", arguments: 0..<4)
  func problemInAnyRunMakesTheRounds(index: Int) throws {
    var problems: [[String]] = [[], [], [], []]
    problems[index] = ["lost"]
    let (isGood, lines) = try run(problems)
    #expect(!isGood)
    #expect(lines.count == 4)
    #expect(lines[index].contains("lost"))
  }

  @Test("the argument is a number above zero or missing", arguments: [[], ["1"], ["20"]])
  func argumentIsANumberAboveZero(arguments: [String]) {
    #expect(StressRounds(arguments: arguments, executable: "") != nil)
  }

  @Test("any other argument is refused", arguments: [["0"], ["-1"], ["x"], ["1", "2"]])
  func anyOtherArgumentIsRefused(arguments: [String]) {
    #expect(StressRounds(arguments: arguments, executable: "") == nil)
  }
}
