/// What was found in a cloud after a fault.
struct AttackVerdict: Sendable {
  /// `between` is only for what is done in several commits.
  enum Outcome: Sendable { case before, between, after }

  /// Nil where it can't be told.
  var outcome: Outcome?
  var problems: [String] = []
  /// The same was found before, and was gone on with in the same way.
  var isRepeated = false
}
