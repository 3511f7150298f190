/// `Stress N`: rounds of runs. Each run reports its results and problems. A problem in any run makes the whole fail.
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

  /// Parses the arguments. Nil if they are not empty or one number above zero.
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

  /// Runs all rounds, also after a problem. Returns whether there were no problems.
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
