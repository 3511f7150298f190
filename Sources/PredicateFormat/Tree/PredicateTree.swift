/// A predicate as a tree. ``init(format:arguments:)`` parses it, ``format`` prints it, and an evaluator evaluates it.
///
/// Compounds made by the parser have at least two members.
package indirect enum PredicateTree: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(PredicateComparison)
  case and([PredicateTree])
  case or([PredicateTree])
  case not(PredicateTree)

  /// The maximum depth of a tree. The parser, the printer and the evaluator reject deeper trees, because these could
  /// overflow the stack.
  package static let maximumDepth = 100

  /// The conjunction of the members. For one member it is the member itself, for none a true constant.
  package static func all(of members: [PredicateTree]) -> PredicateTree {
    members.count > 1 ? .and(members) : members.first ?? .constant(true)
  }

  /// The disjunction of the members. For one member it is the member itself, for none a false constant.
  package static func any(of members: [PredicateTree]) -> PredicateTree {
    members.count > 1 ? .or(members) : members.first ?? .constant(false)
  }

  var isCompound: Bool {
    switch self {
    case .and, .or, .not: true
    case .constant, .comparison: false
    }
  }
}
