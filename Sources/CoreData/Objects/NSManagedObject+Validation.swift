import Foundation

extension NSManagedObject {
  /// Checks a value that a property is to have, against the model.
  final func validate(_ value: Any?, _ key: String) throws {
    guard let property = entity.propertiesByName[key] else { return }
    let errors = property.problems(with: value).map { problem in
      CoreDataError.validation(
        problem.code, object: self, property: property, value: value, predicate: problem.predicate)
    }
    if let error = CoreDataError.combined(errors) { throw error }
  }

  /// Checks all properties against the model. Throws the one error, or ``NSValidationMultipleErrorsError`` for several.
  final func validateAll() throws {
    fire()
    var checks = CoreDataError.Checks()
    for property in layout.attributes where !property.isTransient {
      checks.check {
        var value = primitiveValue(forKey: property.name)
        try validateValue(&value, forKey: property.name)
      }
    }
    for (place, relationship) in layout.toOnes.enumerated()
    where !relationship.isOptional || changedKeys.contains(relationship.name) {
      checks.check {
        var value: Any? = toOneObject(place).flatMap { $0.stage == .deleted ? nil : $0 }
        try validateValue(&value, forKey: relationship.name)
      }
    }
    for (place, relationship) in layout.toManys.enumerated()
    where !relationship.isOptional || relationship.minCount > 0 || relationship.maxCount > 0 {
      checks.check {
        var value: Any? = toManyValue(place)
        try validateValue(&value, forKey: relationship.name)
      }
    }
    try checks.finish()
  }

  /// Checks that no relationship with the rule Deny has a target left.
  final func validateDeletion() throws {
    fire()
    var checks = CoreDataError.Checks()
    for relationship in layout.toOnes + layout.toManys where relationship.deleteRule == .denyDeleteRule {
      let targets = relatedObjects(relationship)
      if targets.contains(where: { $0.stage != .deleted && $0.stage != .gone }) {
        checks.check {
          throw CoreDataError.validation(
            NSValidationRelationshipDeniedDeleteError, object: self, property: relationship,
            value: value(forKey: relationship.name))
        }
      }
    }
    try checks.finish()
  }

  /// The targets of any relationship.
  final func relatedObjects(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    switch layout.property(relationship.name) {
    case .toOne(let place): return toOneObject(place).map { [$0] } ?? []
    case .toMany(let place):
      load(place)
      return toManys[place].list
    default: return []
    }
  }
}
