/// What a run of random steps reports.
package struct StoryReport: Sendable, CustomStringConvertible {
  /// What the run was begun with, which gives the same steps again.
  private let beginning: String
  package var steps = 0
  /// How often each kind of thing happened.
  package private(set) var counts: [String: Int] = [:]
  package var problems: [String] = []
  /// The last steps.
  private var story: [String] = []

  /// At most so many steps are told.
  private static let mostSteps = 40

  package init(_ beginning: String) { self.beginning = beginning }

  package subscript(count kind: String) -> Int {
    get { counts[kind, default: 0] }
    set { counts[kind] = newValue }
  }

  /// Tells of a step.
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
