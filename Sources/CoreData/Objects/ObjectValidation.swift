import Foundation

/// Checks an object against the model.
struct ObjectValidation {
  let object: NSManagedObject

  /// Checks a value for a property against the model.
  func check(_ value: Any?, _ key: String) throws {
    guard let property = object.entity.propertiesByName[key] else { return }
    let errors = property.problems(with: value).map { problem in
      CoreDataError.validation(
        problem.code, object: object, property: property, value: value, predicate: problem.predicate)
    }
    if let error = CoreDataError.combined(errors) { throw error }
  }

  /// Checks all properties against the model. Throws the only error, or ``NSValidationMultipleErrorsError`` for
  /// several.
  func checkAll() throws {
    object.fire()
    var checks = CoreDataError.Checks()
    for property in object.layout.attributes where !property.isTransient {
      checks.check {
        var value = object.primitiveValue(forKey: property.name)
        try object.validateValue(&value, forKey: property.name)
      }
    }
    for (index, relationship) in object.layout.toOnes.enumerated()
    where !relationship.isOptional || object.changedKeys.contains(relationship.name) {
      checks.check {
        var value: Any? = object.toOneObject(index).flatMap { $0.stage == .deleted ? nil : $0 }
        try object.validateValue(&value, forKey: relationship.name)
      }
    }
    for (index, relationship) in object.layout.toManys.enumerated()
    where !relationship.isOptional || relationship.minCount > 0 || relationship.maxCount > 0 {
      checks.check {
        var value: Any? = object.toManyValue(index)
        try object.validateValue(&value, forKey: relationship.name)
      }
    }
    try checks.finish()
  }

  /// Checks that no relationship with the rule Deny has a target left.
  func checkDeletion() throws {
    object.fire()
    var checks = CoreDataError.Checks()
    for relationship in object.layout.toOnes + object.layout.toManys where relationship.deleteRule == .denyDeleteRule {
      let targets = object.relatedObjects(relationship)
      if targets.contains(where: \.stage.isLive) {
        checks.check {
          throw CoreDataError.validation(
            NSValidationRelationshipDeniedDeleteError, object: object, property: relationship,
            value: object.value(forKey: relationship.name))
        }
      }
    }
    try checks.finish()
  }
}
