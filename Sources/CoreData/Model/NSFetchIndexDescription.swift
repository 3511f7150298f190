import Foundation

/// An index of an entity. It makes fetches faster and changes no result.
// Sendable: see ModelPart.
open class NSFetchIndexDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  private final weak var owner: NSEntityDescription?

  /// Creates an index of the values of these elements, in their order.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.join(self) }
  }

  /// The name; it is unique in the entity.
  open var name: String { willSet { willChange() } }

  /// The indexed values.
  open var elements: [NSFetchIndexElementDescription] {
    willSet { willChange() }
    didSet { for element in elements { element.join(self) } }
  }

  /// The entity that has the index.
  open var entity: NSEntityDescription? { owner }

  /// The condition for indexed objects; nil for all.
  ///
  /// - Difference: an index with a predicate is not created.
  open var partialIndexPredicate: NSPredicate? { willSet { willChange() } }

  /// Whether both have the same name and the same elements.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexDescription else { return false }
    return self === other
      || (name == other.name && elements == other.elements && partialIndexPredicate == other.partialIndexPredicate)
  }

  /// A hash value that is equal for equal descriptions.
  open override var hash: Int { name.hashValue }

  final func join(_ entity: NSEntityDescription?) { owner = entity }

  final func freeze() {
    isFrozen = true
    for element in elements { element.isFrozen = true }
  }

  /// Returns a copy, with copies of the elements.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let elements = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
    let copy = NSFetchIndexDescription(name: name, elements: elements)
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }
}
