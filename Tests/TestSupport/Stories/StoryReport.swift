/// The report of a run of random steps.
package struct StoryReport: Sendable, CustomStringConvertible {
  /// The parameters of the run. They reproduce the same steps.
  private let beginning: String
  package var steps = 0
  /// The number of events of each kind.
  package private(set) var counts: [String: Int] = [:]
  package var problems: [String] = []
  /// The last steps.
  private var story: [String] = []

  /// The maximal number of steps in the report.
  private static let mostSteps = 40

  package init(_ beginning: String) { self.beginning = beginning }

  package subscript(count kind: String) -> Int {
    get { counts[kind, default: 0] }
    set { counts[kind] = newValue }
  }

  /// Adds a step to the report.
  package mutating func tell(_ text: String) {
    story.append("\(steps): \(text)")
    story = story.suffix(Self.mostSteps)
  }

  package var description: String {
    let counts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let text = "\(beginning): \(steps) steps: \(counts)"
    guard !problems.isEmpty else { return text }
    return ([text + "; the last steps:"] + story.map { "  " + $0 } + ["and then:"] + problems.map { "  ! " + $0 })
      .joined(separator: "\n")
  }
}
