// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The codes of errors in NSCocoaErrorDomain.

/// A value does not match a condition of the model or the program.
public var NSManagedObjectValidationError: Int { 1550 }
/// A value that must be unique is not.
public var NSManagedObjectConstraintValidationError: Int { 1551 }
/// Several validations failed; their errors are under `NSDetailedErrorsKey`.
public var NSValidationMultipleErrorsError: Int { 1560 }
/// A property that is not optional has no value.
public var NSValidationMissingMandatoryPropertyError: Int { 1570 }
/// A relationship has too few objects.
public var NSValidationRelationshipLacksMinimumCountError: Int { 1580 }
/// A relationship has too many objects.
public var NSValidationRelationshipExceedsMaximumCountError: Int { 1590 }
/// An object can't be deleted while a relationship with the rule Deny has objects.
public var NSValidationRelationshipDeniedDeleteError: Int { 1600 }
/// A number is too large.
public var NSValidationNumberTooLargeError: Int { 1610 }
/// A number is too small.
public var NSValidationNumberTooSmallError: Int { 1620 }
/// A date is too late.
public var NSValidationDateTooLateError: Int { 1630 }
/// A date is too early.
public var NSValidationDateTooSoonError: Int { 1640 }
/// A date is not valid.
public var NSValidationInvalidDateError: Int { 1650 }
/// A text is too long.
public var NSValidationStringTooLongError: Int { 1660 }
/// A text is too short.
public var NSValidationStringTooShortError: Int { 1670 }
/// A text does not match its pattern.
public var NSValidationStringPatternMatchingError: Int { 1680 }
/// A URL is not valid.
public var NSValidationInvalidURIError: Int { 1690 }
/// A context can't be locked.
public var NSManagedObjectContextLockingError: Int { 132000 }
/// A coordinator can't be locked.
public var NSPersistentStoreCoordinatorLockingError: Int { 132010 }
/// The object does not exist in the store.
public var NSManagedObjectReferentialIntegrityError: Int { 133000 }
/// A relationship leads to an object of another store.
public var NSManagedObjectExternalRelationshipError: Int { 133010 }
/// Objects have changed in the store since the context read them; the conflicts are under `conflictList`.
public var NSManagedObjectMergeError: Int { 133020 }
/// Objects have the same unique values; the conflicts are under `conflictList`.
public var NSManagedObjectConstraintMergeError: Int { 133021 }
/// There are no stores of that type.
public var NSPersistentStoreInvalidTypeError: Int { 134000 }
/// The store is of another type.
public var NSPersistentStoreTypeMismatchError: Int { 134010 }
/// The store refuses the model.
public var NSPersistentStoreIncompatibleSchemaError: Int { 134020 }
/// The store can't be written.
public var NSPersistentStoreSaveError: Int { 134030 }
/// Some stores were written, and others were not.
public var NSPersistentStoreIncompleteSaveError: Int { 134040 }
/// Conflicts remain; see `NSPersistentStoreSaveConflictsErrorKey`.
public var NSPersistentStoreSaveConflictsError: Int { 134050 }
/// Any other error.
public var NSCoreDataError: Int { 134060 }
/// The store failed.
public var NSPersistentStoreOperationError: Int { 134070 }
/// The store can't be opened.
public var NSPersistentStoreOpenError: Int { 134080 }
/// The store did not answer in time.
public var NSPersistentStoreTimeoutError: Int { 134090 }
/// The store does not support requests of that type.
public var NSPersistentStoreUnsupportedRequestTypeError: Int { 134091 }
/// The store was created with another version of the model.
public var NSPersistentStoreIncompatibleVersionHashError: Int { 134100 }
/// A migration failed.
public var NSMigrationError: Int { 134110 }
/// A migration would give objects the same unique values.
public var NSMigrationConstraintViolationError: Int { 134111 }
/// A migration was cancelled.
public var NSMigrationCancelledError: Int { 134120 }
/// The model that the store was created with is missing.
public var NSMigrationMissingSourceModelError: Int { 134130 }
/// The mapping from one version of the model to the other is missing.
public var NSMigrationMissingMappingModelError: Int { 134140 }
/// A migration can't read the old store.
public var NSMigrationManagerSourceStoreError: Int { 134150 }
/// A migration can't write the new store.
public var NSMigrationManagerDestinationStoreError: Int { 134160 }
/// A migration policy of the program failed.
public var NSEntityMigrationPolicyError: Int { 134170 }
/// SQLite failed. This does not occur here.
public var NSSQLiteError: Int { 134180 }
/// The mapping between two versions of the model can't be inferred.
public var NSInferredMappingModelError: Int { 134190 }
/// An external record can't be imported.
public var NSExternalRecordImportError: Int { 134200 }
/// The history after the token was deleted; fetch from the start.
public var NSPersistentHistoryTokenExpiredError: Int { 134301 }
/// A model that a migration refers to is missing.
public var NSManagedObjectModelReferenceNotFoundError: Int { 134504 }
/// A staged migration needs another version of the framework.
public var NSStagedMigrationFrameworkVersionMismatchError: Int { 134505 }
/// A staged migration would lead to an earlier version of the model.
public var NSStagedMigrationBackwardMigrationError: Int { 134506 }
