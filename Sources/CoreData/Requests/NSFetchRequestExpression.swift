import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  /// The kind of an expression with the result of a fetch as its value.
  ///
  /// - Difference: on Linux it is the kind that Foundation has for blocks, because Foundation's type there has a fixed
  ///   set of values. There are no expressions of blocks here.
  // Apple's name.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public let NSFetchRequestExpressionType = _NSExpressionType.block

  /// An expression with the results of a fetch request in a context, or their number, as its value:
  /// `FETCH(request, context, NO)` in the format language.
  ///
  /// The fetch runs each time the value is read; within the predicate of a request it runs once. A fetch that fails
  /// stops the process, like any expression that can't be evaluated; Apple's framework raises an exception.
  open class NSFetchRequestExpression: _TreeExpression {
    /// Creates an expression.
    ///
    /// - Parameter fetch: An expression with an ``NSFetchRequest`` as its value.
    /// - Parameter context: An expression with an ``NSManagedObjectContext`` as its value.
    /// - Parameter countFlag: Whether the value is the number of the objects instead of an array of them.
    @discardableResult
    open class func expression(
      forFetch fetch: _NSExpression, context: _NSExpression, countOnly countFlag: Bool
    ) -> _NSExpression {
      _TreeExpression.make(.fetch(Self.tree(of: fetch), Self.tree(of: context), .constant(.boolean(countFlag))))
    }

    /// The expression of the request.
    open var requestExpression: _NSExpression { _TreeExpression.make(parts.request) }

    /// The expression of the context.
    open var contextExpression: _NSExpression { _TreeExpression.make(parts.context) }

    /// Whether the value is the number of the objects.
    open var isCountOnlyRequest: Bool {
      guard case .constant(let value) = parts.countOnly else { return false }
      return (value.object as? NSNumber)?.boolValue ?? false
    }

    private final var parts: (request: ExpressionTree, context: ExpressionTree, countOnly: ExpressionTree) {
      guard case .fetch(let request, let context, let countOnly) = Self.tree(of: self) else {
        raiseException("A fetch request's expression that was made without expression(forFetch:context:countOnly:)")
      }
      return (request, context, countOnly)
    }

    private static func tree(of expression: _NSExpression) -> ExpressionTree {
      guard let tree = ExpressionTree(expression) else {
        raiseException("An expression that is not one of the format language: \(expression)")
      }
      return tree
    }
  }
#endif

extension NSManagedObjectContext: PredicateFetching {
  package func result(ofFetch request: Any?, countOnly: Bool) throws -> Any {
    guard let request = request as? NSPersistentStoreRequest else {
      throw CoreDataError.error(NSCoreDataError, reason: "FETCH needs a fetch request.")
    }
    return try runAndWait { try request.found(in: self, countOnly: countOnly) }
  }
}
