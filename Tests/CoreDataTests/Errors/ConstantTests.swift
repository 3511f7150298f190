import CoreData
import Foundation
import Testing

/// Programs compare these constants with literal numbers and texts, and store them in files.
@Suite("Values of Apple's constants")
struct ConstantTests {
  @Test("error codes have Apple's values")
  func errorCodesHaveApplesValues() {
    let validation = [
      NSManagedObjectValidationError, NSManagedObjectConstraintValidationError, NSValidationMultipleErrorsError,
      NSValidationMissingMandatoryPropertyError, NSValidationRelationshipLacksMinimumCountError,
      NSValidationRelationshipExceedsMaximumCountError, NSValidationRelationshipDeniedDeleteError,
      NSValidationNumberTooLargeError, NSValidationNumberTooSmallError, NSValidationDateTooLateError,
      NSValidationDateTooSoonError, NSValidationInvalidDateError, NSValidationStringTooLongError,
      NSValidationStringTooShortError, NSValidationStringPatternMatchingError, NSValidationInvalidURIError,
    ]
    #expect(
      validation == [
        1550, 1551, 1560, 1570, 1580, 1590, 1600, 1610, 1620, 1630, 1640, 1650, 1660, 1670, 1680, 1690,
      ])
    let contexts = [
      NSManagedObjectContextLockingError, NSPersistentStoreCoordinatorLockingError,
      NSManagedObjectReferentialIntegrityError, NSManagedObjectExternalRelationshipError, NSManagedObjectMergeError,
      NSManagedObjectConstraintMergeError,
    ]
    #expect(contexts == [132_000, 132_010, 133_000, 133_010, 133_020, 133_021])
    let stores = [
      NSPersistentStoreInvalidTypeError, NSPersistentStoreTypeMismatchError, NSPersistentStoreIncompatibleSchemaError,
      NSPersistentStoreSaveError, NSPersistentStoreIncompleteSaveError, NSPersistentStoreSaveConflictsError,
      NSCoreDataError, NSPersistentStoreOperationError, NSPersistentStoreOpenError, NSPersistentStoreTimeoutError,
      NSPersistentStoreUnsupportedRequestTypeError, NSPersistentStoreIncompatibleVersionHashError, NSSQLiteError,
      NSInferredMappingModelError, NSExternalRecordImportError, NSPersistentHistoryTokenExpiredError,
    ]
    #expect(
      stores == [
        134_000, 134_010, 134_020, 134_030, 134_040, 134_050, 134_060, 134_070, 134_080, 134_090, 134_091, 134_100,
        134_180, 134_190, 134_200, 134_301,
      ])
  }

  @Test("keys of errors and notifications have Apple's values")
  func keysOfErrorsAndNotificationsHaveApples() {
    #expect(
      [
        NSDetailedErrorsKey, NSValidationObjectErrorKey, NSValidationKeyErrorKey, NSValidationPredicateErrorKey,
        NSValidationValueErrorKey, NSAffectedStoresErrorKey, NSAffectedObjectsErrorKey,
        NSPersistentStoreSaveConflictsErrorKey, NSSQLiteErrorDomain,
      ] == [
        "NSDetailedErrors", "NSValidationErrorObject", "NSValidationErrorKey", "NSValidationErrorPredicate",
        "NSValidationErrorValue", "NSAffectedStores", "NSAffectedObjects", "conflictList",
        "NSSQLiteErrorDomain",
      ])
    #expect(
      [
        NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
        NSInvalidatedAllObjectsKey, NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey,
        NSRefreshedObjectIDsKey, NSInvalidatedObjectIDsKey, NSManagedObjectContextQueryGenerationKey,
      ] == [
        "inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll", "inserted_objectIDs",
        "updated_objectIDs", "deleted_objectIDs", "refreshed_objectIDs", "invalidated_objectIDs", "newQueryGeneration",
      ])
    typealias Key = NSManagedObjectContext.NotificationKey
    let keys: [Key] = [
      .sourceContext, .insertedObjects, .updatedObjects, .deletedObjects, .refreshedObjects, .invalidatedObjects,
      .invalidatedAllObjects, .insertedObjectIDs, .updatedObjectIDs, .deletedObjectIDs, .refreshedObjectIDs,
      .invalidatedObjectIDs, .queryGeneration,
    ]
    #expect(
      keys.map(\.rawValue) == [
        "managedObjectContext", "inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll",
        "inserted_objectIDs", "updated_objectIDs", "deleted_objectIDs", "refreshed_objectIDs", "invalidated_objectIDs",
        "newQueryGeneration",
      ])
    #expect(NSManagedObjectContext.NotificationKey(rawValue: "other") == nil)
    #expect(
      [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey]
        == ["added", "removed", "changedUUID"])
  }

  @Test("notifications have the same names in both styles")
  func notificationsHaveTheSameNames() {
    #expect(NSManagedObjectContext.didChangeObjectsNotification == .NSManagedObjectContextObjectsDidChange)
    #expect(NSManagedObjectContext.willSaveObjectsNotification == .NSManagedObjectContextWillSave)
    #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
    let names = [
      NSManagedObjectContext.didSaveObjectIDsNotification, NSManagedObjectContext.didMergeChangesObjectIDsNotification,
    ]
    #expect(Set(names.map(\.rawValue)).count == 2)
  }

  @Test("types, metadata keys and options of stores have Apple's values")
  func typesMetadataKeysAndOptionsOfStores() {
    #expect(
      [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType] == [
        "SQLite", "InMemory", "Binary", "XML",
      ])
    let types: [NSPersistentStore.StoreType] = [.sqlite, .inMemory, .binary, .xml]
    #expect(types.map(\.rawValue) == ["SQLite", "InMemory", "Binary", "XML"])
    #expect(
      [
        NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
        NSPersistentStoreModelVersionChecksumKey, NSPersistentStoreOSCompatibility,
      ] == [
        "NSStoreType", "NSStoreUUID", "NSStoreModelVersionHashes", "NSStoreModelVersionIdentifiers",
        "NSPersistentStoreModelVersionChecksumKey", "NSPersistentStoreOSCompatibility",
      ])
    let options = [
      NSReadOnlyPersistentStoreOption, NSPersistentStoreTimeoutOption, NSMigratePersistentStoresAutomaticallyOption,
      NSInferMappingModelAutomaticallyOption, NSIgnorePersistentStoreVersioningOption, NSSQLitePragmasOption,
      NSSQLiteAnalyzeOption, NSSQLiteManualVacuumOption, NSPersistentStoreFileProtectionKey,
      NSPersistentStoreConnectionPoolMaxSizeKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
      NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreForceDestroyOption, NSValidateXMLStoreOption,
      NSBinaryStoreSecureDecodingClasses, NSBinaryStoreInsecureDecodingCompatibilityOption,
    ]
    #expect(Set(options).count == options.count && options[2] == "NSMigratePersistentStoresAutomaticallyOption")
  }

  @Test("enumerations have Apple's raw values")
  func enumerationsHaveApplesRawValues() {
    let types: [NSAttributeType] = [
      .undefinedAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .decimalAttributeType, .doubleAttributeType, .floatAttributeType, .stringAttributeType, .booleanAttributeType,
      .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType, .transformableAttributeType,
      .objectIDAttributeType, .compositeAttributeType,
    ]
    let newer: [NSAttributeDescription.AttributeType] = [
      .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData,
      .uuid, .uri, .transformable, .objectID, .composite,
    ]
    let numbers: [UInt] = [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1800, 2000, 2100]
    #expect(types.map(\.rawValue) == numbers)
    #expect(newer.map(\.rawValue) == numbers)
    #expect(numbers.map { NSAttributeType(rawValue: $0) } == types)
    #expect(NSAttributeType(rawValue: 1) == nil)
    let rules: [NSDeleteRule] = [.noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
    #expect((0...4).map { NSDeleteRule(rawValue: $0) } == rules + [nil])
    let results: [NSFetchRequestResultType] = [
      .managedObjectResultType, .managedObjectIDResultType, .dictionaryResultType, .countResultType,
    ]
    #expect(results == [0, 1, 2, 4].map { NSFetchRequestResultType(rawValue: $0) })
    let changes: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
    #expect((1...5).map { NSFetchedResultsChangeType(rawValue: $0) } == changes + [nil])
    let history: [NSPersistentHistoryResultType] = [
      .statusOnly, .objectIDs, .count, .transactionsOnly, .changesOnly, .transactionsAndChanges,
    ]
    #expect((0...6).map { NSPersistentHistoryResultType(rawValue: $0) } == history + [nil])
    let kinds: [NSPersistentHistoryChangeType] = [.insert, .update, .delete]
    #expect((0...3).map { NSPersistentHistoryChangeType(rawValue: $0) } == kinds + [nil])
    let policies: [NSMergePolicyType] = [
      .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
      .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]
    #expect((0...5).map { NSMergePolicyType(rawValue: $0) } == policies + [nil])
    let requests: [NSPersistentStoreRequestType] = [
      .fetchRequestType, .saveRequestType, .batchInsertRequestType, .batchUpdateRequestType, .batchDeleteRequestType,
    ]
    #expect([1, 2, 5, 6, 7].map { NSPersistentStoreRequestType(rawValue: $0) } == requests)
    #expect(NSSnapshotEventType(rawValue: 48) == [.rollback, .refresh])
    let options = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 6)
    #expect(options == [.dryRun, .printSchema])
    typealias EventType = NSPersistentCloudKitContainer.EventType
    let events: [EventType] = [.setup, .import, .export]
    #expect((0...3).map { NSPersistentCloudKitContainer.EventType(rawValue: $0) } == events + [nil])
  }

  @Test("result types of requests have Apple's raw values")
  func resultTypesOfRequestsHaveApplesRaw() {
    let inserted: [NSBatchInsertRequestResultType] = [.statusOnly, .objectIDs, .count]
    #expect((0...3).map { NSBatchInsertRequestResultType(rawValue: $0) } == inserted + [nil])
    let updated: [NSBatchUpdateRequestResultType] = [
      .statusOnlyResultType, .updatedObjectIDsResultType, .updatedObjectsCountResultType,
    ]
    #expect((0...3).map { NSBatchUpdateRequestResultType(rawValue: $0) } == updated + [nil])
    let deleted: [NSBatchDeleteRequestResultType] = [.resultTypeStatusOnly, .resultTypeObjectIDs, .resultTypeCount]
    #expect((0...3).map { NSBatchDeleteRequestResultType(rawValue: $0) } == deleted + [nil])
    let events: [NSPersistentCloudKitContainerEventResult.ResultType] = [.events, .countEvents]
    #expect((0...2).map { NSPersistentCloudKitContainerEventResult.ResultType(rawValue: $0) } == events + [nil])
  }
}
