/// The keys and values that a folder's client uses in the lines of its logs.
package struct LogSchema: Sendable {
  package enum Fate: Sendable {
    /// The subject exists, in the state of this line.
    case present
    /// Another property of the subject changed.
    case touched
    case gone
  }

  let subject: [UInt8]
  let fate: [UInt8]
  let subjectKey: String
  let fateKey: String
  private let fates: [(text: String, fate: Fate)]
  /// Whether no line replaces another one: a compaction removes all lines up to its horizon.
  let areLinesIndependent: Bool

  /// - Parameters:
  ///   - subject: the key of a line's subject.
  ///   - fate: the key of the kind of change. Its values are the keys of `fates`.
  package init(subject: String, fate: String, fates: KeyValuePairs<String, Fate>) {
    (subjectKey, fateKey) = (subject, fate)
    self.subject = Array(subject.utf8)
    self.fate = Array(fate.utf8)
    self.fates = fates.map { ($0.key, $0.value) }
    areLinesIndependent = false
  }

  private init() {
    (subject, fate, subjectKey, fateKey, fates, areLinesIndependent) = ([], [], "", "", [], true)
  }

  /// A log of events. Each event stays until ``JournaledFolder/forgetLines(through:_:)`` removes it.
  package static let events = LogSchema()

  func fate(_ text: String) -> Fate? { fates.first { $0.text == text }?.fate }

  func fate(_ text: FastObjectReader.Bytes) -> Fate? { fates.first { text.elementsEqual($0.text.utf8) }?.fate }
}
