import LocalCloudPredicateFormat

/// One side of a comparison, in the forms that the server supports ([query-predicate-1]).
enum QueryOperand {
  case key(String)
  /// `self` or `allTokens`: all words of the record.
  case words
  /// `distanceToLocation:fromLocation:` of a field and a location.
  case distance(String, PredicateValue)
  /// `tokenize:using:` of a text.
  case tokens(String)
  case constant(PredicateValue)

  /// - Parameter now: the value of `now()` in seconds since the start of 2001; nil: by the machine's clock.
  init(_ tree: ExpressionTree, now: Double? = nil) throws(QueryTranslation.Unexpected) {
    switch tree {
    case .subject: self = .words
    case .keyPath(.subject, ["allTokens"]): self = .words
    case .keyPath(.subject, let names):
      // The server supports no key paths and no collection operators.
      guard names.count == 1, !names[0].hasPrefix("@") else { throw .init() }
      self = .key(names[0])
    case .call(.distance, let arguments):
      let sides = try arguments.map { (side) throws(QueryTranslation.Unexpected) in try QueryOperand(side, now: now) }
      switch (sides.first, sides.last) {
      case (.key(let key)?, .constant(let location)?), (.constant(let location)?, .key(let key)?):
        self = .distance(key, location)
      default: throw .init()
      }
    case .call(.tokenize, let arguments):
      guard case .constant(.string(let text))? = arguments.first else { throw .init() }
      self = .tokens(text)
    default:
      // `now()` and sums of constants are evaluated before the request is sent.
      guard tree.isConstant, let value = Self.value(of: tree, now: now) else { throw .init() }
      self = .constant(value)
    }
  }

  private static func value(of tree: ExpressionTree, now: Double?) -> PredicateValue? {
    var evaluator = PredicateEvaluator(.constant(true), now: now)
    return try? evaluator.value(of: tree, for: .null)
  }
}

extension ExpressionTree {
  /// Whether the value of the expression is the same for every record.
  fileprivate var isConstant: Bool {
    switch self {
    case .constant: true
    case .aggregate(let members), .call(_, let members): members.allSatisfy(\.isConstant)
    case .index(let base, .at(let position)): base.isConstant && position.isConstant
    case .index(let base, _): base.isConstant
    default: false
    }
  }
}
