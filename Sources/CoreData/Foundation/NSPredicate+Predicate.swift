import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPlatform

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
        let format = try translation.predicate(predicate.expression)
        self.init(format: format, argumentArray: translation.arguments)
      } catch {
        StandardStream.error.write(
          "CoreData: error: NSPredicate(_:) can't translate \(error.expression); write NSPredicate(format:) instead\n")
        return nil
      }
    }
  }

  /// Translates the expressions of `#Predicate` into the format language, with the values as its arguments.
  struct PredicateTranslation {
    /// An expression without a counterpart.
    struct Unsupported: Error {
      var expression: String

      init(_ expression: Any) { self.expression = String(describing: type(of: expression)) }
    }

    /// The translation of an expression that is not a condition.
    enum Operand {
      /// A key path from the object itself, or from the variable of a subquery.
      case path(variable: String?, [String])
      case constant(Any)
    }

    private(set) var arguments: [Any] = []
    private var variables: [PredicateExpressions.VariableID: Operand]
    private var subqueries = 0

    init(variable: PredicateExpressions.VariableID) { variables = [variable: .path(variable: nil, [])] }

    /// The text of a condition.
    mutating func predicate(_ expression: Any) throws(Unsupported) -> String {
      if let condition = expression as? any TranslatableCondition { return try condition.format(&self) }
      // A property of the type Bool.
      return "\(try text(expression)) == TRUE"
    }

    mutating func operand(_ expression: Any) throws(Unsupported) -> Operand {
      guard let value = expression as? any TranslatableValue else { throw Unsupported(expression) }
      return try value.operand(&self)
    }

    /// The text of a value.
    mutating func text(_ expression: Any) throws(Unsupported) -> String { text(of: try operand(expression)) }

    /// Arguments are in the order of the text: a value is appended to them when its text is written.
    mutating func text(of operand: Operand) -> String {
      switch operand {
      case .constant(let value):
        arguments.append(value)
        return "%@"
      case .path(nil, let names):
        if names.isEmpty { return "SELF" }
        arguments.append(names.joined(separator: "."))
        return "%K"
      case .path(let variable?, let names): return (["$" + variable] + names).joined(separator: ".")
      }
    }

    mutating func binary(_ left: Any, _ word: String, _ right: Any) throws(Unsupported) -> String {
      let text = try self.text(left)
      return "\(text) \(word) \(try self.text(right))"
    }

    mutating func compound(_ left: Any, _ word: String, _ right: Any) throws(Unsupported) -> String {
      let text = try predicate(left)
      return "(\(text)) \(word) (\(try predicate(right)))"
    }

    func variable(_ key: PredicateExpressions.VariableID) -> Operand? { variables[key] }

    /// Runs `body` with the variable bound to the operand.
    mutating func bind<Result>(
      _ key: PredicateExpressions.VariableID, to operand: Operand,
      _ body: (inout PredicateTranslation) throws(Unsupported) -> Result
    ) throws(Unsupported) -> Result {
      variables[key] = operand
      defer { variables[key] = nil }
      return try body(&self)
    }

    /// `SUBQUERY(collection, $member, test)`.
    mutating func subquery(
      _ collection: Any, _ key: PredicateExpressions.VariableID, _ test: Any, isNegated: Bool
    ) throws(Unsupported) -> String {
      let list = try text(collection)
      subqueries += 1
      let name = "member\(subqueries)"
      let condition = try bind(key, to: .path(variable: name, [])) { (translation) throws(Unsupported) in
        try translation.predicate(test)
      }
      return "SUBQUERY(\(list), $\(name), \(isNegated ? "NOT (\(condition))" : condition)).@count"
    }
  }

  /// An expression that becomes a predicate.
  private protocol TranslatableCondition {
    func format(_ translation: inout PredicateTranslation) throws(PredicateTranslation.Unsupported) -> String
  }

  /// An expression that becomes a value.
  private protocol TranslatableValue {
    func operand(
      _ translation: inout PredicateTranslation
    ) throws(PredicateTranslation.Unsupported) -> PredicateTranslation.Operand
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
    fileprivate func operand(_ translation: inout Translation) throws(Translation.Unsupported) -> Translation.Operand {
      guard let operand = translation.variable(key) else { throw Translation.Unsupported(self) }
      return operand
    }
  }

  extension PredicateExpressions.KeyPath: TranslatableValue {
    fileprivate func operand(_ translation: inout Translation) throws(Translation.Unsupported) -> Translation.Operand {
      guard case .path(let variable, let names) = try translation.operand(root) else {
        throw Translation.Unsupported(self)
      }
      if let name = PropertyNames.name(of: keyPath) { return .path(variable: variable, names + [name]) }
      guard !names.isEmpty, (Root.Output.self as? any CountedMembers.Type)?.countPath == keyPath else {
        throw Translation.Unsupported(self)
      }
      return .path(variable: variable, names + ["@count"])
    }
  }

  extension PredicateExpressions.Value: TranslatableValue, TranslatableCondition {
    fileprivate func operand(_ translation: inout Translation) throws(Translation.Unsupported) -> Translation.Operand {
      .constant(value)
    }

    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      guard let value = value as? Bool else { throw Translation.Unsupported(self) }
      return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    }
  }

  extension PredicateExpressions.NilLiteral: TranslatableValue {
    fileprivate func operand(_ translation: inout Translation) throws(Translation.Unsupported) -> Translation.Operand {
      .constant(NSNull())
    }
  }

  extension PredicateExpressions.ForcedUnwrap: TranslatableValue {
    fileprivate func operand(_ translation: inout Translation) throws(Translation.Unsupported) -> Translation.Operand {
      try translation.operand(inner)
    }
  }

  extension PredicateExpressions.OptionalFlatMap: TranslatableValue, TranslatableCondition {
    fileprivate func operand(_ translation: inout Translation) throws(Translation.Unsupported) -> Translation.Operand {
      let wrapped = try translation.operand(self.wrapped)
      return try translation.bind(variable.key, to: wrapped) { (translation) throws(Translation.Unsupported) in
        try translation.operand(transform)
      }
    }

    /// False for nil, also if it is negated.
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      let operand = try translation.operand(wrapped)
      let isThere = "\(translation.text(of: operand)) != nil"
      let test = try translation.bind(variable.key, to: operand) { (translation) throws(Translation.Unsupported) in
        try translation.predicate(transform)
      }
      return "(\(isThere) AND (\(test)))"
    }
  }

  // MARK: Conditions

  extension PredicateExpressions.Equal: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.binary(lhs, "==", rhs)
    }
  }

  extension PredicateExpressions.NotEqual: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.binary(lhs, "!=", rhs)
    }
  }

  extension PredicateExpressions.Comparison: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      let word =
        switch op {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        @unknown default: throw Translation.Unsupported(self)
        }
      return try translation.binary(lhs, word, rhs)
    }
  }

  extension PredicateExpressions.Conjunction: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.compound(lhs, "AND", rhs)
    }
  }

  extension PredicateExpressions.Disjunction: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.compound(lhs, "OR", rhs)
    }
  }

  extension PredicateExpressions.Negation: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      "NOT (\(try translation.predicate(wrapped)))"
    }
  }

  extension PredicateExpressions.NilCoalesce: TranslatableCondition {
    /// A condition over an optional is false for nil; another default has no counterpart.
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      guard let value = rhs as? PredicateExpressions.Value<Bool>, !value.value else {
        throw Translation.Unsupported(self)
      }
      return try translation.predicate(lhs)
    }
  }

  extension PredicateExpressions.SequenceContains: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.binary(element, "IN", sequence)
    }
  }

  extension PredicateExpressions.RangeExpressionContains: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      guard let bounds = range as? any TranslatableRange else { throw Translation.Unsupported(self) }
      let lower = try translation.binary(element, ">=", bounds.lowerBound)
      return "\(lower) AND \(try translation.binary(element, bounds.isClosed ? "<=" : "<", bounds.upperBound))"
    }
  }

  /// A range with both bounds.
  private protocol TranslatableRange {
    var lowerBound: Any { get }
    var upperBound: Any { get }
    var isClosed: Bool { get }
  }

  extension PredicateExpressions.Range: TranslatableRange {
    fileprivate var lowerBound: Any { lower }
    fileprivate var upperBound: Any { upper }
    fileprivate var isClosed: Bool { false }
  }

  extension PredicateExpressions.ClosedRange: TranslatableRange {
    fileprivate var lowerBound: Any { lower }
    fileprivate var upperBound: Any { upper }
    fileprivate var isClosed: Bool { true }
  }

  extension PredicateExpressions.SequenceStartsWith: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.binary(base, "BEGINSWITH", prefix)
    }
  }

  extension PredicateExpressions.CollectionContainsCollection: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      try translation.binary(base, "CONTAINS", other)
    }
  }

  extension PredicateExpressions.SequenceContainsWhere: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      "\(try translation.subquery(sequence, variable.key, test, isNegated: false)) > 0"
    }
  }

  extension PredicateExpressions.SequenceAllSatisfy: TranslatableCondition {
    fileprivate func format(_ translation: inout Translation) throws(Translation.Unsupported) -> String {
      "\(try translation.subquery(sequence, variable.key, test, isNegated: true)) == 0"
    }
  }
#endif
