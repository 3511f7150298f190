/// One of the sharing rules: documented behaviour of shares, row by row, and assumptions about the rest.
struct SharingRule: CustomStringConvertible, Sendable {
  /// The rule's section in this list. The articles of CloudService contain the rules themselves.
  var section: String
  /// The rule's subject. The names of the rule's tests begin with it.
  var subject: String
  /// Words of the row in the table of differences, for undocumented behaviour or a difference.
  var assumption: String?
  /// Words of the row in the table of differences, for a rule that is impossible here and has no test.
  var impossibility: String?

  init(_ section: String, _ subject: String, assumes assumption: String? = nil, cannotBe impossibility: String? = nil) {
    self.section = section
    self.subject = subject
    self.assumption = assumption
    self.impossibility = impossibility
  }

  var description: String { "\(section) \(subject)" }

  /// The rule of a test with this name: the longest rule at the beginning of the name.
  static func named(by test: String) -> SharingRule? {
    all.filter { $0.begins(test) }.max { $0.description.count < $1.description.count }
  }

  private func begins(_ test: String) -> Bool {
    guard test.hasPrefix(description) else { return false }
    return test.dropFirst(description.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
  }
}
