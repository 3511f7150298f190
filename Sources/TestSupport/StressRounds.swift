/// `Stress N`: rounds of runs that each say what they did and what went wrong. One problem in any of them makes the whole
/// a failure.
package struct StressRounds {
  /// One run of a round.
  package struct Part {
    var name: String
    var run: () throws -> (text: String, problems: [String])

    package init(_ name: String, _ run: @escaping () throws -> (text: String, problems: [String])) {
      (self.name, self.run) = (name, run)
    }
  }

  private let count: Int
  private let parts: [Part]

  package init(_ count: Int, _ parts: [Part]) { (self.count, self.parts) = (count, parts) }

  /// Nil for arguments that mean nothing: at most one number above zero.
  package init?(arguments: [String], executable: String) {
    guard arguments.count < 2, let count = arguments.first.map({ Int($0) }) ?? 1, count > 0 else { return nil }
    let loads = [StressNames.Mode.singles, .batches].map { mode in
      Part(mode.rawValue) {
        let report = try StressRun(mode: mode, executable: executable).run()
        return ("\(report)", report.problems)
      }
    }
    let contests = Part("contests") {
      let problems = try ContestRun(rounds: 40, executable: executable).run()
      return (problems.isEmpty ? "one winner each" : "\(problems)", problems)
    }
    let kills = Part("kills") {
      let report = try KillRun(kills: 200, executable: executable).run()
      return ("\(report)", report.problems)
    }
    self.init(count, loads + [contests, kills])
  }

  /// Goes on after a problem, so that all are seen. Answers whether all was well.
  package func run(_ print: (String) -> Void) throws -> Bool {
    var isGood = true
    for round in 1...max(1, count) {
      for part in parts {
        let (text, problems) = try part.run()
        print("round \(round), \(part.name): \(text)\n")
        if !problems.isEmpty { isGood = false }
      }
    }
    return isGood
  }
}
