import Foundation

extension NSManagedObject {
  /// Checks a value that a property is to have, against the model.
  final func validate(_ value: Any?, _ key: String) throws {
    guard let property = entity.propertiesByName[key] else { return }
    let errors = property.problems(with: value).map { validationError($0.code, key, value, $0.predicate) }
    try Self.throwing(errors)
  }

  /// Checks all properties against the model. Throws the one error, or ``NSValidationMultipleErrorsError`` for several.
  final func validateAll() throws {
    fire()
    var errors: [any Error] = []
    for property in layout.attributes where !property.isTransient {
      collect(&errors) {
        var value = primitiveValue(forKey: property.name)
        try validateValue(&value, forKey: property.name)
      }
    }
    for (place, relationship) in layout.toOnes.enumerated()
    where !relationship.isOptional || changedKeys.contains(relationship.name) {
      collect(&errors) {
        var value: Any? = toOneObject(place).flatMap { $0.stage == .deleted ? nil : $0 }
        try validateValue(&value, forKey: relationship.name)
      }
    }
    for (place, relationship) in layout.toManys.enumerated()
    where !relationship.isOptional || relationship.minCount > 0 || relationship.maxCount > 0 {
      collect(&errors) {
        var value: Any? = toManySet(place)
        try validateValue(&value, forKey: relationship.name)
      }
    }
    try Self.throwing(errors)
  }

  /// Checks that no relationship with the rule Deny has a target left.
  final func validateDeletion() throws {
    fire()
    var errors: [any Error] = []
    for relationship in layout.toOnes + layout.toManys where relationship.deleteRule == .denyDeleteRule {
      let targets = relatedObjects(relationship)
      if targets.contains(where: { $0.stage != .deleted && $0.stage != .gone }) {
        errors.append(
          validationError(
            NSValidationRelationshipDeniedDeleteError, relationship.name, value(forKey: relationship.name)))
      }
    }
    try Self.throwing(errors)
  }

  private func collect(_ errors: inout [any Error], _ body: () throws -> Void) {
    do { try body() } catch {
      let several = (error as NSError).userInfo[NSDetailedErrorsKey] as? [any Error]
      errors += several ?? [error]
    }
  }

  static func throwing(_ errors: [any Error]) throws {
    if errors.count > 1 {
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
        userInfo: [
          NSDetailedErrorsKey: errors, NSLocalizedDescriptionKey: "Multiple validation errors occurred.",
        ])
    }
    if let error = errors.first { throw error }
  }

  private func validationError(_ code: Int, _ key: String, _ value: Any?, _ predicate: NSPredicate? = nil) -> NSError {
    var info: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key]
    info[NSValidationValueErrorKey] = value
    info[NSValidationPredicateErrorKey] = predicate
    info[NSLocalizedDescriptionKey] = Self.text(of: code, key, entity.name ?? "")
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }

  private static func text(of code: Int, _ key: String, _ entity: String) -> String {
    switch code {
    case NSValidationMissingMandatoryPropertyError: "\(key) is a required value."
    case NSValidationRelationshipLacksMinimumCountError: "Too few items in \(key)."
    case NSValidationRelationshipExceedsMaximumCountError: "Too many items in \(key)."
    case NSValidationRelationshipDeniedDeleteError: "Items cannot be deleted from \(key)."
    case NSValidationNumberTooLargeError, NSValidationStringTooLongError: "\(key) is too large."
    case NSValidationNumberTooSmallError, NSValidationStringTooShortError: "\(key) is too small."
    case NSValidationDateTooLateError: "\(key) is too late."
    case NSValidationDateTooSoonError: "\(key) is too soon."
    case NSValidationStringPatternMatchingError: "\(key) does not match its pattern."
    default: "The value of \(key) of an object of \(entity) is not valid."
    }
  }

  /// The targets of any relationship.
  final func relatedObjects(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    switch layout.property(relationship.name) {
    case .toOne(let place): return toOneObject(place).map { [$0] } ?? []
    case .toMany(let place):
      load(place)
      return Array(toManys[place].all ?? [])
    default: return []
    }
  }
}
