import Foundation
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  // Foundation declares these on Linux as unavailable. This is a protocol's extension, because only there an
  // initializer may return an existing object.
  extension NSCopying where Self: _NSExpression {
    /// Creates an expression from a text in the predicate format language.
    ///
    /// Stops the process for an invalid format; Apple's framework raises an exception.
    ///
    /// - Difference: on Linux the compiler warns about the name `NSExpression`, because Foundation marks it as
    ///   deprecated there; the expressions still work. There are none of blocks, and no unions, intersections and
    ///   differences of sets; expressions are not archived. A subclass may have convenience initializers that call
    ///   these, and no stored properties; its objects can't be copied.
    public init(format expressionFormat: String, _ args: Any?...) {
      self = Self.made(expressionFormat, args)
    }

    /// Reads an expression from a text; `%@` and `%K` stand for the arguments.
    public init(format expressionFormat: String, argumentArray arguments: [Any]) {
      self = Self.made(expressionFormat, arguments)
    }

    /// Creates an expression with a constant value.
    public init(forConstantValue obj: Any?) {
      self = Self.made(.constant(PredicateValue(constant: obj)), constant: obj)
    }

    /// Creates an expression of the variable `$name`.
    public init(forVariable string: String) { self = Self.made(.variable(string)) }

    /// Creates an expression of the value at a key path.
    public init(forKeyPath keyPath: String) { self = Self.made("%K", [keyPath]) }

    /// Creates an expression of one of the functions of the language, for example `sum:`.
    ///
    /// Stops the process for another function, or another number of arguments; Apple's framework raises an exception.
    /// Arguments that are not expressions are used as constants.
    public init(forFunction name: String, arguments parameters: [Any]) {
      guard let function = PredicateFunction(name: name, argumentCount: parameters.count), name == function.rawValue
      else {
        raiseException("Unable to parse function name '\(name)' into supported selector (\(name))")
      }
      guard function.argumentCounts.contains(parameters.count) else {
        raiseException("Invalid number of arguments for function \(name): \(parameters.count)")
      }
      let arguments = parameters.map { Self.tree(of: $0) }
      self = Self.made(
        function == .element ? .index(arguments[0], .at(arguments[1])) : .call(function, arguments))
    }

    /// Creates an expression of a method of an object. Evaluating it stops the process, because methods are not called
    /// here.
    public init(forFunction target: _NSExpression, selectorName name: String, arguments parameters: [Any]?) {
      self = Self.made(.method(Self.tree(of: target), name, (parameters ?? []).map { Self.tree(of: $0) }))
    }

    /// Creates an expression of a list of the values of expressions.
    public init(forAggregate subexpressions: [Any]) {
      self = Self.made(.aggregate(subexpressions.map { Self.tree(of: $0) }))
    }

    /// Creates an expression of the members of a collection that match a predicate.
    public init(forSubquery expression: _NSExpression, usingIteratorVariable variable: String, predicate: Any) {
      self = Self.made(.subquery(Self.tree(of: expression), variable: variable, Self.predicate(predicate)))
    }

    /// Creates an expression of one of two values, chosen by a predicate.
    public init(forConditional predicate: Any, trueExpression: _NSExpression, falseExpression: _NSExpression) {
      self = Self.made(
        .ternary(Self.predicate(predicate), Self.tree(of: trueExpression), Self.tree(of: falseExpression)))
    }

    /// The expression of the evaluated object.
    public static func expressionForEvaluatedObject() -> _NSExpression { _TreeExpression.make(.subject) }

    /// The expression of any key, for Spotlight's queries.
    public static func expressionForAnyKey() -> _NSExpression { _TreeExpression.make(.anyKey) }

    private static func made(_ tree: ExpressionTree, constant: Any? = nil) -> Self {
      if let expression = _TreeExpression.make(tree, constant: constant) as? Self { return expression }
      guard ObjectClass.hasSize(of: _NSExpression.self, Self.self) else {
        raiseException("On Linux an expression of the class \(Self.self) can't be made, as it has stored properties.")
      }
      return unsafeDowncast(_TreeExpression.make(tree, constant: constant, as: Self.self), to: Self.self)
    }

    private static func made(_ format: String, _ arguments: [Any?]) -> Self {
      do throws(PredicateFormatError) {
        return made(try ExpressionTree(format: format, arguments: arguments.map { PredicateValue(constant: $0) }))
      } catch {
        raiseException("\(error.reason) (\(error))")
      }
    }

    private static func tree(of argument: Any) -> ExpressionTree {
      if let expression = argument as? _NSExpression { return _TreeExpression.content(of: expression).written }
      return .constant(PredicateValue(constant: argument))
    }

    private static func predicate(_ predicate: Any) -> PredicateTree {
      guard let tree = (predicate as? NSPredicate)?.writtenTree else {
        raiseException("An expression's predicate must be an NSPredicate that was not made of a block")
      }
      return tree
    }
  }
#endif
