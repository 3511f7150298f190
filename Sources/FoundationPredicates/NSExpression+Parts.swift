import Foundation
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  // Each property stops the process for an expression without that part; Apple's framework raises an exception.
  extension NSCopying where Self: _NSExpression {
    /// The kind of the expression.
    public var expressionType: _NSExpressionType {
      switch tree {
      case .constant: .constantValue
      case .subject: .evaluatedObject
      case .variable, .assignment: .variable
      case .keyPath: .keyPath
      case .index, .call, .method: .function
      case .fetch: .block
      case .aggregate: .aggregate
      case .subquery: .subquery
      case .ternary: .conditional
      case .anyKey: .anyKey
      }
    }

    /// The value of a constant.
    public var constantValue: Any? {
      guard case .constant(let value) = tree else { raiseMissing("constantValue") }
      return content.constant ?? value.object
    }

    /// The key path.
    public var keyPath: String {
      guard case .keyPath(_, let names) = tree else { raiseMissing("keyPath") }
      return names.joined(separator: ".")
    }

    /// The name of the function.
    public var function: String {
      switch tree {
      case .call(let function, _): return function.rawValue
      case .index: return PredicateFunction.element.rawValue
      case .method(_, let selector, _): return selector
      default: raiseMissing("function")
      }
    }

    /// The name of the variable, without the dollar sign.
    public var variable: String {
      switch tree {
      case .variable(let name), .assignment(let name, _), .subquery(_, let name, _): return name
      default: raiseMissing("variable")
      }
    }

    /// The operand of the function.
    public var operand: _NSExpression {
      switch tree {
      case .keyPath(let base, _), .method(let base, _, _), .index(let base, _): return _TreeExpression.make(base)
      default: raiseMissing("operand")
      }
    }

    /// The function's arguments.
    public var arguments: [_NSExpression]? {
      switch tree {
      case .call(_, let arguments), .method(_, _, let arguments): return arguments.map { _TreeExpression.make($0) }
      case .index(let base, .at(let position)): return [_TreeExpression.make(base), _TreeExpression.make(position)]
      default: raiseMissing("arguments")
      }
    }

    /// The expressions of an aggregate; of a subquery the expression of its collection.
    public var collection: Any {
      switch tree {
      case .aggregate(let members): return members.map { _TreeExpression.make($0) }
      case .subquery(let collection, _, _): return _TreeExpression.make(collection)
      default: raiseMissing("collection")
      }
    }

    /// The condition of a conditional expression.
    public var predicate: NSPredicate {
      switch tree {
      case .subquery(_, _, let condition), .ternary(let condition, _, _): return NSPredicate.make(condition)
      default: raiseMissing("predicate")
      }
    }

    /// The value if the condition is true.
    public var `true`: _NSExpression {
      guard case .ternary(_, let yes, _) = tree else { raiseMissing("trueExpression") }
      return _TreeExpression.make(yes)
    }

    /// The value if the condition is false.
    public var `false`: _NSExpression {
      guard case .ternary(_, _, let no) = tree else { raiseMissing("falseExpression") }
      return _TreeExpression.make(no)
    }

    // MARK: Evaluating

    /// The expression's value for an object, with the variables of a dictionary.
    ///
    /// Stops the process if there is no value; Apple's framework raises an exception.
    public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
      var variables: [String: PredicateValue] = [:]
      for case (let name as String, let value) in context ?? [:] { variables[name] = PredicateValue(object: value) }
      var evaluator = PredicateEvaluator.fetching(.constant(true), variables: variables)
      do throws(PredicateEvaluationError) {
        // A null object that is itself the value stays one.
        if case .constant(.nullObject) = tree { return NSNull() }
        return try evaluator.value(of: content.tree, for: PredicateValue(object: object)).object
      } catch {
        raiseException(error.message)
      }
    }

    /// Does nothing: expressions are not decoded here.
    public func allowEvaluation() {}

    private var content: ExpressionContent { _TreeExpression.content(of: self) }
    private var tree: ExpressionTree { content.written }

    private func raiseMissing(_ name: String) -> Never {
      raiseException("*** -\(name) only defined for other kinds of expressions than \(self)")
    }
  }
#endif
