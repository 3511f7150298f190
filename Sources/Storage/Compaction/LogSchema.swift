/// The keys and values that a folder's observer uses in the lines of its logs.
package struct LogSchema: Sendable {
  package enum Outcome: Sendable {
    /// The subject exists, in the state of this line.
    case present
    /// Another property of the subject changed.
    case touched
    case gone
  }

  let subject: [UInt8]
  let outcome: [UInt8]
  let subjectKey: String
  let outcomeKey: String
  private let outcomes: [(text: String, outcome: Outcome)]
  /// Whether no line replaces another one: a compaction removes all lines up to its horizon.
  let areLinesIndependent: Bool

  /// - Parameters:
  ///   - subject: the key of a line's subject.
  ///   - outcome: the key of the kind of change. Its values are the keys of `outcomes`.
  package init(subject: String, outcome: String, outcomes: KeyValuePairs<String, Outcome>) {
    (subjectKey, outcomeKey) = (subject, outcome)
    self.subject = Array(subject.utf8)
    self.outcome = Array(outcome.utf8)
    self.outcomes = outcomes.map { ($0.key, $0.value) }
    areLinesIndependent = false
  }

  private init() {
    (subject, outcome, subjectKey, outcomeKey, outcomes, areLinesIndependent) = ([], [], "", "", [], true)
  }

  /// A log of events. Each event stays until ``JournaledFolder/forgetLines(through:_:)`` removes it.
  package static let events = LogSchema()

  func outcome(_ text: String) -> Outcome? { outcomes.first { $0.text == text }?.outcome }

  func outcome(_ text: FastObjectReader.Bytes) -> Outcome? {
    outcomes.first { text.elementsEqual($0.text.utf8) }?.outcome
  }
}
