import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  /// The kind of an expression that is the result of a fetch.
  ///
  /// - Difference: on Linux it is the kind that Foundation has for blocks, of which there are no expressions here:
  ///   Foundation's type has no other values there than its own.
  // Apple's name.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public let NSFetchRequestExpressionType = _NSExpressionType.block

  /// An expression whose value is what a fetch request finds in a context, or how many objects that are:
  /// `FETCH(request, context, NO)` in the format language.
  ///
  /// It is fetched whenever the value is asked for, and once for a request whose predicate has it. A fetch that fails
  /// stops the process, as what can't be evaluated does, where Apple's framework raises an exception.
  open class NSFetchRequestExpression: _TreeExpression {
    /// Makes an expression.
    ///
    /// - Parameter fetch: Its value is the ``NSFetchRequest``.
    /// - Parameter context: Its value is the ``NSManagedObjectContext``.
    /// - Parameter countFlag: Whether the value is the number of the objects, and not an array of them.
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
