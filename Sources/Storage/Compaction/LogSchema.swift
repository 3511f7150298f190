/// What a folder's client calls the parts of its logs' lines.
package struct LogSchema: Sendable {
  package enum Fate: Sendable {
    /// The line's subject is there, as it was at this line.
    case present
    /// Something else of it changed.
    case touched
    case gone
  }

  let subject: [UInt8]
  let fate: [UInt8]
  let subjectKey: String
  let fateKey: String
  private let fates: [(text: String, fate: Fate)]

  /// `subject`: the key of what a line is about; `fate`: of what became of it, in words of `fates`.
  package init(subject: String, fate: String, fates: KeyValuePairs<String, Fate>) {
    (subjectKey, fateKey) = (subject, fate)
    self.subject = Array(subject.utf8)
    self.fate = Array(fate.utf8)
    self.fates = fates.map { ($0.key, $0.value) }
  }

  func fate(_ text: String) -> Fate? { fates.first { $0.text == text }?.fate }

  func fate(_ text: FastObjectReader.Bytes) -> Fate? { fates.first { text.elementsEqual($0.text.utf8) }?.fate }
}
