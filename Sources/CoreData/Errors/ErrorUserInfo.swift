// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// The keys of an error's `userInfo`.

/// The errors that a combined error contains: `[NSError]`.
public let NSDetailedErrorsKey = "NSDetailedErrors"

/// The object that is not valid.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"

/// The name of the property that is not valid.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"

/// The predicate that the value does not match.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"

/// The value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

/// The stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStores"

/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjects"

/// The conflicts that prevented a save: `[NSMergeConflict]` or `[NSConstraintConflict]`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

/// The domain of SQLite's own errors. No error of this module is in it.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

extension CocoaError {
  /// The object that is not valid.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property that is not valid.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The predicate that the value does not match.
  public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

  /// The value that is not valid.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The stores that the error is about.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

  /// The objects that the error is about.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

  /// The conflicts that prevented a save.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}
