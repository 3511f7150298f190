import Foundation
import LocalCloudFoundationPredicates

/// An attribute with a value that each save computes from other values of the object.
// Sendable: see ModelPart.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression in the model file: a key path, `relationship.@count`, `canonical:(…)` or `now()`.
  final var derivationText: String? { willSet { willChange() } }

  /// The expression that computes the value.
  open var derivationExpression: _NSExpression? {
    get { derivationText.map { _NSExpression(format: $0, argumentArray: []) } }
    set { derivationText = newValue?.description }
  }

  /// A missing value is no problem, because the save computes it.
  ///
  /// - Assumption: a derived attribute that is not optional never makes an object invalid, even if its value becomes
  ///   nil.
  override func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] {
    value == nil ? [] : super.problems(with: value)
  }

  override func hasValues(of other: NSPropertyDescription) -> Bool {
    super.hasValues(of: other) && derivationText == (other as? NSDerivedAttributeDescription)?.derivationText
  }

  override var versionText: String { super.versionText + VersionHash.line("derived", derivationText ?? "") }

  /// Returns a copy that belongs to no entity.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSDerivedAttributeDescription()
    copyAttribute(to: copy)
    copy.derivationText = derivationText
    return copy
  }
}
