import Foundation

/// The values that a program sets for a relationship. An unsuitable value raises an exception, as in Apple's framework.
struct RelationshipValues {
  let owner: NSManagedObject
  /// The relationship's name.
  let key: String

  func object(_ value: Any?) -> NSManagedObject? {
    guard let value, !(value is NSNull) else { return nil }
    guard let object = value as? NSManagedObject else { raiseUnacceptable(value) }
    check(object)
    return object
  }

  /// The objects of a collection for a to-many relationship. An ordered relationship requires an ordered set.
  func objects(_ value: Any?) -> [NSManagedObject] {
    guard let value, !(value is NSNull) else { return [] }
    let isOrdered = owner.entity.relationshipsByName[key]?.isOrdered ?? false
    let objects: [Any] =
      switch value {
      case let set as NSOrderedSet where isOrdered: set.array
      case _ where isOrdered: raiseUnacceptable(value, isCollection: true)
      case let set as NSSet: set.allObjects
      case let set as NSOrderedSet: set.array
      case let set as Set<NSManagedObject>: Array(set)
      case let list as [Any]: list
      default: raiseUnacceptable(value, isCollection: true)
      }
    return objects.map { item in
      guard let object = item as? NSManagedObject else { raiseUnacceptable(item) }
      check(object)
      return object
    }
  }

  func raiseUnacceptable(_ value: Any, isCollection: Bool = false) -> Never {
    let relationship = owner.entity.relationshipsByName[key]
    let collection = relationship?.isOrdered == true ? "NSOrderedSet" : "NSSet"
    let type = relationship?.destinationEntity?.managedObjectClassName ?? "NSManagedObject"
    raiseException(
      "Unacceptable type of value for \(isCollection ? "to-many" : "to-one") relationship: property = \"\(key)\"; desired "
        + "type = \(isCollection ? collection : type); given type = \(Swift.type(of: value)); value = \(value).")
  }

  /// Stops the process if the object can't be related to the owner.
  func check(_ object: NSManagedObject) {
    if let other = object.context, let own = owner.context, other !== own {
      raiseException(
        "Illegal attempt to establish a relationship '\(key)' between objects in different contexts "
          + "(source = \(owner), destination = \(object))")
    }
    if let destination = owner.entity.relationshipsByName[key]?.destinationEntity,
      !object.entity.isKindOf(entity: destination)
    {
      raiseUnacceptable(object)
    }
  }
}
