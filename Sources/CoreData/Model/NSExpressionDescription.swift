import Foundation
import LocalCloudFoundationPredicates

/// A value that a fetch for dictionaries computes: of each object, or of a group of objects.
///
///     let oldest = NSExpressionDescription()
///     oldest.name = "oldest"
///     oldest.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
///     oldest.resultType = .integer64
///     request.propertiesToFetch = [oldest]
// Sendable: see ModelPart.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression to compute.
  open var expression: _NSExpression? { willSet { willChange() } }

  /// The type of the value. Without one the value has the type of the expression's result.
  open var resultType = NSAttributeDescription.AttributeType.undefined { willSet { willChange() } }

  /// The type of the value, under its older name.
  @available(*, deprecated, renamed: "resultType")
  open var expressionResultType: NSAttributeType {
    get { NSAttributeType(rawValue: resultType.rawValue) ?? .undefinedAttributeType }
    set { resultType = NSAttributeDescription.AttributeType(rawValue: newValue.rawValue) }
  }

  override func hasValues(of other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSExpressionDescription, super.hasValues(of: other) else { return false }
    return expression == other.expression && resultType == other.resultType
  }

  /// Returns a copy that belongs to no entity.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSExpressionDescription()
    copyValues(to: copy)
    copy.expression = expression
    copy.resultType = resultType
    return copy
  }
}
