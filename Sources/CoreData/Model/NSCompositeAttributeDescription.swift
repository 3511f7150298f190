import Foundation

/// An attribute with dictionaries as values. Each dictionary has the values of other attributes.
///
/// - Difference: these attributes can be described, but no store supports them: a store of a model with one can't be
///   opened.
// Sendable: see ModelPart.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// Creates an attribute of the type `composite` without elements.
  public override init() {
    super.init()
    type = .composite
  }

  /// The attributes in a value's dictionary.
  open var elements: [NSAttributeDescription] = [] { willSet { willChange() } }

  override func freeze() {
    super.freeze()
    for element in elements { element.freeze() }
  }

  override func hasValues(of other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSCompositeAttributeDescription, super.hasValues(of: other) else { return false }
    return DescriptionEquality.areEqual(elements, other.elements)
  }

  override var versionText: String { super.versionText + elements.map(\.versionText).sorted().joined() }

  /// Returns a copy that belongs to no entity, with copies of the elements.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSCompositeAttributeDescription()
    copyAttribute(to: copy)
    copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    return copy
  }
}
