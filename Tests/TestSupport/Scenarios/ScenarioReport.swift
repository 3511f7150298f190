/// The report of a run of random steps.
package struct ScenarioReport: Sendable, CustomStringConvertible {
  /// The parameters of the run. They reproduce the same steps.
  private let beginning: String
  package var steps = 0
  /// The number of events of each kind.
  package private(set) var counts: [String: Int] = [:]
  package var problems: [String] = []
  /// The last steps.
  private var lastSteps: [String] = []

  /// The maximal number of steps in the report.
  private static let mostSteps = 40

  package init(_ beginning: String) { self.beginning = beginning }

  package subscript(count kind: String) -> Int {
    get { counts[kind, default: 0] }
    set { counts[kind] = newValue }
  }

  /// Adds a step to the report.
  package mutating func addStep(_ text: String) {
    lastSteps.append("\(steps): \(text)")
    lastSteps = lastSteps.suffix(Self.mostSteps)
  }

  package var description: String {
    let counts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let text = "\(beginning): \(steps) steps: \(counts)"
    guard !problems.isEmpty else { return text }
    return ([text + "; the last steps:"] + lastSteps.map { "  " + $0 } + ["and then:"] + problems.map { "  ! " + $0 })
      .joined(separator: "\n")
  }
}
