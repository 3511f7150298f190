/// What was found in a cloud after a fault.
struct AttackVerdict: Sendable {
  enum Outcome: Sendable { case before, after }

  /// Nil where it can't be told.
  var outcome: Outcome?
  var problems: [String] = []
}
