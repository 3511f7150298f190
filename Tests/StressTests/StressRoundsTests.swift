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

  @Test("are good where nothing went wrong, and say what each run did")
  func good() throws {
    let (isGood, lines) = try run([[], [], [], []])
    #expect(isGood)
    #expect(lines == ["round 1, one: []\n", "round 1, other: []\n", "round 2, one: []\n", "round 2, other: []\n"])
  }

  @Test("are bad with one problem in any run, and go on to the end", arguments: 0..<4)
  func bad(place: Int) throws {
    var problems: [[String]] = [[], [], [], []]
    problems[place] = ["lost"]
    let (isGood, lines) = try run(problems)
    #expect(!isGood)
    #expect(lines.count == 4)
    #expect(lines[place].contains("lost"))
  }

  @Test("take a number above zero, or nothing", arguments: [[], ["1"], ["20"]])
  func arguments(arguments: [String]) {
    #expect(StressRounds(arguments: arguments, executable: "") != nil)
  }

  @Test("take nothing else", arguments: [["0"], ["-1"], ["x"], ["1", "2"]])
  func nonsense(arguments: [String]) {
    #expect(StressRounds(arguments: arguments, executable: "") == nil)
  }
}
