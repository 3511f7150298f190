/// The sequence, subject and outcome in a line of a folder's log.
struct LogLineSummary {
  let sequence: Int64
  let subject: ExactName
  let outcome: LogSchema.Outcome

  /// Nil for the header of a compacted log. Throws ``StorageError/damaged(path:reason:)`` for a line that is not a
  /// change.
  init?(in text: [UInt8], _ range: Range<Int>, of log: LogFile, _ schema: LogSchema) throws {
    if range.lowerBound > 0, let plain = Self.plain(text, range, schema) {
      self = plain
      return
    }
    let line = try log.parse(text[range], at: range.lowerBound)
    if line.offset == 0, LogHeader(line.value) != nil { return nil }
    guard let name = line.value[schema.subjectKey]?.string,
      let outcome = line.value[schema.outcomeKey]?.string.flatMap({ schema.outcome($0) })
    else {
      throw StorageError.damaged(path: log.file.path, reason: "the line at byte \(line.offset) is not a change")
    }
    self.init(sequence: line.sequence, subject: ExactName(name), outcome: outcome)
  }

  private init(sequence: Int64, subject: ExactName, outcome: LogSchema.Outcome) {
    self.sequence = sequence
    self.subject = subject
    self.outcome = outcome
  }

  private static let sequenceKey = Array("sequence".utf8)

  private static func plain(_ text: [UInt8], _ range: Range<Int>, _ schema: LogSchema) -> LogLineSummary? {
    text.withUnsafeBufferPointer { text in
      var (sequence, subject, outcome): (Int64?, ExactName?, LogSchema.Outcome?)
      func isKey(_ bytes: FastObjectReader.Bytes, _ key: [UInt8]) -> Bool {
        key.withUnsafeBufferPointer { byteOrder(bytes, $0) == 0 }
      }
      let isPlain = FastObjectReader.forEachMember(of: FastObjectReader.Bytes(rebasing: text[range])) { key, value in
        switch value {
        case .number(let digits) where isKey(key, sequenceKey):
          sequence = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        case .text(let name) where isKey(key, schema.subject):
          subject = ExactName(String(decoding: name, as: UTF8.self))
        case .text(let name) where isKey(key, schema.outcome):
          outcome = schema.outcome(name)
        default: break
        }
      }
      guard isPlain, let sequence, let subject, let outcome else { return nil }
      return LogLineSummary(sequence: sequence, subject: subject, outcome: outcome)
    }
  }
}
