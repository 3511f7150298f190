import Foundation

/// The values of an object that key-value coding finds outside of the model's properties.
enum UnmodeledValues {
  /// The properties of all managed objects. Boolean properties have two keys, as in Objective-C.
  private static let own: [String: @Sendable (NSManagedObject) -> Any?] = [
    "self": { $0 },
    "class": { type(of: $0) },
    "description": { $0.description },
    "debugDescription": { $0.debugDescription },
    "hash": { $0.hash },
    "entity": { $0.entity },
    "objectID": { $0.objectID },
    "managedObjectContext": { $0.managedObjectContext },
    "isInserted": { $0.isInserted },
    "inserted": { $0.isInserted },
    "isUpdated": { $0.isUpdated },
    "updated": { $0.isUpdated },
    "isDeleted": { $0.isDeleted },
    "deleted": { $0.isDeleted },
    "isFault": { $0.isFault },
    "fault": { $0.isFault },
    "faultingState": { $0.faultingState },
    "hasChanges": { $0.hasChanges },
    "hasPersistentChangedValues": { $0.hasPersistentChangedValues },
    "changedValues": { $0.changedValues() },
    "changedValuesForCurrentEvent": { $0.changedValuesForCurrentEvent() },
  ]

  /// - Returns: The value of a property that the program's class computes, or that all objects have; `.none` if no
  ///   property has that name.
  static func value(of object: NSManagedObject, _ key: String) -> Any?? {
    if let found = ComputedProperties.value(of: object, key) { return .some(found) }
    return own[key].map { $0(object) }
  }

  /// Whether each managed object has a value for a key, whatever its entity.
  static func isOfEachObject(_ key: String) -> Bool { own[key] != nil }

  /// Raises the exception for a key that an object does not have.
  static func refuse(_ key: String, of object: NSManagedObject, _ selector: String = "valueForUndefinedKey:") -> Never {
    raiseException(
      "[<\(NSStringFromClass(type(of: object)))> \(selector)]: the entity \(object.entity.name ?? "") is not key value "
        + "coding-compliant for the key \"\(key)\".", name: "NSUnknownKeyException")
  }
}
