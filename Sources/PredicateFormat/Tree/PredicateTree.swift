/// A predicate as a value: what ``init(format:arguments:)`` reads, what ``format`` prints, what an evaluator decides.
///
/// Compounds that the parser makes have two members or more.
package indirect enum PredicateTree: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(PredicateComparison)
  case and([PredicateTree])
  case or([PredicateTree])
  case not(PredicateTree)

  /// How many levels a tree may have. Parser, printer and evaluator refuse deeper ones, for the stack's sake.
  package static let maximumDepth = 100

  /// All of them; a constant or the member itself where there is no compound to make.
  package static func all(of members: [PredicateTree]) -> PredicateTree {
    members.count > 1 ? .and(members) : members.first ?? .constant(true)
  }

  /// One of them; a constant or the member itself where there is no compound to make.
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
