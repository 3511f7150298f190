/// One of the sharing rules: what CloudKit documents of shares, row by row, and what is assumed where it says nothing.
struct SharingRule: CustomStringConvertible, Sendable {
  /// The section of this list that it stands in. The articles of CloudService have the rules themselves.
  var section: String
  /// What it is about, in the words that its test's name begins with.
  var subject: String
  /// Words of the table of differences that stand for what nobody states, or what differs here.
  var assumption: String?
  /// Why it can't be here at all, and has no test: words of the table of differences.
  var impossibility: String?

  init(_ section: String, _ subject: String, assumes assumption: String? = nil, cannotBe impossibility: String? = nil) {
    self.section = section
    self.subject = subject
    self.assumption = assumption
    self.impossibility = impossibility
  }

  var description: String { "\(section) \(subject)" }

  /// The rule that a test of that name is about: of those whose words it begins with, the one that says most.
  static func named(by test: String) -> SharingRule? {
    all.filter { $0.begins(test) }.max { $0.description.count < $1.description.count }
  }

  private func begins(_ test: String) -> Bool {
    guard test.hasPrefix(description) else { return false }
    return test.dropFirst(description.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
  }
}
