/// The results of the planted faults.
package struct MutantsReport: CustomStringConvertible, Sendable {
  package enum Verdict: Sendable, Equatable {
    case noticed(suite: String, line: String)
    /// No test detected the fault, in this number of suites that reached it.
    case unnoticed(suites: Int)
  }

  package let seed: UInt64
  package var results: [(mutant: Mutant, verdict: Verdict)] = []
  /// The suites that fail without a fault.
  package var flaws: [String] = []

  package init(seed: UInt64) { self.seed = seed }

  package var unnoticed: [Mutant] {
    results.filter { if case .unnoticed = $0.verdict { true } else { false } }.map(\.mutant)
  }

  static func line(_ mutant: Mutant, _ verdict: Verdict) -> String {
    let place = "\(mutant.file):\(mutant.line): \(mutant.kind.rawValue), \(mutant.change)"
    switch verdict {
    case .noticed(let suite, _): return "\(place): noticed by \(suite)"
    case .unnoticed(let suites): return "\(place): NOT NOTICED by \(suites) suites: \(mutant.code)"
    }
  }

  package var description: String {
    var lines = results.map { Self.line($0.mutant, $0.verdict) }
    lines.sort { $0.contains("NOT NOTICED") == $1.contains("NOT NOTICED") ? $0 < $1 : $1.contains("NOT NOTICED") }
    lines += flaws.map { "fails without a fault: \($0)" }
    lines.append("seed \(seed): \(results.count) faults, \(unnoticed.count) not noticed")
    return lines.joined(separator: "\n")
  }
}
