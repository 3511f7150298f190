import Foundation

/// An attribute whose value is computed at each save from the object's other values.
// Sendable: see ModelPart.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What the model file has: a key path, `relationship.@count`, `canonical:(…)` or `now()`.
  final var derivationText: String? { willSet { willChange() } }

  /// What the value is computed from.
  ///
  /// - Difference: on Linux an `NSExpression` can't be made, so that only a model file can have derived attributes. The
  ///   property does not tell what it has.
  @available(*, deprecated, message: "NSExpression is not available on Linux")
  open var derivationExpression: NSExpression? {
    get { expression as? NSExpression }
    set {
      willChange()
      expression = newValue
    }
  }

  private final var expression: AnyObject?

  /// Nothing is missing: the value is there after the save.
  override func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] {
    value == nil ? [] : super.problems(with: value)
  }

  override var versionText: String { super.versionText + VersionHash.line("derived", derivationText ?? "") }

  /// Returns a copy that belongs to no entity.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSDerivedAttributeDescription()
    copyAttribute(to: copy)
    copy.derivationText = derivationText
    copy.expression = expression
    return copy
  }
}
