import Foundation

/// The effect of deleting an object on its related objects.
public enum NSDeleteRule: UInt, Sendable {
  /// They are unchanged, with a dangling relationship.
  case noActionDeleteRule = 0
  /// Their inverse relationship is cleared.
  case nullifyDeleteRule = 1
  /// They are deleted, too.
  case cascadeDeleteRule = 2
  /// The object can't be deleted while it has related objects.
  case denyDeleteRule = 3
}

/// A relationship of an entity with another one, or with itself.
// Sendable: see ModelPart.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  private final weak var destination: NSEntityDescription?
  private final weak var inverse: NSRelationshipDescription?

  /// The entity of the objects at the other end. The model retains it.
  open var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      willChange()
      destination = newValue
    }
  }

  /// The relationship that leads back.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      willChange()
      inverse = newValue
    }
  }

  /// The maximum number of objects; 1 for a relationship to one object, 0 for any number.
  open var maxCount = 0 { willSet { willChange() } }

  /// The minimum number of objects. An optional relationship may still be empty.
  open var minCount = 0 { willSet { willChange() } }

  /// The effect of deleting an object on the objects at the other end.
  open var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { willChange() } }

  /// Whether the objects have an order.
  open var isOrdered = false { willSet { willChange() } }

  /// Whether the relationship is to more than one object.
  open var isToMany: Bool { maxCount != 1 }

  /// An empty set counts as a value: only a minimum count can make it invalid.
  override func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] {
    guard isToMany else { return super.problems(with: value) }
    let count = Self.count(value)
    if count == 0, isOptional { return [] }
    var problems = value.map { super.problems(with: $0) } ?? []
    if count < minCount { problems.append((NSValidationRelationshipLacksMinimumCountError, nil)) }
    if maxCount > 0, count > maxCount { problems.append((NSValidationRelationshipExceedsMaximumCountError, nil)) }
    return problems
  }

  private static func count(_ value: Any?) -> Int {
    switch value {
    case let set as NSSet: set.count
    case let set as NSOrderedSet: set.count
    case let set as Set<AnyHashable>: set.count
    case let list as [Any]: list.count
    default: 0
    }
  }

  override func hasValues(of other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSRelationshipDescription, super.hasValues(of: other) else { return false }
    return destination?.name == other.destination?.name && inverse?.name == other.inverse?.name
      && maxCount == other.maxCount && minCount == other.minCount && deleteRule == other.deleteRule
      && isOrdered == other.isOrdered
  }

  override var versionText: String {
    super.versionText
      + VersionHash.line(
        "relationship", destination?.name ?? "", inverse?.name ?? "", "\(minCount)", "\(maxCount)",
        isOrdered ? "ordered" : "unordered")
  }

  /// Returns a copy that belongs to no entity, and has the same destination and inverse.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSRelationshipDescription()
    copyValues(to: copy)
    copy.destinationEntity = destination
    copy.inverseRelationship = inverse
    copy.maxCount = maxCount
    copy.minCount = minCount
    copy.deleteRule = deleteRule
    copy.isOrdered = isOrdered
    return copy
  }
}
