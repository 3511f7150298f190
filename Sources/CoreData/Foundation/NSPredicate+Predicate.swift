import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPlatform
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  // A protocol's extension, as for the format language, because the created predicate is of a subclass.
  extension NSCopying where Self: NSPredicate {
    /// Converts a predicate of the macro `#Predicate` for objects of an entity's class. Nil for an expression that has
    /// no counterpart in the format language; stderr names it.
    ///
    /// - Difference: arithmetic, casts, subscripts, regular expressions and conditions are not translated.
    public init?<Input: NSManagedObject>(_ predicate: Predicate<Input>) {
      var translation = PredicateTranslation(variable: predicate.variable.key)
      do throws(PredicateTranslation.Unsupported) {
        let tree = try translation.predicate(predicate.expression)
        guard tree.depth(within: PredicateTree.maximumDepth) != nil else {
          throw PredicateTranslation.Unsupported("more than \(PredicateTree.maximumDepth) levels")
        }
        self = ObjectClass.instance(of: Self.self, tree)
      } catch {
        StandardStream.error.write(
          "CoreData: error: NSPredicate(_:) can't translate \(error.expression); write NSPredicate(format:) instead\n")
        return nil
      }
    }
  }

  /// Translates the expressions of `#Predicate` into trees of the format language.
  struct PredicateTranslation {
    /// An expression without a counterpart.
    struct Unsupported: Error {
      var expression: String

      init(_ text: String) { expression = text }

      init(_ expression: Any) { self.expression = String(describing: type(of: expression)) }
    }

    private var variables: [PredicateExpressions.VariableID: ExpressionTree]
    private var subqueries = 0

    init(variable: PredicateExpressions.VariableID) { variables = [variable: .subject] }

    mutating func predicate(_ expression: Any) throws(Unsupported) -> PredicateTree {
      if let condition = expression as? any TranslatableCondition { return try condition.tree(&self) }
      // A property of the type Bool.
      return .comparison(PredicateComparison(try value(expression), .equal, .constant(.boolean(true))))
    }

    mutating func value(_ expression: Any) throws(Unsupported) -> ExpressionTree {
      guard let value = expression as? any TranslatableValue else { throw Unsupported(expression) }
      return try value.tree(&self)
    }

    mutating func comparison(
      _ left: Any, _ comparator: PredicateComparison.Operator, _ right: Any
    ) throws(Unsupported) -> PredicateTree {
      .comparison(PredicateComparison(try value(left), comparator, try value(right)))
    }

    func variable(_ key: PredicateExpressions.VariableID) -> ExpressionTree? { variables[key] }

    /// Runs `body` with the variable standing for a value.
    mutating func bind<Result>(
      _ key: PredicateExpressions.VariableID, to value: ExpressionTree,
      _ body: (inout PredicateTranslation) throws(Unsupported) -> Result
    ) throws(Unsupported) -> Result {
      variables[key] = value
      defer { variables[key] = nil }
      return try body(&self)
    }

    /// Compares a number of members of a collection with 0: those that meet a condition, or, if it is negated, the others.
    mutating func subquery(
      _ collection: Any, _ key: PredicateExpressions.VariableID, _ test: Any, isNegated: Bool,
      _ comparator: PredicateComparison.Operator
    ) throws(Unsupported) -> PredicateTree {
      let collection = try value(collection)
      subqueries += 1
      let name = "member\(subqueries)"
      let condition = try bind(key, to: .variable(name)) { (translation) throws(Unsupported) in
        try translation.predicate(test)
      }
      let members = ExpressionTree.subquery(collection, variable: name, isNegated ? .not(condition) : condition)
      return .comparison(PredicateComparison(.keyPath(members, ["@count"]), comparator, .constant(.integer(0))))
    }
  }

  /// An expression that becomes a predicate.
  private protocol TranslatableCondition {
    func tree(_ translation: inout PredicateTranslation) throws(PredicateTranslation.Unsupported) -> PredicateTree
  }

  /// An expression that becomes a value.
  private protocol TranslatableValue {
    func tree(_ translation: inout PredicateTranslation) throws(PredicateTranslation.Unsupported) -> ExpressionTree
  }

  private typealias Translation = PredicateTranslation

  /// The objects of a relationship, with the key path to their number.
  private protocol CountedMembers {
    static var countPath: AnyKeyPath { get }
  }

  extension Set: CountedMembers { fileprivate static var countPath: AnyKeyPath { \Set<Element>.count } }
  extension NSSet: CountedMembers { fileprivate static var countPath: AnyKeyPath { \NSSet.count } }
  extension NSOrderedSet: CountedMembers { fileprivate static var countPath: AnyKeyPath { \NSOrderedSet.count } }

  // MARK: Values

  extension PredicateExpressions.Variable: TranslatableValue {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> ExpressionTree {
      guard let value = translation.variable(key) else { throw Translation.Unsupported(self) }
      return value
    }
  }

  extension PredicateExpressions.KeyPath: TranslatableValue {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> ExpressionTree {
      let root = try translation.value(self.root)
      if case .constant = root { throw Translation.Unsupported(self) }
      if let path = PropertyNames.name(of: keyPath) {
        return root.appending(path.split(separator: ".").map(String.init))
      }
      guard case .keyPath = root, (Root.Output.self as? any CountedMembers.Type)?.countPath == keyPath else {
        throw Translation.Unsupported(self)
      }
      return root.appending(["@count"])
    }
  }

  extension PredicateExpressions.Value: TranslatableValue, TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> ExpressionTree {
      .constant(PredicateValue(object: value))
    }

    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      guard let value = value as? Bool else { throw Translation.Unsupported(self) }
      return .constant(value)
    }
  }

  extension PredicateExpressions.NilLiteral: TranslatableValue {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> ExpressionTree {
      .constant(.null)
    }
  }

  extension PredicateExpressions.ForcedUnwrap: TranslatableValue {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> ExpressionTree {
      try translation.value(inner)
    }
  }

  extension PredicateExpressions.OptionalFlatMap: TranslatableValue, TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> ExpressionTree {
      let wrapped = try translation.value(self.wrapped)
      return try translation.bind(variable.key, to: wrapped) { (translation) throws(Translation.Unsupported) in
        try translation.value(transform)
      }
    }

    /// False for nil, also where it is negated.
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      let wrapped = try translation.value(self.wrapped)
      let test = try translation.bind(variable.key, to: wrapped) { (translation) throws(Translation.Unsupported) in
        try translation.predicate(transform)
      }
      return .and([.comparison(PredicateComparison(wrapped, .notEqual, .constant(.null))), test])
    }
  }

  // MARK: Conditions

  /// Two values that an operator compares.
  private protocol TranslatableComparison: TranslatableCondition {
    var parts: Parts { get }
  }

  extension TranslatableComparison {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      try translation.comparison(parts.left, parts.comparator, parts.right)
    }
  }

  private typealias Parts = (left: Any, comparator: PredicateComparison.Operator, right: Any)

  extension PredicateExpressions.Equal: TranslatableComparison { fileprivate var parts: Parts { (lhs, .equal, rhs) } }

  extension PredicateExpressions.NotEqual: TranslatableComparison {
    fileprivate var parts: Parts { (lhs, .notEqual, rhs) }
  }

  extension PredicateExpressions.SequenceContains: TranslatableComparison {
    fileprivate var parts: Parts { (element, .in, sequence) }
  }

  extension PredicateExpressions.SequenceStartsWith: TranslatableComparison {
    fileprivate var parts: Parts { (base, .beginsWith, prefix) }
  }

  extension PredicateExpressions.CollectionContainsCollection: TranslatableComparison {
    fileprivate var parts: Parts { (base, .contains, other) }
  }

  extension PredicateExpressions.Comparison: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      let comparator: PredicateComparison.Operator =
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        @unknown default: throw Translation.Unsupported(self)
        }
      return try translation.comparison(lhs, comparator, rhs)
    }
  }

  extension PredicateExpressions.Conjunction: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      .and([try translation.predicate(lhs), try translation.predicate(rhs)])
    }
  }

  extension PredicateExpressions.Disjunction: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      .or([try translation.predicate(lhs), try translation.predicate(rhs)])
    }
  }

  extension PredicateExpressions.Negation: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      .not(try translation.predicate(wrapped))
    }
  }

  extension PredicateExpressions.NilCoalesce: TranslatableCondition {
    /// A condition over an optional is false for nil; another default has no counterpart.
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      guard let value = rhs as? PredicateExpressions.Value<Bool>, !value.value else {
        throw Translation.Unsupported(self)
      }
      return try translation.predicate(lhs)
    }
  }

  extension PredicateExpressions.RangeExpressionContains: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      guard let bounds = (range as? any TranslatableRange)?.bounds else { throw Translation.Unsupported(self) }
      return .and([
        try translation.comparison(element, .greaterOrEqual, bounds.lower),
        try translation.comparison(element, bounds.isClosed ? .lessOrEqual : .less, bounds.upper),
      ])
    }
  }

  /// A range with both bounds.
  private protocol TranslatableRange {
    var bounds: Bounds { get }
  }

  private typealias Bounds = (lower: Any, upper: Any, isClosed: Bool)

  extension PredicateExpressions.Range: TranslatableRange { fileprivate var bounds: Bounds { (lower, upper, false) } }
  extension PredicateExpressions.ClosedRange: TranslatableRange {
    fileprivate var bounds: Bounds { (lower, upper, true) }
  }

  extension PredicateExpressions.SequenceContainsWhere: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      try translation.subquery(sequence, variable.key, test, isNegated: false, .greater)
    }
  }

  extension PredicateExpressions.SequenceAllSatisfy: TranslatableCondition {
    fileprivate func tree(_ translation: inout Translation) throws(Translation.Unsupported) -> PredicateTree {
      try translation.subquery(sequence, variable.key, test, isNegated: true, .equal)
    }
  }
#endif
