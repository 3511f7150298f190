/// What a hostile run did, by kinds of file and of mutation, and what went wrong.
package struct HostileReport: Sendable, CustomStringConvertible {
  package var seed: UInt64
  package var problems: [String] = []
  package var counts: [String: [String: Int]] = [:]

  init(seed: UInt64) { self.seed = seed }

  package var cases: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

  mutating func add(_ other: HostileReport) {
    problems += other.problems
    counts.merge(other.counts) { $0.merging($1, uniquingKeysWith: +) }
  }

  package var description: String {
    var lines = ["\(cases) files, seed \(seed), \(problems.count) problems"]
    for (kind, mutations) in counts.sorted(by: { $0.key < $1.key }) {
      let list = mutations.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      lines.append("  \(kind) \(mutations.values.reduce(0, +)): \(list)")
    }
    return (lines + problems.sorted().prefix(200).map { "  ! \($0)" }).joined(separator: "\n")
  }
}
