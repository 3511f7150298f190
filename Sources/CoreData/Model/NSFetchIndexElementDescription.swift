import Foundation

/// How the values of an index's element are kept.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// In their order.
  case binary = 0
  /// As places in space.
  ///
  /// - Difference: an index with such an element is not made.
  case rTree = 1
}

/// A value of an index: a property's.
// Sendable: see ModelPart.
open class NSFetchIndexElementDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  private final weak var index: NSFetchIndexDescription?
  private final weak var indexed: NSPropertyDescription?
  private final let indexedName: String?

  /// Makes an element of an index, in ascending order.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    indexed = property
    indexedName = property.name
    self.collationType = collationType
    super.init()
  }

  /// For a copy, of whose model the property is known later, and for an element of an expression, which has none.
  init(propertyName: String?, property: NSPropertyDescription?, collationType: NSFetchIndexElementType) {
    indexed = property
    indexedName = propertyName
    self.collationType = collationType
    super.init()
  }

  /// The property; nil for an element that is an expression.
  open var property: NSPropertyDescription? { indexed }

  /// The property's name.
  open var propertyName: String? { indexed?.name ?? indexedName }

  /// How the values are kept.
  open var collationType: NSFetchIndexElementType { willSet { willChange() } }

  /// Whether the values ascend.
  open var isAscending = true { willSet { willChange() } }

  /// The index that the element is of.
  open var indexDescription: NSFetchIndexDescription? { index }

  /// Whether both are of a property of the same name, in the same order.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return self === other
      || (propertyName == other.propertyName && collationType == other.collationType
        && isAscending == other.isAscending)
  }

  /// Equal for equal descriptions.
  open override var hash: Int { propertyName.hashValue }

  final func join(_ index: NSFetchIndexDescription?) { self.index = index }

  final func setProperty(_ property: NSPropertyDescription?) { indexed = property }

  /// Returns a copy that is of no index.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexElementDescription(
      propertyName: propertyName, property: indexed, collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }
}
