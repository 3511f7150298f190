import Foundation

/// The storage of an index element's values.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// Sorted by value.
  case binary = 0
  /// By position in space.
  ///
  /// - Difference: an index with an element of this kind is not created.
  case rTree = 1
}

/// An element of an index: the values of a property.
// Sendable: see ModelPart.
open class NSFetchIndexElementDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  private final weak var index: NSFetchIndexDescription?
  private final weak var indexed: NSPropertyDescription?
  private final let indexedName: String?

  /// Creates an element of an index, in ascending order.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    indexed = property
    indexedName = property.name
    self.collationType = collationType
  }

  /// For a copy, before its model's property is known, and for an element of an expression, without a property.
  init(propertyName: String?, property: NSPropertyDescription?, collationType: NSFetchIndexElementType) {
    indexed = property
    indexedName = propertyName
    self.collationType = collationType
  }

  /// The property; nil for an element that is an expression.
  open var property: NSPropertyDescription? { indexed }

  /// The property's name.
  open var propertyName: String? { indexed?.name ?? indexedName }

  /// The kind of storage of the values.
  open var collationType: NSFetchIndexElementType { willSet { willChange() } }

  /// Whether the values ascend.
  open var isAscending = true { willSet { willChange() } }

  /// The index that the element is of.
  open var indexDescription: NSFetchIndexDescription? { index }

  /// Whether both have a property of the same name and the same order.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return self === other
      || (propertyName == other.propertyName && collationType == other.collationType
        && isAscending == other.isAscending)
  }

  /// A hash value that is equal for equal descriptions.
  open override var hash: Int { propertyName.hashValue }

  final func join(_ index: NSFetchIndexDescription?) { self.index = index }

  final func setProperty(_ property: NSPropertyDescription?) { indexed = property }

  /// Returns a copy that belongs to no index.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexElementDescription(
      propertyName: propertyName, property: indexed, collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }
}
