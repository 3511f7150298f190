import Foundation

/// The names of Core Data's codes. `CocoaError` has them too, so that `catch CocoaError.managedObjectMerge` compiles.
public protocol _CoreDataErrorCodes {}

extension CocoaError: _CoreDataErrorCodes {}
extension CocoaError.Code: _CoreDataErrorCodes {}

private func code(_ number: Int) -> CocoaError.Code { CocoaError.Code(rawValue: number) }

extension _CoreDataErrorCodes {
  /// A value does not match a condition of the model or the program.
  public static var managedObjectValidation: CocoaError.Code { code(NSManagedObjectValidationError) }
  /// Several validations failed; their errors are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code { code(NSValidationMultipleErrorsError) }
  /// A property that is not optional has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    code(NSValidationMissingMandatoryPropertyError)
  }
  /// A relationship has too few objects.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    code(NSValidationRelationshipLacksMinimumCountError)
  }
  /// A relationship has too many objects.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    code(NSValidationRelationshipExceedsMaximumCountError)
  }
  /// An object can't be deleted while a relationship with the rule Deny has objects.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    code(NSValidationRelationshipDeniedDeleteError)
  }
  /// A number is too large.
  public static var validationNumberTooLarge: CocoaError.Code { code(NSValidationNumberTooLargeError) }
  /// A number is too small.
  public static var validationNumberTooSmall: CocoaError.Code { code(NSValidationNumberTooSmallError) }
  /// A date is too late.
  public static var validationDateTooLate: CocoaError.Code { code(NSValidationDateTooLateError) }
  /// A date is too early.
  public static var validationDateTooSoon: CocoaError.Code { code(NSValidationDateTooSoonError) }
  /// A date is not valid.
  public static var validationInvalidDate: CocoaError.Code { code(NSValidationInvalidDateError) }
  /// A text is too long.
  public static var validationStringTooLong: CocoaError.Code { code(NSValidationStringTooLongError) }
  /// A text is too short.
  public static var validationStringTooShort: CocoaError.Code { code(NSValidationStringTooShortError) }
  /// A text does not match its pattern.
  public static var validationStringPatternMatching: CocoaError.Code { code(NSValidationStringPatternMatchingError) }
  /// A context can't be locked.
  public static var managedObjectContextLocking: CocoaError.Code { code(NSManagedObjectContextLockingError) }
  /// A coordinator can't be locked.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    code(NSPersistentStoreCoordinatorLockingError)
  }
  /// The object does not exist in the store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    code(NSManagedObjectReferentialIntegrityError)
  }
  /// A relationship leads to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    code(NSManagedObjectExternalRelationshipError)
  }
  /// Objects have changed in the store since the context read them; the conflicts are under `conflictList`.
  public static var managedObjectMerge: CocoaError.Code { code(NSManagedObjectMergeError) }
  /// Objects have the same unique values; the conflicts are under `conflictList`.
  public static var managedObjectConstraintMerge: CocoaError.Code { code(NSManagedObjectConstraintMergeError) }
  /// There are no stores of that type.
  public static var persistentStoreInvalidType: CocoaError.Code { code(NSPersistentStoreInvalidTypeError) }
  /// The store is of another type.
  public static var persistentStoreTypeMismatch: CocoaError.Code { code(NSPersistentStoreTypeMismatchError) }
  /// The store refuses the model.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    code(NSPersistentStoreIncompatibleSchemaError)
  }
  /// The store can't be written.
  public static var persistentStoreSave: CocoaError.Code { code(NSPersistentStoreSaveError) }
  /// Some stores were written, and others were not.
  public static var persistentStoreIncompleteSave: CocoaError.Code { code(NSPersistentStoreIncompleteSaveError) }
  /// Conflicts remain; see `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code { code(NSPersistentStoreSaveConflictsError) }
  /// Any other error.
  public static var coreData: CocoaError.Code { code(NSCoreDataError) }
  /// The store failed.
  public static var persistentStoreOperation: CocoaError.Code { code(NSPersistentStoreOperationError) }
  /// The store can't be opened.
  public static var persistentStoreOpen: CocoaError.Code { code(NSPersistentStoreOpenError) }
  /// The store did not answer in time.
  public static var persistentStoreTimeout: CocoaError.Code { code(NSPersistentStoreTimeoutError) }
  /// The store does not support requests of that type.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    code(NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// The store was created with another version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    code(NSPersistentStoreIncompatibleVersionHashError)
  }
  /// A migration failed.
  public static var migration: CocoaError.Code { code(NSMigrationError) }
  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { code(NSMigrationCancelledError) }
  /// The model that the store was created with is missing.
  public static var migrationMissingSourceModel: CocoaError.Code { code(NSMigrationMissingSourceModelError) }
  /// The mapping from one version of the model to the other is missing.
  public static var migrationMissingMappingModel: CocoaError.Code { code(NSMigrationMissingMappingModelError) }
  /// A migration can't read the old store.
  public static var migrationManagerSourceStore: CocoaError.Code { code(NSMigrationManagerSourceStoreError) }
  /// A migration can't write the new store.
  public static var migrationManagerDestinationStore: CocoaError.Code { code(NSMigrationManagerDestinationStoreError) }
  /// A migration policy of the program failed.
  public static var entityMigrationPolicy: CocoaError.Code { code(NSEntityMigrationPolicyError) }
  /// SQLite failed. This does not occur here.
  public static var sqlite: CocoaError.Code { code(NSSQLiteError) }
  /// The mapping between two versions of the model can't be inferred.
  public static var inferredMappingModel: CocoaError.Code { code(NSInferredMappingModelError) }
  /// An external record can't be imported.
  public static var externalRecordImport: CocoaError.Code { code(NSExternalRecordImportError) }
}
