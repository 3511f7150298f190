// swift-format-ignore-file
// Made by Generator from Declarations.tsv; see CoverageTests.
import CloudKit
import CoreData

/// The value is of this type and no other.
private func exact<Value>(_ value: inout Value, _ type: Value.Type) {}

private func sendable<Value: Sendable>(_ type: Value.Type) {}

enum CoreDataRows {

  // NSAddedPersistentStoresKey
  static func row1() {
    var value = NSAddedPersistentStoresKey
    exact(&value, (String).self)
  }

  // NSAffectedObjectsErrorKey
  static func row2() {
    var value = NSAffectedObjectsErrorKey
    exact(&value, (String).self)
  }

  // NSAffectedStoresErrorKey
  static func row3() {
    var value = NSAffectedStoresErrorKey
    exact(&value, (String).self)
  }

  // NSAsynchronousFetchRequest
  static func row4() {
    let _: NSPersistentStoreRequest.Type = (NSAsynchronousFetchRequest<NSManagedObject>).self
  }

  // NSAsynchronousFetchRequest.completionBlock
  static func row5() {
    let _: KeyPath<NSAsynchronousFetchRequest<NSManagedObject>, NSPersistentStoreAsynchronousFetchResultCompletionBlock?> = \NSAsynchronousFetchRequest<NSManagedObject>.completionBlock
  }

  // NSAsynchronousFetchRequest.estimatedResultCount
  static func row6() {
    let _: ReferenceWritableKeyPath<NSAsynchronousFetchRequest<NSManagedObject>, Int> = \NSAsynchronousFetchRequest<NSManagedObject>.estimatedResultCount
  }

  // NSAsynchronousFetchRequest.fetchRequest
  static func row7() {
    let _: KeyPath<NSAsynchronousFetchRequest<NSManagedObject>, NSFetchRequest<NSManagedObject>> = \NSAsynchronousFetchRequest<NSManagedObject>.fetchRequest
  }

  // NSAsynchronousFetchRequest.init(fetchRequest:completionBlock:)
  static func row8(_ p0: NSFetchRequest<NSManagedObject>, _ p1: ((NSAsynchronousFetchResult<NSManagedObject>) -> Void)?) {
    var value = NSAsynchronousFetchRequest<NSManagedObject>(fetchRequest: p0, completionBlock: p1)
    exact(&value, (NSAsynchronousFetchRequest<NSManagedObject>).self)
    var short = NSAsynchronousFetchRequest<NSManagedObject>(fetchRequest: p0)
    exact(&short, (NSAsynchronousFetchRequest<NSManagedObject>).self)
  }

  // NSAsynchronousFetchResult
  static func row9() {
    let _: NSPersistentStoreAsynchronousResult.Type = (NSAsynchronousFetchResult<NSManagedObject>).self
  }

  // NSAsynchronousFetchResult.fetchRequest
  static func row10() {
    let _: KeyPath<NSAsynchronousFetchResult<NSManagedObject>, NSAsynchronousFetchRequest<NSManagedObject>> = \NSAsynchronousFetchResult<NSManagedObject>.fetchRequest
  }

  // NSAsynchronousFetchResult.finalResult
  static func row11() {
    let _: KeyPath<NSAsynchronousFetchResult<NSManagedObject>, [NSManagedObject]?> = \NSAsynchronousFetchResult<NSManagedObject>.finalResult
  }

  // NSAttributeDescription
  static func row12() {
    let _: NSPropertyDescription.Type = (NSAttributeDescription).self
  }

  // NSAttributeDescription.AttributeType
  static func row13() {
    let _: any Hashable.Type = (NSAttributeDescription.AttributeType).self
    sendable((NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.binaryData
  static func row14() {
    var value = NSAttributeDescription.AttributeType.binaryData
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.boolean
  static func row15() {
    var value = NSAttributeDescription.AttributeType.boolean
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.composite
  static func row16() {
    var value = NSAttributeDescription.AttributeType.composite
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.date
  static func row17() {
    var value = NSAttributeDescription.AttributeType.date
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.decimal
  static func row18() {
    var value = NSAttributeDescription.AttributeType.decimal
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.double
  static func row19() {
    var value = NSAttributeDescription.AttributeType.double
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.float
  static func row20() {
    var value = NSAttributeDescription.AttributeType.float
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.integer16
  static func row21() {
    var value = NSAttributeDescription.AttributeType.integer16
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.integer32
  static func row22() {
    var value = NSAttributeDescription.AttributeType.integer32
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.integer64
  static func row23() {
    var value = NSAttributeDescription.AttributeType.integer64
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.objectID
  static func row24() {
    var value = NSAttributeDescription.AttributeType.objectID
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.string
  static func row25() {
    var value = NSAttributeDescription.AttributeType.string
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.transformable
  static func row26() {
    var value = NSAttributeDescription.AttributeType.transformable
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.undefined
  static func row27() {
    var value = NSAttributeDescription.AttributeType.undefined
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.uri
  static func row28() {
    var value = NSAttributeDescription.AttributeType.uri
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.AttributeType.uuid
  static func row29() {
    var value = NSAttributeDescription.AttributeType.uuid
    exact(&value, (NSAttributeDescription.AttributeType).self)
  }

  // NSAttributeDescription.allowsCloudEncryption
  static func row30() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, Bool> = \NSAttributeDescription.allowsCloudEncryption
  }

  // NSAttributeDescription.allowsExternalBinaryDataStorage
  static func row31() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, Bool> = \NSAttributeDescription.allowsExternalBinaryDataStorage
  }

  // NSAttributeDescription.attributeType
  @available(*, deprecated)
  static func row32() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, NSAttributeType> = \NSAttributeDescription.attributeType
  }

  // NSAttributeDescription.attributeValueClassName
  static func row33() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, String?> = \NSAttributeDescription.attributeValueClassName
  }

  // NSAttributeDescription.defaultValue
  static func row34() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, Any?> = \NSAttributeDescription.defaultValue
  }

  // NSAttributeDescription.preservesValueInHistoryOnDeletion
  static func row35() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, Bool> = \NSAttributeDescription.preservesValueInHistoryOnDeletion
  }

  // NSAttributeDescription.type
  static func row36() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, NSAttributeDescription.AttributeType> = \NSAttributeDescription.type
  }

  // NSAttributeDescription.valueTransformerName
  static func row37() {
    let _: ReferenceWritableKeyPath<NSAttributeDescription, String?> = \NSAttributeDescription.valueTransformerName
  }

  // NSAttributeDescription.versionHash
  static func row38() {
    let _: KeyPath<NSAttributeDescription, Data> = \NSAttributeDescription.versionHash
  }

  // NSAttributeType
  static func row39() {
    _ = (NSAttributeType).self
  }

  // NSAttributeType.URIAttributeType
  static func row40() {
    var value = NSAttributeType.URIAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.UUIDAttributeType
  static func row41() {
    var value = NSAttributeType.UUIDAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.binaryDataAttributeType
  static func row42() {
    var value = NSAttributeType.binaryDataAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.booleanAttributeType
  static func row43() {
    var value = NSAttributeType.booleanAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.compositeAttributeType
  static func row44() {
    var value = NSAttributeType.compositeAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.dateAttributeType
  static func row45() {
    var value = NSAttributeType.dateAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.decimalAttributeType
  static func row46() {
    var value = NSAttributeType.decimalAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.doubleAttributeType
  static func row47() {
    var value = NSAttributeType.doubleAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.floatAttributeType
  static func row48() {
    var value = NSAttributeType.floatAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.init(rawValue:)
  static func row49(_ p0: UInt) {
    var value = NSAttributeType(rawValue: p0)
    exact(&value, (NSAttributeType?).self)
  }

  // NSAttributeType.integer16AttributeType
  static func row50() {
    var value = NSAttributeType.integer16AttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.integer32AttributeType
  static func row51() {
    var value = NSAttributeType.integer32AttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.integer64AttributeType
  static func row52() {
    var value = NSAttributeType.integer64AttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.objectIDAttributeType
  static func row53() {
    var value = NSAttributeType.objectIDAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.stringAttributeType
  static func row54() {
    var value = NSAttributeType.stringAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.transformableAttributeType
  static func row55() {
    var value = NSAttributeType.transformableAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSAttributeType.undefinedAttributeType
  static func row56() {
    var value = NSAttributeType.undefinedAttributeType
    exact(&value, (NSAttributeType).self)
  }

  // NSBatchDeleteRequest
  static func row57() {
    let _: NSPersistentStoreRequest.Type = (NSBatchDeleteRequest).self
  }

  // NSBatchDeleteRequest.fetchRequest
  static func row58() {
    let _: KeyPath<NSBatchDeleteRequest, NSFetchRequest<any NSFetchRequestResult>> = \NSBatchDeleteRequest.fetchRequest
  }

  // NSBatchDeleteRequest.init(fetchRequest:)
  static func row59(_ p0: NSFetchRequest<any NSFetchRequestResult>) {
    var value = NSBatchDeleteRequest(fetchRequest: p0)
    exact(&value, (NSBatchDeleteRequest).self)
  }

  // NSBatchDeleteRequest.init(objectIDs:)
  static func row60(_ p0: [NSManagedObjectID]) {
    var value = NSBatchDeleteRequest(objectIDs: p0)
    exact(&value, (NSBatchDeleteRequest).self)
  }

  // NSBatchDeleteRequest.resultType
  static func row61() {
    let _: ReferenceWritableKeyPath<NSBatchDeleteRequest, NSBatchDeleteRequestResultType> = \NSBatchDeleteRequest.resultType
  }

  // NSBatchDeleteRequestResultType
  static func row62() {
    _ = (NSBatchDeleteRequestResultType).self
  }

  // NSBatchDeleteRequestResultType.init(rawValue:)
  static func row63(_ p0: UInt) {
    var value = NSBatchDeleteRequestResultType(rawValue: p0)
    exact(&value, (NSBatchDeleteRequestResultType?).self)
  }

  // NSBatchDeleteRequestResultType.resultTypeCount
  static func row64() {
    var value = NSBatchDeleteRequestResultType.resultTypeCount
    exact(&value, (NSBatchDeleteRequestResultType).self)
  }

  // NSBatchDeleteRequestResultType.resultTypeObjectIDs
  static func row65() {
    var value = NSBatchDeleteRequestResultType.resultTypeObjectIDs
    exact(&value, (NSBatchDeleteRequestResultType).self)
  }

  // NSBatchDeleteRequestResultType.resultTypeStatusOnly
  static func row66() {
    var value = NSBatchDeleteRequestResultType.resultTypeStatusOnly
    exact(&value, (NSBatchDeleteRequestResultType).self)
  }

  // NSBatchDeleteResult
  static func row67() {
    let _: NSPersistentStoreResult.Type = (NSBatchDeleteResult).self
  }

  // NSBatchDeleteResult.result
  static func row68() {
    let _: KeyPath<NSBatchDeleteResult, Any?> = \NSBatchDeleteResult.result
  }

  // NSBatchDeleteResult.resultType
  static func row69() {
    let _: KeyPath<NSBatchDeleteResult, NSBatchDeleteRequestResultType> = \NSBatchDeleteResult.resultType
  }

  // NSBatchInsertRequest
  static func row70() {
    let _: NSPersistentStoreRequest.Type = (NSBatchInsertRequest).self
  }

  // NSBatchInsertRequest.dictionaryHandler
  static func row71() {
    let _: ReferenceWritableKeyPath<NSBatchInsertRequest, ((NSMutableDictionary) -> Bool)?> = \NSBatchInsertRequest.dictionaryHandler
  }

  // NSBatchInsertRequest.entity
  static func row72() {
    let _: KeyPath<NSBatchInsertRequest, NSEntityDescription?> = \NSBatchInsertRequest.entity
  }

  // NSBatchInsertRequest.entityName
  static func row73() {
    let _: KeyPath<NSBatchInsertRequest, String> = \NSBatchInsertRequest.entityName
  }

  // NSBatchInsertRequest.init()
  @available(*, deprecated)
  static func row74() {
    var value = NSBatchInsertRequest()
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.init(entity:dictionaryHandler:)
  static func row75(_ p0: NSEntityDescription, _ p1: @escaping (NSMutableDictionary) -> Bool) {
    var value = NSBatchInsertRequest(entity: p0, dictionaryHandler: p1)
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.init(entity:managedObjectHandler:)
  static func row76(_ p0: NSEntityDescription, _ p1: @escaping (NSManagedObject) -> Bool) {
    var value = NSBatchInsertRequest(entity: p0, managedObjectHandler: p1)
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.init(entity:objects:)
  static func row77(_ p0: NSEntityDescription, _ p1: [[String : Any]]) {
    var value = NSBatchInsertRequest(entity: p0, objects: p1)
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.init(entityName:dictionaryHandler:)
  static func row78(_ p0: String, _ p1: @escaping (NSMutableDictionary) -> Bool) {
    var value = NSBatchInsertRequest(entityName: p0, dictionaryHandler: p1)
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.init(entityName:managedObjectHandler:)
  static func row79(_ p0: String, _ p1: @escaping (NSManagedObject) -> Bool) {
    var value = NSBatchInsertRequest(entityName: p0, managedObjectHandler: p1)
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.init(entityName:objects:)
  static func row80(_ p0: String, _ p1: [[String : Any]]) {
    var value = NSBatchInsertRequest(entityName: p0, objects: p1)
    exact(&value, (NSBatchInsertRequest).self)
  }

  // NSBatchInsertRequest.managedObjectHandler
  static func row81() {
    let _: ReferenceWritableKeyPath<NSBatchInsertRequest, ((NSManagedObject) -> Bool)?> = \NSBatchInsertRequest.managedObjectHandler
  }

  // NSBatchInsertRequest.objectsToInsert
  static func row82() {
    let _: ReferenceWritableKeyPath<NSBatchInsertRequest, [[String : Any]]?> = \NSBatchInsertRequest.objectsToInsert
  }

  // NSBatchInsertRequest.resultType
  static func row83() {
    let _: ReferenceWritableKeyPath<NSBatchInsertRequest, NSBatchInsertRequestResultType> = \NSBatchInsertRequest.resultType
  }

  // NSBatchInsertRequestResultType
  static func row84() {
    _ = (NSBatchInsertRequestResultType).self
  }

  // NSBatchInsertRequestResultType.count
  static func row85() {
    var value = NSBatchInsertRequestResultType.count
    exact(&value, (NSBatchInsertRequestResultType).self)
  }

  // NSBatchInsertRequestResultType.init(rawValue:)
  static func row86(_ p0: UInt) {
    var value = NSBatchInsertRequestResultType(rawValue: p0)
    exact(&value, (NSBatchInsertRequestResultType?).self)
  }

  // NSBatchInsertRequestResultType.objectIDs
  static func row87() {
    var value = NSBatchInsertRequestResultType.objectIDs
    exact(&value, (NSBatchInsertRequestResultType).self)
  }

  // NSBatchInsertRequestResultType.statusOnly
  static func row88() {
    var value = NSBatchInsertRequestResultType.statusOnly
    exact(&value, (NSBatchInsertRequestResultType).self)
  }

  // NSBatchInsertResult
  static func row89() {
    let _: NSPersistentStoreResult.Type = (NSBatchInsertResult).self
  }

  // NSBatchInsertResult.result
  static func row90() {
    let _: KeyPath<NSBatchInsertResult, Any?> = \NSBatchInsertResult.result
  }

  // NSBatchInsertResult.resultType
  static func row91() {
    let _: KeyPath<NSBatchInsertResult, NSBatchInsertRequestResultType> = \NSBatchInsertResult.resultType
  }

  // NSBatchUpdateRequest
  static func row92() {
    let _: NSPersistentStoreRequest.Type = (NSBatchUpdateRequest).self
  }

  // NSBatchUpdateRequest.entity
  static func row93() {
    let _: KeyPath<NSBatchUpdateRequest, NSEntityDescription> = \NSBatchUpdateRequest.entity
  }

  // NSBatchUpdateRequest.entityName
  static func row94() {
    let _: KeyPath<NSBatchUpdateRequest, String> = \NSBatchUpdateRequest.entityName
  }

  // NSBatchUpdateRequest.includesSubentities
  static func row95() {
    let _: ReferenceWritableKeyPath<NSBatchUpdateRequest, Bool> = \NSBatchUpdateRequest.includesSubentities
  }

  // NSBatchUpdateRequest.init(entity:)
  static func row96(_ p0: NSEntityDescription) {
    var value = NSBatchUpdateRequest(entity: p0)
    exact(&value, (NSBatchUpdateRequest).self)
  }

  // NSBatchUpdateRequest.init(entityName:)
  static func row97(_ p0: String) {
    var value = NSBatchUpdateRequest(entityName: p0)
    exact(&value, (NSBatchUpdateRequest).self)
  }

  // NSBatchUpdateRequest.predicate
  static func row98() {
    let _: ReferenceWritableKeyPath<NSBatchUpdateRequest, NSPredicate?> = \NSBatchUpdateRequest.predicate
  }

  // NSBatchUpdateRequest.propertiesToUpdate
  static func row99() {
    let _: ReferenceWritableKeyPath<NSBatchUpdateRequest, [AnyHashable : Any]?> = \NSBatchUpdateRequest.propertiesToUpdate
  }

  // NSBatchUpdateRequest.resultType
  static func row100() {
    let _: ReferenceWritableKeyPath<NSBatchUpdateRequest, NSBatchUpdateRequestResultType> = \NSBatchUpdateRequest.resultType
  }

  // NSBatchUpdateRequestResultType
  static func row101() {
    _ = (NSBatchUpdateRequestResultType).self
  }

  // NSBatchUpdateRequestResultType.init(rawValue:)
  static func row102(_ p0: UInt) {
    var value = NSBatchUpdateRequestResultType(rawValue: p0)
    exact(&value, (NSBatchUpdateRequestResultType?).self)
  }

  // NSBatchUpdateRequestResultType.statusOnlyResultType
  static func row103() {
    var value = NSBatchUpdateRequestResultType.statusOnlyResultType
    exact(&value, (NSBatchUpdateRequestResultType).self)
  }

  // NSBatchUpdateRequestResultType.updatedObjectIDsResultType
  static func row104() {
    var value = NSBatchUpdateRequestResultType.updatedObjectIDsResultType
    exact(&value, (NSBatchUpdateRequestResultType).self)
  }

  // NSBatchUpdateRequestResultType.updatedObjectsCountResultType
  static func row105() {
    var value = NSBatchUpdateRequestResultType.updatedObjectsCountResultType
    exact(&value, (NSBatchUpdateRequestResultType).self)
  }

  // NSBatchUpdateResult
  static func row106() {
    let _: NSPersistentStoreResult.Type = (NSBatchUpdateResult).self
  }

  // NSBatchUpdateResult.result
  static func row107() {
    let _: KeyPath<NSBatchUpdateResult, Any?> = \NSBatchUpdateResult.result
  }

  // NSBatchUpdateResult.resultType
  static func row108() {
    let _: KeyPath<NSBatchUpdateResult, NSBatchUpdateRequestResultType> = \NSBatchUpdateResult.resultType
  }

  // NSBinaryStoreInsecureDecodingCompatibilityOption
  static func row110() {
    var value = NSBinaryStoreInsecureDecodingCompatibilityOption
    exact(&value, (String).self)
  }

  // NSBinaryStoreSecureDecodingClasses
  static func row111() {
    var value = NSBinaryStoreSecureDecodingClasses
    exact(&value, (String).self)
  }

  // NSBinaryStoreType
  static func row112() {
    var value = NSBinaryStoreType
    exact(&value, (String).self)
  }

  // NSConstraintConflict
  static func row113() {
    let _: NSObject.Type = (NSConstraintConflict).self
  }

  // NSConstraintConflict.conflictingObjects
  static func row114() {
    let _: KeyPath<NSConstraintConflict, [NSManagedObject]> = \NSConstraintConflict.conflictingObjects
  }

  // NSConstraintConflict.conflictingSnapshots
  static func row115() {
    let _: KeyPath<NSConstraintConflict, [[AnyHashable : Any]]> = \NSConstraintConflict.conflictingSnapshots
  }

  // NSConstraintConflict.constraint
  static func row116() {
    let _: KeyPath<NSConstraintConflict, [String]> = \NSConstraintConflict.constraint
  }

  // NSConstraintConflict.constraintValues
  static func row117() {
    let _: KeyPath<NSConstraintConflict, [String : Any]> = \NSConstraintConflict.constraintValues
  }

  // NSConstraintConflict.databaseObject
  static func row118() {
    let _: KeyPath<NSConstraintConflict, NSManagedObject?> = \NSConstraintConflict.databaseObject
  }

  // NSConstraintConflict.databaseSnapshot
  static func row119() {
    let _: KeyPath<NSConstraintConflict, [String : Any]?> = \NSConstraintConflict.databaseSnapshot
  }

  // NSConstraintConflict.init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:)
  static func row120(_ p0: [String], _ p1: NSManagedObject?, _ p2: [AnyHashable : Any]?, _ p3: [NSManagedObject], _ p4: [Any]) {
    var value = NSConstraintConflict(constraint: p0, database: p1, databaseSnapshot: p2, conflicting: p3, conflictingSnapshots: p4)
    exact(&value, (NSConstraintConflict).self)
  }

  // NSCoreDataError
  static func row121() {
    var value = NSCoreDataError
    exact(&value, (Int).self)
  }

  // NSCoreDataVersionNumber
  static func row122() {
    var value = NSCoreDataVersionNumber
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_10
  static func row123() {
    var value = NSCoreDataVersionNumber10_10
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_10_2
  static func row124() {
    var value = NSCoreDataVersionNumber10_10_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_10_3
  static func row125() {
    var value = NSCoreDataVersionNumber10_10_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_11
  static func row126() {
    var value = NSCoreDataVersionNumber10_11
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_11_3
  static func row127() {
    var value = NSCoreDataVersionNumber10_11_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_4
  static func row128() {
    var value = NSCoreDataVersionNumber10_4
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_4_3
  static func row129() {
    var value = NSCoreDataVersionNumber10_4_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_5
  static func row130() {
    var value = NSCoreDataVersionNumber10_5
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_5_3
  static func row131() {
    var value = NSCoreDataVersionNumber10_5_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_6
  static func row132() {
    var value = NSCoreDataVersionNumber10_6
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_6_2
  static func row133() {
    var value = NSCoreDataVersionNumber10_6_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_6_3
  static func row134() {
    var value = NSCoreDataVersionNumber10_6_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_7
  static func row135() {
    var value = NSCoreDataVersionNumber10_7
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_7_2
  static func row136() {
    var value = NSCoreDataVersionNumber10_7_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_7_3
  static func row137() {
    var value = NSCoreDataVersionNumber10_7_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_7_4
  static func row138() {
    var value = NSCoreDataVersionNumber10_7_4
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_8
  static func row139() {
    var value = NSCoreDataVersionNumber10_8
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_8_2
  static func row140() {
    var value = NSCoreDataVersionNumber10_8_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_9
  static func row141() {
    var value = NSCoreDataVersionNumber10_9
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_9_2
  static func row142() {
    var value = NSCoreDataVersionNumber10_9_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber10_9_3
  static func row143() {
    var value = NSCoreDataVersionNumber10_9_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_3_0
  static func row144() {
    var value = NSCoreDataVersionNumber_iPhoneOS_3_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_3_1
  static func row145() {
    var value = NSCoreDataVersionNumber_iPhoneOS_3_1
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_3_2
  static func row146() {
    var value = NSCoreDataVersionNumber_iPhoneOS_3_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_4_0
  static func row147() {
    var value = NSCoreDataVersionNumber_iPhoneOS_4_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_4_1
  static func row148() {
    var value = NSCoreDataVersionNumber_iPhoneOS_4_1
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_4_2
  static func row149() {
    var value = NSCoreDataVersionNumber_iPhoneOS_4_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_4_3
  static func row150() {
    var value = NSCoreDataVersionNumber_iPhoneOS_4_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_5_0
  static func row151() {
    var value = NSCoreDataVersionNumber_iPhoneOS_5_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_5_1
  static func row152() {
    var value = NSCoreDataVersionNumber_iPhoneOS_5_1
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_6_0
  static func row153() {
    var value = NSCoreDataVersionNumber_iPhoneOS_6_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_6_1
  static func row154() {
    var value = NSCoreDataVersionNumber_iPhoneOS_6_1
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_7_0
  static func row155() {
    var value = NSCoreDataVersionNumber_iPhoneOS_7_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_7_1
  static func row156() {
    var value = NSCoreDataVersionNumber_iPhoneOS_7_1
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_8_0
  static func row157() {
    var value = NSCoreDataVersionNumber_iPhoneOS_8_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_8_3
  static func row158() {
    var value = NSCoreDataVersionNumber_iPhoneOS_8_3
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_9_0
  static func row159() {
    var value = NSCoreDataVersionNumber_iPhoneOS_9_0
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_9_2
  static func row160() {
    var value = NSCoreDataVersionNumber_iPhoneOS_9_2
    exact(&value, (Double).self)
  }

  // NSCoreDataVersionNumber_iPhoneOS_9_3
  static func row161() {
    var value = NSCoreDataVersionNumber_iPhoneOS_9_3
    exact(&value, (Double).self)
  }

  // NSDeleteRule
  static func row162() {
    _ = (NSDeleteRule).self
  }

  // NSDeleteRule.cascadeDeleteRule
  static func row163() {
    var value = NSDeleteRule.cascadeDeleteRule
    exact(&value, (NSDeleteRule).self)
  }

  // NSDeleteRule.denyDeleteRule
  static func row164() {
    var value = NSDeleteRule.denyDeleteRule
    exact(&value, (NSDeleteRule).self)
  }

  // NSDeleteRule.init(rawValue:)
  static func row165(_ p0: UInt) {
    var value = NSDeleteRule(rawValue: p0)
    exact(&value, (NSDeleteRule?).self)
  }

  // NSDeleteRule.noActionDeleteRule
  static func row166() {
    var value = NSDeleteRule.noActionDeleteRule
    exact(&value, (NSDeleteRule).self)
  }

  // NSDeleteRule.nullifyDeleteRule
  static func row167() {
    var value = NSDeleteRule.nullifyDeleteRule
    exact(&value, (NSDeleteRule).self)
  }

  // NSDeletedObjectIDsKey
  static func row168() {
    var value = NSDeletedObjectIDsKey
    exact(&value, (String).self)
  }

  // NSDeletedObjectsKey
  static func row169() {
    var value = NSDeletedObjectsKey
    exact(&value, (String).self)
  }

  // NSDerivedAttributeDescription
  static func row170() {
    let _: NSAttributeDescription.Type = (NSDerivedAttributeDescription).self
  }

  // NSDerivedAttributeDescription.derivationExpression
  @available(*, deprecated)
  static func row171() {
    let _: ReferenceWritableKeyPath<NSDerivedAttributeDescription, NSExpression?> = \NSDerivedAttributeDescription.derivationExpression
  }

  // NSDetailedErrorsKey
  static func row172() {
    var value = NSDetailedErrorsKey
    exact(&value, (String).self)
  }

  // NSEntityDescription
  static func row173() {
    let _: NSObject.Type = (NSEntityDescription).self
    let _: any NSCopying.Type = (NSEntityDescription).self
  }

  // NSEntityDescription.attributesByName
  static func row174() {
    let _: KeyPath<NSEntityDescription, [String : NSAttributeDescription]> = \NSEntityDescription.attributesByName
  }

  // NSEntityDescription.compoundIndexes
  @available(*, deprecated)
  static func row175() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, [[Any]]> = \NSEntityDescription.compoundIndexes
  }

  // NSEntityDescription.entity(forEntityName:in:)
  static func row177(_ p0: String, _ p1: NSManagedObjectContext) {
    var value = NSEntityDescription.entity(forEntityName: p0, in: p1)
    exact(&value, (NSEntityDescription?).self)
  }

  // NSEntityDescription.indexes
  static func row178() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, [NSFetchIndexDescription]> = \NSEntityDescription.indexes
  }

  // NSEntityDescription.insertNewObject(forEntityName:into:)
  static func row179(_ p0: String, _ p1: NSManagedObjectContext) {
    var value = NSEntityDescription.insertNewObject(forEntityName: p0, into: p1)
    exact(&value, (NSManagedObject).self)
  }

  // NSEntityDescription.isAbstract
  static func row180() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, Bool> = \NSEntityDescription.isAbstract
  }

  // NSEntityDescription.isKindOf(entity:)
  static func row181(_ owner: NSEntityDescription, _ p0: NSEntityDescription) {
    var value = owner.isKindOf(entity: p0)
    exact(&value, (Bool).self)
  }

  // NSEntityDescription.managedObjectClassName
  static func row182() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, String?> = \NSEntityDescription.managedObjectClassName
  }

  // NSEntityDescription.managedObjectModel
  static func row183() {
    let _: KeyPath<NSEntityDescription, NSManagedObjectModel> = \NSEntityDescription.managedObjectModel
  }

  // NSEntityDescription.name
  static func row184() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, String?> = \NSEntityDescription.name
  }

  // NSEntityDescription.properties
  static func row185() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, [NSPropertyDescription]> = \NSEntityDescription.properties
  }

  // NSEntityDescription.propertiesByName
  static func row186() {
    let _: KeyPath<NSEntityDescription, [String : NSPropertyDescription]> = \NSEntityDescription.propertiesByName
  }

  // NSEntityDescription.relationships(forDestination:)
  static func row187(_ owner: NSEntityDescription, _ p0: NSEntityDescription) {
    var value = owner.relationships(forDestination: p0)
    exact(&value, ([NSRelationshipDescription]).self)
  }

  // NSEntityDescription.relationshipsByName
  static func row188() {
    let _: KeyPath<NSEntityDescription, [String : NSRelationshipDescription]> = \NSEntityDescription.relationshipsByName
  }

  // NSEntityDescription.renamingIdentifier
  static func row189() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, String?> = \NSEntityDescription.renamingIdentifier
  }

  // NSEntityDescription.subentities
  static func row190() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, [NSEntityDescription]> = \NSEntityDescription.subentities
  }

  // NSEntityDescription.subentitiesByName
  static func row191() {
    let _: KeyPath<NSEntityDescription, [String : NSEntityDescription]> = \NSEntityDescription.subentitiesByName
  }

  // NSEntityDescription.superentity
  static func row192() {
    let _: KeyPath<NSEntityDescription, NSEntityDescription?> = \NSEntityDescription.superentity
  }

  // NSEntityDescription.uniquenessConstraints
  static func row193() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, [[Any]]> = \NSEntityDescription.uniquenessConstraints
  }

  // NSEntityDescription.userInfo
  static func row194() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, [AnyHashable : Any]?> = \NSEntityDescription.userInfo
  }

  // NSEntityDescription.versionHash
  static func row195() {
    let _: KeyPath<NSEntityDescription, Data> = \NSEntityDescription.versionHash
  }

  // NSEntityDescription.versionHashModifier
  static func row196() {
    let _: ReferenceWritableKeyPath<NSEntityDescription, String?> = \NSEntityDescription.versionHashModifier
  }

  // NSErrorMergePolicy
  static func row198() {
    var value = NSErrorMergePolicy
    exact(&value, (AnyObject).self)
  }

  // NSExpressionDescription
  static func row199() {
    let _: NSPropertyDescription.Type = (NSExpressionDescription).self
  }

  // NSExpressionDescription.expression
  @available(*, deprecated)
  static func row200() {
    let _: ReferenceWritableKeyPath<NSExpressionDescription, NSExpression?> = \NSExpressionDescription.expression
  }

  // NSExpressionDescription.expressionResultType
  @available(*, deprecated)
  static func row201() {
    let _: ReferenceWritableKeyPath<NSExpressionDescription, NSAttributeType> = \NSExpressionDescription.expressionResultType
  }

  // NSExpressionDescription.resultType
  static func row202() {
    let _: ReferenceWritableKeyPath<NSExpressionDescription, NSAttributeDescription.AttributeType> = \NSExpressionDescription.resultType
  }

  // NSExternalRecordImportError
  static func row204() {
    var value = NSExternalRecordImportError
    exact(&value, (Int).self)
  }

  // NSFetchRequest
  static func row207() {
    let _: NSPersistentStoreRequest.Type = (NSFetchRequest<NSManagedObject>).self
  }

  // NSFetchRequest.affectedStores
  static func row208() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, [NSPersistentStore]?> = \NSFetchRequest<NSManagedObject>.affectedStores
  }

  // NSFetchRequest.entity
  static func row209() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, NSEntityDescription?> = \NSFetchRequest<NSManagedObject>.entity
  }

  // NSFetchRequest.entityName
  static func row210() {
    let _: KeyPath<NSFetchRequest<NSManagedObject>, String?> = \NSFetchRequest<NSManagedObject>.entityName
  }

  // NSFetchRequest.execute()
  static func row211(_ owner: NSFetchRequest<NSManagedObject>) throws {
    var value = try owner.execute()
    exact(&value, ([NSManagedObject]).self)
  }

  // NSFetchRequest.fetchBatchSize
  static func row212() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Int> = \NSFetchRequest<NSManagedObject>.fetchBatchSize
  }

  // NSFetchRequest.fetchLimit
  static func row213() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Int> = \NSFetchRequest<NSManagedObject>.fetchLimit
  }

  // NSFetchRequest.fetchOffset
  static func row214() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Int> = \NSFetchRequest<NSManagedObject>.fetchOffset
  }

  // NSFetchRequest.havingPredicate
  static func row215() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, NSPredicate?> = \NSFetchRequest<NSManagedObject>.havingPredicate
  }

  // NSFetchRequest.includesPendingChanges
  static func row216() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Bool> = \NSFetchRequest<NSManagedObject>.includesPendingChanges
  }

  // NSFetchRequest.includesPropertyValues
  static func row217() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Bool> = \NSFetchRequest<NSManagedObject>.includesPropertyValues
  }

  // NSFetchRequest.includesSubentities
  static func row218() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Bool> = \NSFetchRequest<NSManagedObject>.includesSubentities
  }

  // NSFetchRequest.init()
  static func row219() {
    var value = NSFetchRequest<NSManagedObject>()
    exact(&value, (NSFetchRequest<NSManagedObject>).self)
  }

  // NSFetchRequest.init(entityName:)
  static func row220(_ p0: String) {
    var value = NSFetchRequest<NSManagedObject>(entityName: p0)
    exact(&value, (NSFetchRequest<NSManagedObject>).self)
  }

  // NSFetchRequest.predicate
  static func row221() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, NSPredicate?> = \NSFetchRequest<NSManagedObject>.predicate
  }

  // NSFetchRequest.propertiesToFetch
  static func row222() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, [Any]?> = \NSFetchRequest<NSManagedObject>.propertiesToFetch
  }

  // NSFetchRequest.propertiesToGroupBy
  static func row223() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, [Any]?> = \NSFetchRequest<NSManagedObject>.propertiesToGroupBy
  }

  // NSFetchRequest.relationshipKeyPathsForPrefetching
  static func row224() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, [String]?> = \NSFetchRequest<NSManagedObject>.relationshipKeyPathsForPrefetching
  }

  // NSFetchRequest.resultType
  static func row225() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, NSFetchRequestResultType> = \NSFetchRequest<NSManagedObject>.resultType
  }

  // NSFetchRequest.returnsDistinctResults
  static func row226() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Bool> = \NSFetchRequest<NSManagedObject>.returnsDistinctResults
  }

  // NSFetchRequest.returnsObjectsAsFaults
  static func row227() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Bool> = \NSFetchRequest<NSManagedObject>.returnsObjectsAsFaults
  }

  // NSFetchRequest.shouldRefreshRefetchedObjects
  static func row228() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, Bool> = \NSFetchRequest<NSManagedObject>.shouldRefreshRefetchedObjects
  }

  // NSFetchRequest.sortDescriptors
  static func row229() {
    let _: ReferenceWritableKeyPath<NSFetchRequest<NSManagedObject>, [NSSortDescriptor]?> = \NSFetchRequest<NSManagedObject>.sortDescriptors
  }

  // NSFetchRequestExpression
  @available(*, deprecated)
  static func row230() {
    let _: NSExpression.Type = (NSFetchRequestExpression).self
  }

  // NSFetchRequestExpression.contextExpression
  @available(*, deprecated)
  static func row231() {
    let _: KeyPath<NSFetchRequestExpression, NSExpression> = \NSFetchRequestExpression.contextExpression
  }

  // NSFetchRequestExpression.expression(forFetch:context:countOnly:)
  @available(*, deprecated)
  static func row232(_ p0: NSExpression, _ p1: NSExpression, _ p2: Bool) {
    var value = NSFetchRequestExpression.expression(forFetch: p0, context: p1, countOnly: p2)
    exact(&value, (NSExpression).self)
  }

  // NSFetchRequestExpression.isCountOnlyRequest
  static func row233() {
    let _: KeyPath<NSFetchRequestExpression, Bool> = \NSFetchRequestExpression.isCountOnlyRequest
  }

  // NSFetchRequestExpression.requestExpression
  @available(*, deprecated)
  static func row234() {
    let _: KeyPath<NSFetchRequestExpression, NSExpression> = \NSFetchRequestExpression.requestExpression
  }

  // NSFetchRequestExpressionType
  @available(*, deprecated)
  static func row235() {
    var value = NSFetchRequestExpressionType
    exact(&value, (NSExpression.ExpressionType).self)
  }

  // NSFetchRequestResult
  static func row236(_ value: any NSFetchRequestResult) {
    _ = value
  }

  // NSFetchRequestResultType
  static func row237() {
    let _: any OptionSet.Type = (NSFetchRequestResultType).self
    sendable((NSFetchRequestResultType).self)
  }

  // NSFetchRequestResultType.countResultType
  static func row238() {
    var value = NSFetchRequestResultType.countResultType
    exact(&value, (NSFetchRequestResultType).self)
  }

  // NSFetchRequestResultType.dictionaryResultType
  static func row239() {
    var value = NSFetchRequestResultType.dictionaryResultType
    exact(&value, (NSFetchRequestResultType).self)
  }

  // NSFetchRequestResultType.init(rawValue:)
  static func row240(_ p0: UInt) {
    var value = NSFetchRequestResultType(rawValue: p0)
    exact(&value, (NSFetchRequestResultType).self)
  }

  // NSFetchRequestResultType.managedObjectIDResultType
  static func row241() {
    var value = NSFetchRequestResultType.managedObjectIDResultType
    exact(&value, (NSFetchRequestResultType).self)
  }

  // NSFetchRequestResultType.managedObjectResultType
  static func row242() {
    var value = NSFetchRequestResultType.managedObjectResultType
    exact(&value, (NSFetchRequestResultType).self)
  }

  // NSFetchedPropertyDescription
  static func row243() {
    let _: NSPropertyDescription.Type = (NSFetchedPropertyDescription).self
  }

  // NSFetchedPropertyDescription.fetchRequest
  static func row244() {
    let _: ReferenceWritableKeyPath<NSFetchedPropertyDescription, NSFetchRequest<any NSFetchRequestResult>?> = \NSFetchedPropertyDescription.fetchRequest
  }

  // NSFetchedResultsChangeType
  static func row245() {
    _ = (NSFetchedResultsChangeType).self
  }

  // NSFetchedResultsChangeType.delete
  static func row246() {
    var value = NSFetchedResultsChangeType.delete
    exact(&value, (NSFetchedResultsChangeType).self)
  }

  // NSFetchedResultsChangeType.init(rawValue:)
  static func row247(_ p0: UInt) {
    var value = NSFetchedResultsChangeType(rawValue: p0)
    exact(&value, (NSFetchedResultsChangeType?).self)
  }

  // NSFetchedResultsChangeType.insert
  static func row248() {
    var value = NSFetchedResultsChangeType.insert
    exact(&value, (NSFetchedResultsChangeType).self)
  }

  // NSFetchedResultsChangeType.move
  static func row249() {
    var value = NSFetchedResultsChangeType.move
    exact(&value, (NSFetchedResultsChangeType).self)
  }

  // NSFetchedResultsChangeType.update
  static func row250() {
    var value = NSFetchedResultsChangeType.update
    exact(&value, (NSFetchedResultsChangeType).self)
  }

  // NSFetchedResultsController
  static func row251() {
    let _: NSObject.Type = (NSFetchedResultsController<NSManagedObject>).self
  }

  // NSFetchedResultsController.cacheName
  static func row252() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, String?> = \NSFetchedResultsController<NSManagedObject>.cacheName
  }

  // NSFetchedResultsController.delegate
  static func row253() {
    let _: ReferenceWritableKeyPath<NSFetchedResultsController<NSManagedObject>, (any NSFetchedResultsControllerDelegate)?> = \NSFetchedResultsController<NSManagedObject>.delegate
  }

  // NSFetchedResultsController.deleteCache(withName:)
  static func row254(_ p0: String?) {
    NSFetchedResultsController<NSManagedObject>.deleteCache(withName: p0)
  }

  // NSFetchedResultsController.fetchRequest
  static func row255() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, NSFetchRequest<NSManagedObject>> = \NSFetchedResultsController<NSManagedObject>.fetchRequest
  }

  // NSFetchedResultsController.fetchedObjects
  static func row256() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, [NSManagedObject]?> = \NSFetchedResultsController<NSManagedObject>.fetchedObjects
  }

  // NSFetchedResultsController.indexPath(forObject:)
  static func row257(_ owner: NSFetchedResultsController<NSManagedObject>, _ p0: NSManagedObject) {
    var value = owner.indexPath(forObject: p0)
    exact(&value, (IndexPath?).self)
  }

  // NSFetchedResultsController.init(fetchRequest:managedObjectContext:sectionNameKeyPath:cacheName:)
  static func row258(_ p0: NSFetchRequest<NSManagedObject>, _ p1: NSManagedObjectContext, _ p2: String?, _ p3: String?) {
    var value = NSFetchedResultsController<NSManagedObject>(fetchRequest: p0, managedObjectContext: p1, sectionNameKeyPath: p2, cacheName: p3)
    exact(&value, (NSFetchedResultsController<NSManagedObject>).self)
  }

  // NSFetchedResultsController.managedObjectContext
  static func row259() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, NSManagedObjectContext> = \NSFetchedResultsController<NSManagedObject>.managedObjectContext
  }

  // NSFetchedResultsController.object(at:)
  static func row260(_ owner: NSFetchedResultsController<NSManagedObject>, _ p0: IndexPath) {
    var value = owner.object(at: p0)
    exact(&value, (NSManagedObject).self)
  }

  // NSFetchedResultsController.performFetch()
  static func row261(_ owner: NSFetchedResultsController<NSManagedObject>) throws {
    try owner.performFetch()
  }

  // NSFetchedResultsController.section(forSectionIndexTitle:at:)
  static func row262(_ owner: NSFetchedResultsController<NSManagedObject>, _ p0: String, _ p1: Int) {
    var value = owner.section(forSectionIndexTitle: p0, at: p1)
    exact(&value, (Int).self)
  }

  // NSFetchedResultsController.sectionIndexTitle(forSectionName:)
  static func row263(_ owner: NSFetchedResultsController<NSManagedObject>, _ p0: String) {
    var value = owner.sectionIndexTitle(forSectionName: p0)
    exact(&value, (String?).self)
  }

  // NSFetchedResultsController.sectionIndexTitles
  static func row264() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, [String]> = \NSFetchedResultsController<NSManagedObject>.sectionIndexTitles
  }

  // NSFetchedResultsController.sectionNameKeyPath
  static func row265() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, String?> = \NSFetchedResultsController<NSManagedObject>.sectionNameKeyPath
  }

  // NSFetchedResultsController.sections
  static func row266() {
    let _: KeyPath<NSFetchedResultsController<NSManagedObject>, [any NSFetchedResultsSectionInfo]?> = \NSFetchedResultsController<NSManagedObject>.sections
  }

  // NSFetchedResultsControllerDelegate
  static func row267(_ value: any NSFetchedResultsControllerDelegate) {
    _ = value
  }

  // NSFetchedResultsControllerDelegate.controller(_:didChange:at:for:newIndexPath:)
  static func row268(_ owner: any NSFetchedResultsControllerDelegate, _ p0: NSFetchedResultsController<any NSFetchRequestResult>, _ p1: Any, _ p2: IndexPath?, _ p3: NSFetchedResultsChangeType, _ p4: IndexPath?) {
    owner.controller(p0, didChange: p1, at: p2, for: p3, newIndexPath: p4)
  }

  // NSFetchedResultsControllerDelegate.controller(_:didChange:atSectionIndex:for:)
  static func row269(_ owner: any NSFetchedResultsControllerDelegate, _ p0: NSFetchedResultsController<any NSFetchRequestResult>, _ p1: any NSFetchedResultsSectionInfo, _ p2: Int, _ p3: NSFetchedResultsChangeType) {
    owner.controller(p0, didChange: p1, atSectionIndex: p2, for: p3)
  }

  // NSFetchedResultsControllerDelegate.controller(_:didChangeContentWith:)
  static func row270(_ owner: any NSFetchedResultsControllerDelegate, _ p0: NSFetchedResultsController<any NSFetchRequestResult>, _ p1: CollectionDifference<NSManagedObjectID>) {
    owner.controller(p0, didChangeContentWith: p1)
  }

  // NSFetchedResultsControllerDelegate.controller(_:sectionIndexTitleForSectionName:)
  static func row271(_ owner: any NSFetchedResultsControllerDelegate, _ p0: NSFetchedResultsController<any NSFetchRequestResult>, _ p1: String) {
    var value = owner.controller(p0, sectionIndexTitleForSectionName: p1)
    exact(&value, (String?).self)
  }

  // NSFetchedResultsControllerDelegate.controllerDidChangeContent(_:)
  static func row272(_ owner: any NSFetchedResultsControllerDelegate, _ p0: NSFetchedResultsController<any NSFetchRequestResult>) {
    owner.controllerDidChangeContent(p0)
  }

  // NSFetchedResultsControllerDelegate.controllerWillChangeContent(_:)
  static func row273(_ owner: any NSFetchedResultsControllerDelegate, _ p0: NSFetchedResultsController<any NSFetchRequestResult>) {
    owner.controllerWillChangeContent(p0)
  }

  // NSFetchedResultsSectionInfo
  static func row274(_ value: any NSFetchedResultsSectionInfo) {
    _ = value
  }

  // NSFetchedResultsSectionInfo.indexTitle
  static func row275(_ owner: any NSFetchedResultsSectionInfo) {
    var value = owner.indexTitle
    exact(&value, (String?).self)
  }

  // NSFetchedResultsSectionInfo.name
  static func row276(_ owner: any NSFetchedResultsSectionInfo) {
    var value = owner.name
    exact(&value, (String).self)
  }

  // NSFetchedResultsSectionInfo.numberOfObjects
  static func row277(_ owner: any NSFetchedResultsSectionInfo) {
    var value = owner.numberOfObjects
    exact(&value, (Int).self)
  }

  // NSFetchedResultsSectionInfo.objects
  static func row278(_ owner: any NSFetchedResultsSectionInfo) {
    var value = owner.objects
    exact(&value, ([Any]?).self)
  }

  // NSIgnorePersistentStoreVersioningOption
  static func row279() {
    var value = NSIgnorePersistentStoreVersioningOption
    exact(&value, (String).self)
  }

  // NSInMemoryStoreType
  static func row280() {
    var value = NSInMemoryStoreType
    exact(&value, (String).self)
  }

  // NSInferMappingModelAutomaticallyOption
  static func row281() {
    var value = NSInferMappingModelAutomaticallyOption
    exact(&value, (String).self)
  }

  // NSInferredMappingModelError
  static func row282() {
    var value = NSInferredMappingModelError
    exact(&value, (Int).self)
  }

  // NSInsertedObjectIDsKey
  static func row283() {
    var value = NSInsertedObjectIDsKey
    exact(&value, (String).self)
  }

  // NSInsertedObjectsKey
  static func row284() {
    var value = NSInsertedObjectsKey
    exact(&value, (String).self)
  }

  // NSInvalidatedAllObjectsKey
  static func row285() {
    var value = NSInvalidatedAllObjectsKey
    exact(&value, (String).self)
  }

  // NSInvalidatedObjectIDsKey
  static func row286() {
    var value = NSInvalidatedObjectIDsKey
    exact(&value, (String).self)
  }

  // NSInvalidatedObjectsKey
  static func row287() {
    var value = NSInvalidatedObjectsKey
    exact(&value, (String).self)
  }

  // NSManagedObject
  static func row288() {
    let _: NSObject.Type = (NSManagedObject).self
  }

  // NSManagedObject.awake(fromSnapshotEvents:)
  static func row289(_ owner: NSManagedObject, _ p0: NSSnapshotEventType) {
    owner.awake(fromSnapshotEvents: p0)
  }

  // NSManagedObject.awakeFromFetch()
  static func row290(_ owner: NSManagedObject) {
    owner.awakeFromFetch()
  }

  // NSManagedObject.awakeFromInsert()
  static func row291(_ owner: NSManagedObject) {
    owner.awakeFromInsert()
  }

  // NSManagedObject.changedValues()
  static func row292(_ owner: NSManagedObject) {
    var value = owner.changedValues()
    exact(&value, ([String : Any]).self)
  }

  // NSManagedObject.changedValuesForCurrentEvent()
  static func row293(_ owner: NSManagedObject) {
    var value = owner.changedValuesForCurrentEvent()
    exact(&value, ([String : Any]).self)
  }

  // NSManagedObject.committedValues(forKeys:)
  static func row294(_ owner: NSManagedObject, _ p0: [String]?) {
    var value = owner.committedValues(forKeys: p0)
    exact(&value, ([String : Any]).self)
  }

  // NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges
  static func row295() {
    var value = NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges
    exact(&value, (Bool).self)
  }

  // NSManagedObject.didAccessValue(forKey:)
  static func row296(_ owner: NSManagedObject, _ p0: String?) {
    owner.didAccessValue(forKey: p0)
  }

  // NSManagedObject.didChangeValue(forKey:)
  static func row297(_ owner: NSManagedObject, _ p0: String) {
    owner.didChangeValue(forKey: p0)
  }

  // NSManagedObject.didChangeValue(forKey:withSetMutation:using:)
  static func row298(_ owner: NSManagedObject, _ p0: String, _ p1: NSKeyValueSetMutationKind, _ p2: Set<AnyHashable>) {
    owner.didChangeValue(forKey: p0, withSetMutation: p1, using: p2)
  }

  // NSManagedObject.didSave()
  static func row299(_ owner: NSManagedObject) {
    owner.didSave()
  }

  // NSManagedObject.didTurnIntoFault()
  static func row300(_ owner: NSManagedObject) {
    owner.didTurnIntoFault()
  }

  // NSManagedObject.entity
  static func row301() {
    let _: KeyPath<NSManagedObject, NSEntityDescription> = \NSManagedObject.entity
  }

  // NSManagedObject.entity()
  static func row302() {
    var value = NSManagedObject.entity()
    exact(&value, (NSEntityDescription).self)
  }

  // NSManagedObject.faultingState
  static func row303() {
    let _: KeyPath<NSManagedObject, Int> = \NSManagedObject.faultingState
  }

  // NSManagedObject.fetchRequest()
  static func row304() {
    var value = NSManagedObject.fetchRequest()
    exact(&value, (NSFetchRequest<any NSFetchRequestResult>).self)
  }

  // NSManagedObject.hasChanges
  static func row305() {
    let _: KeyPath<NSManagedObject, Bool> = \NSManagedObject.hasChanges
  }

  // NSManagedObject.hasFault(forRelationshipNamed:)
  static func row306(_ owner: NSManagedObject, _ p0: String) {
    var value = owner.hasFault(forRelationshipNamed: p0)
    exact(&value, (Bool).self)
  }

  // NSManagedObject.hasPersistentChangedValues
  static func row307() {
    let _: KeyPath<NSManagedObject, Bool> = \NSManagedObject.hasPersistentChangedValues
  }

  // NSManagedObject.init(context:)
  static func row308(_ p0: NSManagedObjectContext) {
    var value = NSManagedObject(context: p0)
    exact(&value, (NSManagedObject).self)
  }

  // NSManagedObject.init(entity:insertInto:)
  static func row309(_ p0: NSEntityDescription, _ p1: NSManagedObjectContext?) {
    var value = NSManagedObject(entity: p0, insertInto: p1)
    exact(&value, (NSManagedObject).self)
  }

  // NSManagedObject.isDeleted
  static func row310() {
    let _: KeyPath<NSManagedObject, Bool> = \NSManagedObject.isDeleted
  }

  // NSManagedObject.isFault
  static func row311() {
    let _: KeyPath<NSManagedObject, Bool> = \NSManagedObject.isFault
  }

  // NSManagedObject.isInserted
  static func row312() {
    let _: KeyPath<NSManagedObject, Bool> = \NSManagedObject.isInserted
  }

  // NSManagedObject.isUpdated
  static func row313() {
    let _: KeyPath<NSManagedObject, Bool> = \NSManagedObject.isUpdated
  }

  // NSManagedObject.managedObjectContext
  static func row314() {
    let _: KeyPath<NSManagedObject, NSManagedObjectContext?> = \NSManagedObject.managedObjectContext
  }

  // NSManagedObject.objectID
  static func row315() {
    let _: KeyPath<NSManagedObject, NSManagedObjectID> = \NSManagedObject.objectID
  }

  // NSManagedObject.objectIDs(forRelationshipNamed:)
  static func row316(_ owner: NSManagedObject, _ p0: String) {
    var value = owner.objectIDs(forRelationshipNamed: p0)
    exact(&value, ([NSManagedObjectID]).self)
  }

  // NSManagedObject.observationInfo()
  static func row317(_ owner: NSManagedObject) {
    var value = owner.observationInfo()
    exact(&value, (UnsafeMutableRawPointer?).self)
  }

  // NSManagedObject.prepareForDeletion()
  static func row318(_ owner: NSManagedObject) {
    owner.prepareForDeletion()
  }

  // NSManagedObject.primitiveValue(forKey:)
  static func row319(_ owner: NSManagedObject, _ p0: String) {
    var value = owner.primitiveValue(forKey: p0)
    exact(&value, (Any?).self)
  }

  // NSManagedObject.setObservationInfo(_:)
  static func row320(_ owner: NSManagedObject, _ p0: UnsafeMutableRawPointer?) {
    owner.setObservationInfo(p0)
  }

  // NSManagedObject.setPrimitiveValue(_:forKey:)
  static func row321(_ owner: NSManagedObject, _ p0: Any?, _ p1: String) {
    owner.setPrimitiveValue(p0, forKey: p1)
  }

  // NSManagedObject.setValue(_:forKey:)
  static func row322(_ owner: NSManagedObject, _ p0: Any?, _ p1: String) {
    owner.setValue(p0, forKey: p1)
  }

  // NSManagedObject.subscript(_:)
  static func row323(_ owner: NSManagedObject, _ key: String) {
    let value: Any? = owner[key]
    owner[key] = value
  }

  // NSManagedObject.validateForDelete()
  static func row324(_ owner: NSManagedObject) throws {
    try owner.validateForDelete()
  }

  // NSManagedObject.validateForInsert()
  static func row325(_ owner: NSManagedObject) throws {
    try owner.validateForInsert()
  }

  // NSManagedObject.validateForUpdate()
  static func row326(_ owner: NSManagedObject) throws {
    try owner.validateForUpdate()
  }

  // NSManagedObject.value(forKey:)
  static func row328(_ owner: NSManagedObject, _ p0: String) {
    var value = owner.value(forKey: p0)
    exact(&value, (Any?).self)
  }

  // NSManagedObject.willAccessValue(forKey:)
  static func row329(_ owner: NSManagedObject, _ p0: String?) {
    owner.willAccessValue(forKey: p0)
  }

  // NSManagedObject.willChangeValue(forKey:)
  static func row330(_ owner: NSManagedObject, _ p0: String) {
    owner.willChangeValue(forKey: p0)
  }

  // NSManagedObject.willChangeValue(forKey:withSetMutation:using:)
  static func row331(_ owner: NSManagedObject, _ p0: String, _ p1: NSKeyValueSetMutationKind, _ p2: Set<AnyHashable>) {
    owner.willChangeValue(forKey: p0, withSetMutation: p1, using: p2)
  }

  // NSManagedObject.willSave()
  static func row332(_ owner: NSManagedObject) {
    owner.willSave()
  }

  // NSManagedObject.willTurnIntoFault()
  static func row333(_ owner: NSManagedObject) {
    owner.willTurnIntoFault()
  }

  // NSManagedObjectConstraintMergeError
  static func row334() {
    var value = NSManagedObjectConstraintMergeError
    exact(&value, (Int).self)
  }

  // NSManagedObjectConstraintValidationError
  static func row335() {
    var value = NSManagedObjectConstraintValidationError
    exact(&value, (Int).self)
  }

  // NSManagedObjectContext
  static func row336() {
    let _: NSObject.Type = (NSManagedObjectContext).self
    sendable((NSManagedObjectContext).self)
  }

  // NSManagedObjectContext.ConcurrencyType
  static func row337() {
    let _: any Hashable.Type = (NSManagedObjectContext.ConcurrencyType).self
    sendable((NSManagedObjectContext.ConcurrencyType).self)
  }

  // NSManagedObjectContext.ConcurrencyType.mainQueue
  static func row338() {
    var value = NSManagedObjectContext.ConcurrencyType.mainQueue
    exact(&value, (NSManagedObjectContext.ConcurrencyType).self)
  }

  // NSManagedObjectContext.ConcurrencyType.privateQueue
  static func row339() {
    var value = NSManagedObjectContext.ConcurrencyType.privateQueue
    exact(&value, (NSManagedObjectContext.ConcurrencyType).self)
  }

  // NSManagedObjectContext.NotificationKey
  static func row340() {
    _ = (NSManagedObjectContext.NotificationKey).self
  }

  // NSManagedObjectContext.NotificationKey.deletedObjectIDs
  static func row341() {
    var value = NSManagedObjectContext.NotificationKey.deletedObjectIDs
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.deletedObjects
  static func row342() {
    var value = NSManagedObjectContext.NotificationKey.deletedObjects
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.insertedObjectIDs
  static func row343() {
    var value = NSManagedObjectContext.NotificationKey.insertedObjectIDs
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.insertedObjects
  static func row344() {
    var value = NSManagedObjectContext.NotificationKey.insertedObjects
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.invalidatedAllObjects
  static func row345() {
    var value = NSManagedObjectContext.NotificationKey.invalidatedAllObjects
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.invalidatedObjectIDs
  static func row346() {
    var value = NSManagedObjectContext.NotificationKey.invalidatedObjectIDs
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.invalidatedObjects
  static func row347() {
    var value = NSManagedObjectContext.NotificationKey.invalidatedObjects
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.queryGeneration
  static func row348() {
    var value = NSManagedObjectContext.NotificationKey.queryGeneration
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.refreshedObjectIDs
  static func row349() {
    var value = NSManagedObjectContext.NotificationKey.refreshedObjectIDs
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.refreshedObjects
  static func row350() {
    var value = NSManagedObjectContext.NotificationKey.refreshedObjects
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.updatedObjectIDs
  static func row351() {
    var value = NSManagedObjectContext.NotificationKey.updatedObjectIDs
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.NotificationKey.updatedObjects
  static func row352() {
    var value = NSManagedObjectContext.NotificationKey.updatedObjects
    exact(&value, (NSManagedObjectContext.NotificationKey).self)
  }

  // NSManagedObjectContext.ScheduledTaskType
  static func row353() {
    _ = (NSManagedObjectContext.ScheduledTaskType).self
  }

  // NSManagedObjectContext.ScheduledTaskType.enqueued
  static func row354() {
    var value = NSManagedObjectContext.ScheduledTaskType.enqueued
    exact(&value, (NSManagedObjectContext.ScheduledTaskType).self)
  }

  // NSManagedObjectContext.ScheduledTaskType.immediate
  static func row355() {
    var value = NSManagedObjectContext.ScheduledTaskType.immediate
    exact(&value, (NSManagedObjectContext.ScheduledTaskType).self)
  }

  // NSManagedObjectContext.assign(_:to:)
  static func row356(_ owner: NSManagedObjectContext, _ p0: Any, _ p1: NSPersistentStore) {
    owner.assign(p0, to: p1)
  }

  // NSManagedObjectContext.automaticallyMergesChangesFromParent
  static func row357() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, Bool> = \NSManagedObjectContext.automaticallyMergesChangesFromParent
  }

  // NSManagedObjectContext.concurrencyType
  static func row358() {
    let _: KeyPath<NSManagedObjectContext, NSManagedObjectContextConcurrencyType> = \NSManagedObjectContext.concurrencyType
  }

  // NSManagedObjectContext.count(for:)
  static func row359(_ owner: NSManagedObjectContext, _ p0: NSFetchRequest<NSManagedObject>) throws {
    var value = try owner.count(for: p0)
    exact(&value, (Int).self)
  }

  // NSManagedObjectContext.count(for:)
  static func row360(_ owner: NSManagedObjectContext, _ p0: NSFetchRequest<any NSFetchRequestResult>) throws {
    var value = try owner.count(for: p0)
    exact(&value, (Int).self)
  }

  // NSManagedObjectContext.delete(_:)
  static func row361(_ owner: NSManagedObjectContext, _ p0: NSManagedObject) {
    owner.delete(p0)
  }

  // NSManagedObjectContext.deletedObjects
  static func row362() {
    let _: KeyPath<NSManagedObjectContext, Set<NSManagedObject>> = \NSManagedObjectContext.deletedObjects
  }

  // NSManagedObjectContext.detectConflicts(for:)
  static func row363(_ owner: NSManagedObjectContext, _ p0: NSManagedObject) {
    owner.detectConflicts(for: p0)
  }

  // NSManagedObjectContext.didChangeObjectsNotification
  static func row364() {
    var value = NSManagedObjectContext.didChangeObjectsNotification
    exact(&value, (Notification.Name).self)
  }

  // NSManagedObjectContext.didMergeChangesObjectIDsNotification
  static func row365() {
    var value = NSManagedObjectContext.didMergeChangesObjectIDsNotification
    exact(&value, (Notification.Name).self)
  }

  // NSManagedObjectContext.didSaveObjectIDsNotification
  static func row366() {
    var value = NSManagedObjectContext.didSaveObjectIDsNotification
    exact(&value, (Notification.Name).self)
  }

  // NSManagedObjectContext.didSaveObjectsNotification
  static func row367() {
    var value = NSManagedObjectContext.didSaveObjectsNotification
    exact(&value, (Notification.Name).self)
  }

  // NSManagedObjectContext.execute(_:)
  static func row368(_ owner: NSManagedObjectContext, _ p0: NSPersistentStoreRequest) throws {
    var value = try owner.execute(p0)
    exact(&value, (NSPersistentStoreResult).self)
  }

  // NSManagedObjectContext.existingObject(with:)
  static func row369(_ owner: NSManagedObjectContext, _ p0: NSManagedObjectID) throws {
    var value = try owner.existingObject(with: p0)
    exact(&value, (NSManagedObject).self)
  }

  // NSManagedObjectContext.fetch(_:)
  static func row370(_ owner: NSManagedObjectContext, _ p0: NSFetchRequest<any NSFetchRequestResult>) throws {
    var value = try owner.fetch(p0)
    exact(&value, ([Any]).self)
  }

  // NSManagedObjectContext.fetch(_:)
  static func row371(_ owner: NSManagedObjectContext, _ p0: NSFetchRequest<NSManagedObject>) throws {
    var value = try owner.fetch(p0)
    exact(&value, ([NSManagedObject]).self)
  }

  // NSManagedObjectContext.hasChanges
  static func row372() {
    let _: KeyPath<NSManagedObjectContext, Bool> = \NSManagedObjectContext.hasChanges
  }

  // NSManagedObjectContext.init()
  @available(*, deprecated)
  static func row373() {
    var value = NSManagedObjectContext()
    exact(&value, (NSManagedObjectContext).self)
  }

  // NSManagedObjectContext.init(_:)
  static func row374(_ p0: NSManagedObjectContext.ConcurrencyType) {
    var value = NSManagedObjectContext(p0)
    exact(&value, (NSManagedObjectContext).self)
  }

  // NSManagedObjectContext.init(concurrencyType:)
  @available(*, deprecated)
  static func row375(_ p0: NSManagedObjectContextConcurrencyType) {
    var value = NSManagedObjectContext(concurrencyType: p0)
    exact(&value, (NSManagedObjectContext).self)
  }

  // NSManagedObjectContext.insert(_:)
  static func row376(_ owner: NSManagedObjectContext, _ p0: NSManagedObject) {
    owner.insert(p0)
  }

  // NSManagedObjectContext.insertedObjects
  static func row377() {
    let _: KeyPath<NSManagedObjectContext, Set<NSManagedObject>> = \NSManagedObjectContext.insertedObjects
  }

  // NSManagedObjectContext.lock()
  @available(*, deprecated)
  static func row378(_ owner: NSManagedObjectContext) {
    owner.lock()
  }

  // NSManagedObjectContext.mergeChanges(fromContextDidSave:)
  static func row379(_ owner: NSManagedObjectContext, _ p0: Notification) {
    owner.mergeChanges(fromContextDidSave: p0)
  }

  // NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)
  static func row380(_ p0: [AnyHashable : Any], _ p1: [NSManagedObjectContext]) {
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: p0, into: p1)
  }

  // NSManagedObjectContext.mergePolicy
  static func row381() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, Any> = \NSManagedObjectContext.mergePolicy
  }

  // NSManagedObjectContext.name
  static func row382() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, String?> = \NSManagedObjectContext.name
  }

  // NSManagedObjectContext.new()
  @available(*, deprecated)
  static func row383() {
    var value = NSManagedObjectContext.new()
    exact(&value, (NSManagedObjectContext).self)
  }

  // NSManagedObjectContext.object(with:)
  static func row384(_ owner: NSManagedObjectContext, _ p0: NSManagedObjectID) {
    var value = owner.object(with: p0)
    exact(&value, (NSManagedObject).self)
  }

  // NSManagedObjectContext.observeValue(forKeyPath:of:change:context:)
  static func row385(_ owner: NSManagedObjectContext, _ p0: String?, _ p1: Any?, _ p2: [String : Any]?, _ p3: UnsafeMutableRawPointer?) {
    owner.observeValue(forKeyPath: p0, of: p1, change: p2, context: p3)
  }

  // NSManagedObjectContext.obtainPermanentIDs(for:)
  static func row386(_ owner: NSManagedObjectContext, _ p0: [NSManagedObject]) throws {
    try owner.obtainPermanentIDs(for: p0)
  }

  // NSManagedObjectContext.parent
  static func row387() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, NSManagedObjectContext?> = \NSManagedObjectContext.parent
  }

  // NSManagedObjectContext.perform(_:)
  static func row388(_ owner: NSManagedObjectContext, _ p0: @escaping () -> Void) {
    owner.perform(p0)
  }

  // NSManagedObjectContext.perform(schedule:_:)
  static func row389<T>(_ owner: NSManagedObjectContext, _ p0: NSManagedObjectContext.ScheduledTaskType, _ p1: @escaping () throws -> T) async throws {
    var value = try await owner.perform(schedule: p0, p1)
    exact(&value, (T).self)
    var short = try await owner.perform(p1)
    exact(&short, (T).self)
  }

  // NSManagedObjectContext.performAndWait(_:)
  static func row390<T>(_ owner: NSManagedObjectContext, _ p0: () throws -> T) throws {
    var value = try owner.performAndWait(p0)
    exact(&value, (T).self)
  }

  // NSManagedObjectContext.performAndWait(_:)
  static func row391(_ owner: NSManagedObjectContext, _ p0: () -> Void) {
    owner.performAndWait(p0)
  }

  // NSManagedObjectContext.persistentStoreCoordinator
  static func row392() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, NSPersistentStoreCoordinator?> = \NSManagedObjectContext.persistentStoreCoordinator
  }

  // NSManagedObjectContext.processPendingChanges()
  static func row393(_ owner: NSManagedObjectContext) {
    owner.processPendingChanges()
  }

  // NSManagedObjectContext.propagatesDeletesAtEndOfEvent
  static func row394() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, Bool> = \NSManagedObjectContext.propagatesDeletesAtEndOfEvent
  }

  // NSManagedObjectContext.queryGenerationToken
  static func row395() {
    let _: KeyPath<NSManagedObjectContext, NSQueryGenerationToken?> = \NSManagedObjectContext.queryGenerationToken
  }

  // NSManagedObjectContext.redo()
  static func row396(_ owner: NSManagedObjectContext) {
    owner.redo()
  }

  // NSManagedObjectContext.refresh(_:mergeChanges:)
  static func row397(_ owner: NSManagedObjectContext, _ p0: NSManagedObject, _ p1: Bool) {
    owner.refresh(p0, mergeChanges: p1)
  }

  // NSManagedObjectContext.refreshAllObjects()
  static func row398(_ owner: NSManagedObjectContext) {
    owner.refreshAllObjects()
  }

  // NSManagedObjectContext.registeredObject(for:)
  static func row399(_ owner: NSManagedObjectContext, _ p0: NSManagedObjectID) {
    var value = owner.registeredObject(for: p0)
    exact(&value, (NSManagedObject?).self)
  }

  // NSManagedObjectContext.registeredObjects
  static func row400() {
    let _: KeyPath<NSManagedObjectContext, Set<NSManagedObject>> = \NSManagedObjectContext.registeredObjects
  }

  // NSManagedObjectContext.reset()
  static func row401(_ owner: NSManagedObjectContext) {
    owner.reset()
  }

  // NSManagedObjectContext.retainsRegisteredObjects
  static func row402() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, Bool> = \NSManagedObjectContext.retainsRegisteredObjects
  }

  // NSManagedObjectContext.rollback()
  static func row403(_ owner: NSManagedObjectContext) {
    owner.rollback()
  }

  // NSManagedObjectContext.save()
  static func row404(_ owner: NSManagedObjectContext) throws {
    try owner.save()
  }

  // NSManagedObjectContext.setQueryGenerationFrom(_:)
  static func row405(_ owner: NSManagedObjectContext, _ p0: NSQueryGenerationToken?) throws {
    try owner.setQueryGenerationFrom(p0)
  }

  // NSManagedObjectContext.shouldDeleteInaccessibleFaults
  static func row406() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, Bool> = \NSManagedObjectContext.shouldDeleteInaccessibleFaults
  }

  // NSManagedObjectContext.shouldHandleInaccessibleFault(_:for:triggeredByProperty:)
  static func row407(_ owner: NSManagedObjectContext, _ p0: NSManagedObject, _ p1: NSManagedObjectID, _ p2: NSPropertyDescription?) {
    var value = owner.shouldHandleInaccessibleFault(p0, for: p1, triggeredByProperty: p2)
    exact(&value, (Bool).self)
  }

  // NSManagedObjectContext.stalenessInterval
  static func row408() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, TimeInterval> = \NSManagedObjectContext.stalenessInterval
  }

  // NSManagedObjectContext.transactionAuthor
  static func row409() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, String?> = \NSManagedObjectContext.transactionAuthor
  }

  // NSManagedObjectContext.tryLock()
  @available(*, deprecated)
  static func row410(_ owner: NSManagedObjectContext) {
    var value = owner.tryLock()
    exact(&value, (Bool).self)
  }

  // NSManagedObjectContext.undo()
  static func row411(_ owner: NSManagedObjectContext) {
    owner.undo()
  }

  // NSManagedObjectContext.undoManager
  static func row412() {
    let _: ReferenceWritableKeyPath<NSManagedObjectContext, UndoManager?> = \NSManagedObjectContext.undoManager
  }

  // NSManagedObjectContext.unlock()
  @available(*, deprecated)
  static func row413(_ owner: NSManagedObjectContext) {
    owner.unlock()
  }

  // NSManagedObjectContext.updatedObjects
  static func row414() {
    let _: KeyPath<NSManagedObjectContext, Set<NSManagedObject>> = \NSManagedObjectContext.updatedObjects
  }

  // NSManagedObjectContext.userInfo
  static func row415() {
    let _: KeyPath<NSManagedObjectContext, NSMutableDictionary> = \NSManagedObjectContext.userInfo
  }

  // NSManagedObjectContext.willSaveObjectsNotification
  static func row416() {
    var value = NSManagedObjectContext.willSaveObjectsNotification
    exact(&value, (Notification.Name).self)
  }

  // NSManagedObjectContextConcurrencyType
  static func row417() {
    _ = (NSManagedObjectContextConcurrencyType).self
  }

  // NSManagedObjectContextConcurrencyType.confinementConcurrencyType
  @available(*, deprecated)
  static func row418() {
    var value = NSManagedObjectContextConcurrencyType.confinementConcurrencyType
    exact(&value, (NSManagedObjectContextConcurrencyType).self)
  }

  // NSManagedObjectContextConcurrencyType.init(rawValue:)
  static func row419(_ p0: UInt) {
    var value = NSManagedObjectContextConcurrencyType(rawValue: p0)
    exact(&value, (NSManagedObjectContextConcurrencyType?).self)
  }

  // NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType
  static func row420() {
    var value = NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType
    exact(&value, (NSManagedObjectContextConcurrencyType).self)
  }

  // NSManagedObjectContextConcurrencyType.privateQueueConcurrencyType
  static func row421() {
    var value = NSManagedObjectContextConcurrencyType.privateQueueConcurrencyType
    exact(&value, (NSManagedObjectContextConcurrencyType).self)
  }

  // NSManagedObjectContextLockingError
  static func row422() {
    var value = NSManagedObjectContextLockingError
    exact(&value, (Int).self)
  }

  // NSManagedObjectContextQueryGenerationKey
  static func row423() {
    var value = NSManagedObjectContextQueryGenerationKey
    exact(&value, (String).self)
  }

  // NSManagedObjectExternalRelationshipError
  static func row424() {
    var value = NSManagedObjectExternalRelationshipError
    exact(&value, (Int).self)
  }

  // NSManagedObjectID
  static func row425() {
    let _: NSObject.Type = (NSManagedObjectID).self
    let _: any NSCopying.Type = (NSManagedObjectID).self
    sendable((NSManagedObjectID).self)
  }

  // NSManagedObjectID.entity
  static func row426() {
    let _: KeyPath<NSManagedObjectID, NSEntityDescription> = \NSManagedObjectID.entity
  }

  // NSManagedObjectID.isTemporaryID
  static func row427() {
    let _: KeyPath<NSManagedObjectID, Bool> = \NSManagedObjectID.isTemporaryID
  }

  // NSManagedObjectID.persistentStore
  static func row428() {
    let _: KeyPath<NSManagedObjectID, NSPersistentStore?> = \NSManagedObjectID.persistentStore
  }

  // NSManagedObjectID.uriRepresentation()
  static func row429(_ owner: NSManagedObjectID) {
    var value = owner.uriRepresentation()
    exact(&value, (URL).self)
  }

  // NSManagedObjectMergeError
  static func row430() {
    var value = NSManagedObjectMergeError
    exact(&value, (Int).self)
  }

  // NSManagedObjectModel
  static func row431() {
    let _: NSObject.Type = (NSManagedObjectModel).self
    let _: any NSCopying.Type = (NSManagedObjectModel).self
  }

  // NSManagedObjectModel.configurations
  static func row432() {
    let _: KeyPath<NSManagedObjectModel, [String]> = \NSManagedObjectModel.configurations
  }

  // NSManagedObjectModel.entities
  static func row433() {
    let _: ReferenceWritableKeyPath<NSManagedObjectModel, [NSEntityDescription]> = \NSManagedObjectModel.entities
  }

  // NSManagedObjectModel.entities(forConfigurationName:)
  static func row434(_ owner: NSManagedObjectModel, _ p0: String?) {
    var value = owner.entities(forConfigurationName: p0)
    exact(&value, ([NSEntityDescription]?).self)
  }

  // NSManagedObjectModel.entitiesByName
  static func row435() {
    let _: KeyPath<NSManagedObjectModel, [String : NSEntityDescription]> = \NSManagedObjectModel.entitiesByName
  }

  // NSManagedObjectModel.entityVersionHashesByName
  static func row436() {
    let _: KeyPath<NSManagedObjectModel, [String : Data]> = \NSManagedObjectModel.entityVersionHashesByName
  }

  // NSManagedObjectModel.fetchRequestFromTemplate(withName:substitutionVariables:)
  static func row437(_ owner: NSManagedObjectModel, _ p0: String, _ p1: [String : Any]) {
    var value = owner.fetchRequestFromTemplate(withName: p0, substitutionVariables: p1)
    exact(&value, (NSFetchRequest<any NSFetchRequestResult>?).self)
  }

  // NSManagedObjectModel.fetchRequestTemplate(forName:)
  static func row438(_ owner: NSManagedObjectModel, _ p0: String) {
    var value = owner.fetchRequestTemplate(forName: p0)
    exact(&value, (NSFetchRequest<any NSFetchRequestResult>?).self)
  }

  // NSManagedObjectModel.fetchRequestTemplatesByName
  static func row439() {
    let _: KeyPath<NSManagedObjectModel, [String : NSFetchRequest<any NSFetchRequestResult>]> = \NSManagedObjectModel.fetchRequestTemplatesByName
  }

  // NSManagedObjectModel.init()
  static func row440() {
    var value = NSManagedObjectModel()
    exact(&value, (NSManagedObjectModel).self)
  }

  // NSManagedObjectModel.init(byMerging:)
  static func row441(_ p0: [NSManagedObjectModel]?) {
    var value = NSManagedObjectModel(byMerging: p0)
    exact(&value, (NSManagedObjectModel?).self)
  }

  // NSManagedObjectModel.init(byMerging:forStoreMetadata:)
  static func row442(_ p0: [NSManagedObjectModel], _ p1: [String : Any]) {
    var value = NSManagedObjectModel(byMerging: p0, forStoreMetadata: p1)
    exact(&value, (NSManagedObjectModel?).self)
  }

  // NSManagedObjectModel.init(contentsOf:)
  static func row443(_ p0: URL) {
    var value = NSManagedObjectModel(contentsOf: p0)
    exact(&value, (NSManagedObjectModel?).self)
  }

  // NSManagedObjectModel.isConfiguration(withName:compatibleWithStoreMetadata:)
  static func row444(_ owner: NSManagedObjectModel, _ p0: String?, _ p1: [String : Any]) {
    var value = owner.isConfiguration(withName: p0, compatibleWithStoreMetadata: p1)
    exact(&value, (Bool).self)
  }

  // NSManagedObjectModel.localizationDictionary
  static func row445() {
    let _: ReferenceWritableKeyPath<NSManagedObjectModel, [String : String]?> = \NSManagedObjectModel.localizationDictionary
  }

  // NSManagedObjectModel.mergedModel(from:)
  static func row447(_ p0: [Bundle]?) {
    var value = NSManagedObjectModel.mergedModel(from: p0)
    exact(&value, (NSManagedObjectModel?).self)
  }

  // NSManagedObjectModel.mergedModel(from:forStoreMetadata:)
  static func row448(_ p0: [Bundle]?, _ p1: [String : Any]) {
    var value = NSManagedObjectModel.mergedModel(from: p0, forStoreMetadata: p1)
    exact(&value, (NSManagedObjectModel?).self)
  }

  // NSManagedObjectModel.setEntities(_:forConfigurationName:)
  static func row449(_ owner: NSManagedObjectModel, _ p0: [NSEntityDescription], _ p1: String) {
    owner.setEntities(p0, forConfigurationName: p1)
  }

  // NSManagedObjectModel.setFetchRequestTemplate(_:forName:)
  static func row450(_ owner: NSManagedObjectModel, _ p0: NSFetchRequest<any NSFetchRequestResult>?, _ p1: String) {
    owner.setFetchRequestTemplate(p0, forName: p1)
  }

  // NSManagedObjectModel.versionChecksum
  static func row451() {
    let _: KeyPath<NSManagedObjectModel, String> = \NSManagedObjectModel.versionChecksum
  }

  // NSManagedObjectModel.versionIdentifiers
  static func row452() {
    let _: ReferenceWritableKeyPath<NSManagedObjectModel, Set<AnyHashable>> = \NSManagedObjectModel.versionIdentifiers
  }

  // NSManagedObjectReferentialIntegrityError
  static func row453() {
    var value = NSManagedObjectReferentialIntegrityError
    exact(&value, (Int).self)
  }

  // NSManagedObjectValidationError
  static func row454() {
    var value = NSManagedObjectValidationError
    exact(&value, (Int).self)
  }

  // NSMergeByPropertyObjectTrumpMergePolicy
  static func row455() {
    var value = NSMergeByPropertyObjectTrumpMergePolicy
    exact(&value, (AnyObject).self)
  }

  // NSMergeByPropertyStoreTrumpMergePolicy
  static func row456() {
    var value = NSMergeByPropertyStoreTrumpMergePolicy
    exact(&value, (AnyObject).self)
  }

  // NSMergeConflict
  static func row457() {
    let _: NSObject.Type = (NSMergeConflict).self
  }

  // NSMergeConflict.cachedSnapshot
  static func row458() {
    let _: KeyPath<NSMergeConflict, [String : Any]?> = \NSMergeConflict.cachedSnapshot
  }

  // NSMergeConflict.init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:)
  static func row459(_ p0: NSManagedObject, _ p1: Int, _ p2: Int, _ p3: [String : Any]?, _ p4: [String : Any]?) {
    var value = NSMergeConflict(source: p0, newVersion: p1, oldVersion: p2, cachedSnapshot: p3, persistedSnapshot: p4)
    exact(&value, (NSMergeConflict).self)
  }

  // NSMergeConflict.newVersionNumber
  static func row460() {
    let _: KeyPath<NSMergeConflict, Int> = \NSMergeConflict.newVersionNumber
  }

  // NSMergeConflict.objectSnapshot
  static func row461() {
    let _: KeyPath<NSMergeConflict, [String : Any]?> = \NSMergeConflict.objectSnapshot
  }

  // NSMergeConflict.oldVersionNumber
  static func row462() {
    let _: KeyPath<NSMergeConflict, Int> = \NSMergeConflict.oldVersionNumber
  }

  // NSMergeConflict.persistedSnapshot
  static func row463() {
    let _: KeyPath<NSMergeConflict, [String : Any]?> = \NSMergeConflict.persistedSnapshot
  }

  // NSMergeConflict.sourceObject
  static func row464() {
    let _: KeyPath<NSMergeConflict, NSManagedObject> = \NSMergeConflict.sourceObject
  }

  // NSMergePolicy
  static func row465() {
    let _: NSObject.Type = (NSMergePolicy).self
  }

  // NSMergePolicy.error
  static func row466() {
    var value = NSMergePolicy.error
    exact(&value, (NSMergePolicy).self)
  }

  // NSMergePolicy.init(merge:)
  static func row467(_ p0: NSMergePolicyType) {
    var value = NSMergePolicy(merge: p0)
    exact(&value, (NSMergePolicy).self)
  }

  // NSMergePolicy.mergeByPropertyObjectTrump
  static func row468() {
    var value = NSMergePolicy.mergeByPropertyObjectTrump
    exact(&value, (NSMergePolicy).self)
  }

  // NSMergePolicy.mergeByPropertyStoreTrump
  static func row469() {
    var value = NSMergePolicy.mergeByPropertyStoreTrump
    exact(&value, (NSMergePolicy).self)
  }

  // NSMergePolicy.mergeType
  static func row470() {
    let _: KeyPath<NSMergePolicy, NSMergePolicyType> = \NSMergePolicy.mergeType
  }

  // NSMergePolicy.overwrite
  static func row471() {
    var value = NSMergePolicy.overwrite
    exact(&value, (NSMergePolicy).self)
  }

  // NSMergePolicy.resolve(constraintConflicts:)
  static func row472(_ owner: NSMergePolicy, _ p0: [NSConstraintConflict]) throws {
    try owner.resolve(constraintConflicts: p0)
  }

  // NSMergePolicy.resolve(mergeConflicts:)
  static func row473(_ owner: NSMergePolicy, _ p0: [Any]) throws {
    try owner.resolve(mergeConflicts: p0)
  }

  // NSMergePolicy.resolve(optimisticLockingConflicts:)
  static func row474(_ owner: NSMergePolicy, _ p0: [NSMergeConflict]) throws {
    try owner.resolve(optimisticLockingConflicts: p0)
  }

  // NSMergePolicy.rollback
  static func row475() {
    var value = NSMergePolicy.rollback
    exact(&value, (NSMergePolicy).self)
  }

  // NSMergePolicyType
  static func row476() {
    _ = (NSMergePolicyType).self
  }

  // NSMergePolicyType.errorMergePolicyType
  static func row477() {
    var value = NSMergePolicyType.errorMergePolicyType
    exact(&value, (NSMergePolicyType).self)
  }

  // NSMergePolicyType.init(rawValue:)
  static func row478(_ p0: UInt) {
    var value = NSMergePolicyType(rawValue: p0)
    exact(&value, (NSMergePolicyType?).self)
  }

  // NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType
  static func row479() {
    var value = NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType
    exact(&value, (NSMergePolicyType).self)
  }

  // NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType
  static func row480() {
    var value = NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType
    exact(&value, (NSMergePolicyType).self)
  }

  // NSMergePolicyType.overwriteMergePolicyType
  static func row481() {
    var value = NSMergePolicyType.overwriteMergePolicyType
    exact(&value, (NSMergePolicyType).self)
  }

  // NSMergePolicyType.rollbackMergePolicyType
  static func row482() {
    var value = NSMergePolicyType.rollbackMergePolicyType
    exact(&value, (NSMergePolicyType).self)
  }

  // NSMigratePersistentStoresAutomaticallyOption
  static func row483() {
    var value = NSMigratePersistentStoresAutomaticallyOption
    exact(&value, (String).self)
  }

  // NSOverwriteMergePolicy
  static func row486() {
    var value = NSOverwriteMergePolicy
    exact(&value, (AnyObject).self)
  }

  // NSPersistentCloudKitContainer
  static func row487() {
    let _: NSPersistentContainer.Type = (NSPersistentCloudKitContainer).self
  }

  // NSPersistentCloudKitContainer.Event
  static func row488() {
    let _: NSObject.Type = (NSPersistentCloudKitContainer.Event).self
    let _: any NSCopying.Type = (NSPersistentCloudKitContainer.Event).self
  }

  // NSPersistentCloudKitContainer.Event.endDate
  static func row489() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, Date?> = \NSPersistentCloudKitContainer.Event.endDate
  }

  // NSPersistentCloudKitContainer.Event.error
  static func row490() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, (any Error)?> = \NSPersistentCloudKitContainer.Event.error
  }

  // NSPersistentCloudKitContainer.Event.identifier
  static func row491() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, UUID> = \NSPersistentCloudKitContainer.Event.identifier
  }

  // NSPersistentCloudKitContainer.Event.startDate
  static func row492() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, Date> = \NSPersistentCloudKitContainer.Event.startDate
  }

  // NSPersistentCloudKitContainer.Event.storeIdentifier
  static func row493() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, String> = \NSPersistentCloudKitContainer.Event.storeIdentifier
  }

  // NSPersistentCloudKitContainer.Event.succeeded
  static func row494() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, Bool> = \NSPersistentCloudKitContainer.Event.succeeded
  }

  // NSPersistentCloudKitContainer.Event.type
  static func row495() {
    let _: KeyPath<NSPersistentCloudKitContainer.Event, NSPersistentCloudKitContainer.EventType> = \NSPersistentCloudKitContainer.Event.type
  }

  // NSPersistentCloudKitContainer.EventType
  static func row496() {
    _ = (NSPersistentCloudKitContainer.EventType).self
  }

  // NSPersistentCloudKitContainer.EventType.export
  static func row497() {
    var value = NSPersistentCloudKitContainer.EventType.export
    exact(&value, (NSPersistentCloudKitContainer.EventType).self)
  }

  // NSPersistentCloudKitContainer.EventType.import
  static func row498() {
    var value = NSPersistentCloudKitContainer.EventType.import
    exact(&value, (NSPersistentCloudKitContainer.EventType).self)
  }

  // NSPersistentCloudKitContainer.EventType.init(rawValue:)
  static func row499(_ p0: Int) {
    var value = NSPersistentCloudKitContainer.EventType(rawValue: p0)
    exact(&value, (NSPersistentCloudKitContainer.EventType?).self)
  }

  // NSPersistentCloudKitContainer.EventType.setup
  static func row500() {
    var value = NSPersistentCloudKitContainer.EventType.setup
    exact(&value, (NSPersistentCloudKitContainer.EventType).self)
  }

  // NSPersistentCloudKitContainer.acceptShareInvitations(from:into:)
  static func row501(_ owner: NSPersistentCloudKitContainer, _ p0: [CKShare.Metadata], _ p1: NSPersistentStore) async throws {
    var value = try await owner.acceptShareInvitations(from: p0, into: p1)
    exact(&value, ([CKShare.Metadata]).self)
  }

  // NSPersistentCloudKitContainer.acceptShareInvitations(from:into:completion:)
  static func row502(_ owner: NSPersistentCloudKitContainer, _ p0: [CKShare.Metadata], _ p1: NSPersistentStore, _ p2: (([CKShare.Metadata]?, (any Error)?) -> Void)?) {
    owner.acceptShareInvitations(from: p0, into: p1, completion: p2)
    owner.acceptShareInvitations(from: p0, into: p1)
  }

  // NSPersistentCloudKitContainer.canDeleteRecord(forManagedObjectWith:)
  static func row503(_ owner: NSPersistentCloudKitContainer, _ p0: NSManagedObjectID) {
    var value = owner.canDeleteRecord(forManagedObjectWith: p0)
    exact(&value, (Bool).self)
  }

  // NSPersistentCloudKitContainer.canModifyManagedObjects(in:)
  static func row504(_ owner: NSPersistentCloudKitContainer, _ p0: NSPersistentStore) {
    var value = owner.canModifyManagedObjects(in: p0)
    exact(&value, (Bool).self)
  }

  // NSPersistentCloudKitContainer.canUpdateRecord(forManagedObjectWith:)
  static func row505(_ owner: NSPersistentCloudKitContainer, _ p0: NSManagedObjectID) {
    var value = owner.canUpdateRecord(forManagedObjectWith: p0)
    exact(&value, (Bool).self)
  }

  // NSPersistentCloudKitContainer.eventChangedNotification
  static func row506() {
    var value = NSPersistentCloudKitContainer.eventChangedNotification
    exact(&value, (NSNotification.Name).self)
  }

  // NSPersistentCloudKitContainer.eventNotificationUserInfoKey
  static func row507() {
    var value = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
    exact(&value, (String).self)
  }

  // NSPersistentCloudKitContainer.fetchParticipants(matching:into:)
  static func row508(_ owner: NSPersistentCloudKitContainer, _ p0: [CKUserIdentity.LookupInfo], _ p1: NSPersistentStore) async throws {
    var value = try await owner.fetchParticipants(matching: p0, into: p1)
    exact(&value, ([CKShare.Participant]).self)
  }

  // NSPersistentCloudKitContainer.fetchParticipants(matching:into:completion:)
  static func row509(_ owner: NSPersistentCloudKitContainer, _ p0: [CKUserIdentity.LookupInfo], _ p1: NSPersistentStore, _ p2: @escaping ([CKShare.Participant]?, (any Error)?) -> Void) {
    owner.fetchParticipants(matching: p0, into: p1, completion: p2)
  }

  // NSPersistentCloudKitContainer.fetchShares(in:)
  static func row510(_ owner: NSPersistentCloudKitContainer, _ p0: NSPersistentStore?) throws {
    var value = try owner.fetchShares(in: p0)
    exact(&value, ([CKShare]).self)
  }

  // NSPersistentCloudKitContainer.fetchShares(matching:)
  static func row511(_ owner: NSPersistentCloudKitContainer, _ p0: [NSManagedObjectID]) throws {
    var value = try owner.fetchShares(matching: p0)
    exact(&value, ([NSManagedObjectID : CKShare]).self)
  }

  // NSPersistentCloudKitContainer.initializeCloudKitSchema(options:)
  static func row512(_ owner: NSPersistentCloudKitContainer, _ p0: NSPersistentCloudKitContainerSchemaInitializationOptions) throws {
    try owner.initializeCloudKitSchema(options: p0)
    try owner.initializeCloudKitSchema()
  }

  // NSPersistentCloudKitContainer.persistUpdatedShare(_:in:)
  static func row513(_ owner: NSPersistentCloudKitContainer, _ p0: CKShare, _ p1: NSPersistentStore) async throws {
    var value = try await owner.persistUpdatedShare(p0, in: p1)
    exact(&value, (CKShare).self)
  }

  // NSPersistentCloudKitContainer.persistUpdatedShare(_:in:completion:)
  static func row514(_ owner: NSPersistentCloudKitContainer, _ p0: CKShare, _ p1: NSPersistentStore, _ p2: ((CKShare?, (any Error)?) -> Void)?) {
    owner.persistUpdatedShare(p0, in: p1, completion: p2)
    owner.persistUpdatedShare(p0, in: p1)
  }

  // NSPersistentCloudKitContainer.purgeObjectsAndRecordsInZone(with:in:)
  static func row515(_ owner: NSPersistentCloudKitContainer, _ p0: CKRecordZone.ID, _ p1: NSPersistentStore?) async throws {
    var value = try await owner.purgeObjectsAndRecordsInZone(with: p0, in: p1)
    exact(&value, (CKRecordZone.ID).self)
  }

  // NSPersistentCloudKitContainer.purgeObjectsAndRecordsInZone(with:in:completion:)
  static func row516(_ owner: NSPersistentCloudKitContainer, _ p0: CKRecordZone.ID, _ p1: NSPersistentStore?, _ p2: ((CKRecordZone.ID?, (any Error)?) -> Void)?) {
    owner.purgeObjectsAndRecordsInZone(with: p0, in: p1, completion: p2)
    owner.purgeObjectsAndRecordsInZone(with: p0, in: p1)
  }

  // NSPersistentCloudKitContainer.record(for:)
  static func row517(_ owner: NSPersistentCloudKitContainer, _ p0: NSManagedObjectID) {
    var value = owner.record(for: p0)
    exact(&value, (CKRecord?).self)
  }

  // NSPersistentCloudKitContainer.recordID(for:)
  static func row518(_ owner: NSPersistentCloudKitContainer, _ p0: NSManagedObjectID) {
    var value = owner.recordID(for: p0)
    exact(&value, (CKRecord.ID?).self)
  }

  // NSPersistentCloudKitContainer.recordIDs(for:)
  static func row519(_ owner: NSPersistentCloudKitContainer, _ p0: [NSManagedObjectID]) {
    var value = owner.recordIDs(for: p0)
    exact(&value, ([NSManagedObjectID : CKRecord.ID]).self)
  }

  // NSPersistentCloudKitContainer.records(for:)
  static func row520(_ owner: NSPersistentCloudKitContainer, _ p0: [NSManagedObjectID]) {
    var value = owner.records(for: p0)
    exact(&value, ([NSManagedObjectID : CKRecord]).self)
  }

  // NSPersistentCloudKitContainer.share(_:to:)
  static func row521(_ owner: NSPersistentCloudKitContainer, _ p0: [NSManagedObject], _ p1: CKShare?) async throws {
    var value = try await owner.share(p0, to: p1)
    exact(&value, ((Set<NSManagedObjectID>, CKShare, CKContainer)).self)
  }

  // NSPersistentCloudKitContainer.share(_:to:completion:)
  static func row522(_ owner: NSPersistentCloudKitContainer, _ p0: [NSManagedObject], _ p1: CKShare?, _ p2: @escaping (Set<NSManagedObjectID>?, CKShare?, CKContainer?, (any Error)?) -> Void) {
    owner.share(p0, to: p1, completion: p2)
  }

  // NSPersistentCloudKitContainerEventRequest
  static func row523() {
    let _: NSPersistentStoreRequest.Type = (NSPersistentCloudKitContainerEventRequest).self
  }

  // NSPersistentCloudKitContainerEventRequest.fetchEvents(after:)
  static func row524(_ p0: NSPersistentCloudKitContainer.Event?) {
    var value = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: p0)
    exact(&value, (NSPersistentCloudKitContainerEventRequest).self)
  }

  // NSPersistentCloudKitContainerEventRequest.fetchEvents(after:)
  static func row525(_ p0: Date) {
    var value = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: p0)
    exact(&value, (NSPersistentCloudKitContainerEventRequest).self)
  }

  // NSPersistentCloudKitContainerEventRequest.fetchEvents(matchingFetch:)
  static func row526(_ p0: NSFetchRequest<any NSFetchRequestResult>) {
    var value = NSPersistentCloudKitContainerEventRequest.fetchEvents(matchingFetch: p0)
    exact(&value, (NSPersistentCloudKitContainerEventRequest).self)
  }

  // NSPersistentCloudKitContainerEventRequest.fetchForEvents()
  static func row527() {
    var value = NSPersistentCloudKitContainerEventRequest.fetchForEvents()
    exact(&value, (NSFetchRequest<any NSFetchRequestResult>).self)
  }

  // NSPersistentCloudKitContainerEventRequest.resultType
  static func row528() {
    let _: ReferenceWritableKeyPath<NSPersistentCloudKitContainerEventRequest, NSPersistentCloudKitContainerEventResult.ResultType> = \NSPersistentCloudKitContainerEventRequest.resultType
  }

  // NSPersistentCloudKitContainerEventResult
  static func row529() {
    let _: NSPersistentStoreResult.Type = (NSPersistentCloudKitContainerEventResult).self
  }

  // NSPersistentCloudKitContainerEventResult.ResultType
  static func row530() {
    _ = (NSPersistentCloudKitContainerEventResult.ResultType).self
  }

  // NSPersistentCloudKitContainerEventResult.ResultType.countEvents
  static func row531() {
    var value = NSPersistentCloudKitContainerEventResult.ResultType.countEvents
    exact(&value, (NSPersistentCloudKitContainerEventResult.ResultType).self)
  }

  // NSPersistentCloudKitContainerEventResult.ResultType.events
  static func row532() {
    var value = NSPersistentCloudKitContainerEventResult.ResultType.events
    exact(&value, (NSPersistentCloudKitContainerEventResult.ResultType).self)
  }

  // NSPersistentCloudKitContainerEventResult.ResultType.init(rawValue:)
  static func row533(_ p0: Int) {
    var value = NSPersistentCloudKitContainerEventResult.ResultType(rawValue: p0)
    exact(&value, (NSPersistentCloudKitContainerEventResult.ResultType?).self)
  }

  // NSPersistentCloudKitContainerEventResult.result
  static func row534() {
    let _: KeyPath<NSPersistentCloudKitContainerEventResult, Any?> = \NSPersistentCloudKitContainerEventResult.result
  }

  // NSPersistentCloudKitContainerEventResult.resultType
  static func row535() {
    let _: KeyPath<NSPersistentCloudKitContainerEventResult, NSPersistentCloudKitContainerEventResult.ResultType> = \NSPersistentCloudKitContainerEventResult.resultType
  }

  // NSPersistentCloudKitContainerOptions
  static func row536() {
    let _: NSObject.Type = (NSPersistentCloudKitContainerOptions).self
  }

  // NSPersistentCloudKitContainerOptions.containerIdentifier
  static func row537() {
    let _: KeyPath<NSPersistentCloudKitContainerOptions, String> = \NSPersistentCloudKitContainerOptions.containerIdentifier
  }

  // NSPersistentCloudKitContainerOptions.databaseScope
  static func row538() {
    let _: ReferenceWritableKeyPath<NSPersistentCloudKitContainerOptions, CKDatabase.Scope> = \NSPersistentCloudKitContainerOptions.databaseScope
  }

  // NSPersistentCloudKitContainerOptions.init(containerIdentifier:)
  static func row539(_ p0: String) {
    var value = NSPersistentCloudKitContainerOptions(containerIdentifier: p0)
    exact(&value, (NSPersistentCloudKitContainerOptions).self)
  }

  // NSPersistentCloudKitContainerSchemaInitializationOptions
  static func row540() {
    let _: any OptionSet.Type = (NSPersistentCloudKitContainerSchemaInitializationOptions).self
    sendable((NSPersistentCloudKitContainerSchemaInitializationOptions).self)
  }

  // NSPersistentCloudKitContainerSchemaInitializationOptions.dryRun
  static func row541() {
    var value = NSPersistentCloudKitContainerSchemaInitializationOptions.dryRun
    exact(&value, (NSPersistentCloudKitContainerSchemaInitializationOptions).self)
  }

  // NSPersistentCloudKitContainerSchemaInitializationOptions.init(rawValue:)
  static func row542(_ p0: UInt) {
    var value = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: p0)
    exact(&value, (NSPersistentCloudKitContainerSchemaInitializationOptions).self)
  }

  // NSPersistentCloudKitContainerSchemaInitializationOptions.printSchema
  static func row543() {
    var value = NSPersistentCloudKitContainerSchemaInitializationOptions.printSchema
    exact(&value, (NSPersistentCloudKitContainerSchemaInitializationOptions).self)
  }

  // NSPersistentContainer
  static func row544() {
    let _: NSObject.Type = (NSPersistentContainer).self
    sendable((NSPersistentContainer).self)
  }

  // NSPersistentContainer.defaultDirectoryURL
  static func row545() {
    var value = NSPersistentContainer.defaultDirectoryURL
    exact(&value, (URL).self)
  }

  // NSPersistentContainer.defaultDirectoryURL()
  static func row546() {
    var value = NSPersistentContainer.defaultDirectoryURL()
    exact(&value, (URL).self)
  }

  // NSPersistentContainer.init(name:)
  static func row547(_ p0: String) {
    var value = NSPersistentContainer(name: p0)
    exact(&value, (NSPersistentContainer).self)
  }

  // NSPersistentContainer.init(name:managedObjectModel:)
  static func row548(_ p0: String, _ p1: NSManagedObjectModel) {
    var value = NSPersistentContainer(name: p0, managedObjectModel: p1)
    exact(&value, (NSPersistentContainer).self)
  }

  // NSPersistentContainer.loadPersistentStores(completionHandler:)
  static func row549(_ owner: NSPersistentContainer, _ p0: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {
    owner.loadPersistentStores(completionHandler: p0)
  }

  // NSPersistentContainer.managedObjectModel
  static func row550() {
    let _: KeyPath<NSPersistentContainer, NSManagedObjectModel> = \NSPersistentContainer.managedObjectModel
  }

  // NSPersistentContainer.name
  static func row551() {
    let _: KeyPath<NSPersistentContainer, String> = \NSPersistentContainer.name
  }

  // NSPersistentContainer.newBackgroundContext()
  static func row552(_ owner: NSPersistentContainer) {
    var value = owner.newBackgroundContext()
    exact(&value, (NSManagedObjectContext).self)
  }

  // NSPersistentContainer.performBackgroundTask(_:)
  static func row553<T>(_ owner: NSPersistentContainer, _ p0: @escaping (NSManagedObjectContext) throws -> T) async throws {
    var value = try await owner.performBackgroundTask(p0)
    exact(&value, (T).self)
  }

  // NSPersistentContainer.performBackgroundTask(_:)
  static func row554(_ owner: NSPersistentContainer, _ p0: @escaping (NSManagedObjectContext) -> Void) {
    owner.performBackgroundTask(p0)
  }

  // NSPersistentContainer.persistentStoreCoordinator
  static func row555() {
    let _: KeyPath<NSPersistentContainer, NSPersistentStoreCoordinator> = \NSPersistentContainer.persistentStoreCoordinator
  }

  // NSPersistentContainer.persistentStoreDescriptions
  static func row556() {
    let _: ReferenceWritableKeyPath<NSPersistentContainer, [NSPersistentStoreDescription]> = \NSPersistentContainer.persistentStoreDescriptions
  }

  // NSPersistentContainer.viewContext
  static func row557() {
    let _: KeyPath<NSPersistentContainer, NSManagedObjectContext> = \NSPersistentContainer.viewContext
  }

  // NSPersistentHistoryChange
  static func row558() {
    let _: NSObject.Type = (NSPersistentHistoryChange).self
    let _: any NSCopying.Type = (NSPersistentHistoryChange).self
  }

  // NSPersistentHistoryChange.changeID
  static func row559() {
    let _: KeyPath<NSPersistentHistoryChange, Int64> = \NSPersistentHistoryChange.changeID
  }

  // NSPersistentHistoryChange.changeType
  static func row560() {
    let _: KeyPath<NSPersistentHistoryChange, NSPersistentHistoryChangeType> = \NSPersistentHistoryChange.changeType
  }

  // NSPersistentHistoryChange.changedObjectID
  static func row561() {
    let _: KeyPath<NSPersistentHistoryChange, NSManagedObjectID> = \NSPersistentHistoryChange.changedObjectID
  }

  // NSPersistentHistoryChange.entityDescription
  static func row562() {
    var value = NSPersistentHistoryChange.entityDescription
    exact(&value, (NSEntityDescription?).self)
  }

  // NSPersistentHistoryChange.entityDescription(with:)
  static func row563(_ p0: NSManagedObjectContext) {
    var value = NSPersistentHistoryChange.entityDescription(with: p0)
    exact(&value, (NSEntityDescription?).self)
  }

  // NSPersistentHistoryChange.fetchRequest
  static func row564() {
    var value = NSPersistentHistoryChange.fetchRequest
    exact(&value, (NSFetchRequest<any NSFetchRequestResult>?).self)
  }

  // NSPersistentHistoryChange.tombstone
  static func row565() {
    let _: KeyPath<NSPersistentHistoryChange, [AnyHashable : Any]?> = \NSPersistentHistoryChange.tombstone
  }

  // NSPersistentHistoryChange.transaction
  static func row566() {
    let _: KeyPath<NSPersistentHistoryChange, NSPersistentHistoryTransaction?> = \NSPersistentHistoryChange.transaction
  }

  // NSPersistentHistoryChange.updatedProperties
  static func row567() {
    let _: KeyPath<NSPersistentHistoryChange, Set<NSPropertyDescription>?> = \NSPersistentHistoryChange.updatedProperties
  }

  // NSPersistentHistoryChangeRequest
  static func row568() {
    let _: NSPersistentStoreRequest.Type = (NSPersistentHistoryChangeRequest).self
  }

  // NSPersistentHistoryChangeRequest.deleteHistory(before:)
  static func row569(_ p0: NSPersistentHistoryToken?) {
    var value = NSPersistentHistoryChangeRequest.deleteHistory(before: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.deleteHistory(before:)
  static func row570(_ p0: Date) {
    var value = NSPersistentHistoryChangeRequest.deleteHistory(before: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.deleteHistory(before:)
  static func row571(_ p0: NSPersistentHistoryTransaction?) {
    var value = NSPersistentHistoryChangeRequest.deleteHistory(before: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.fetchHistory(after:)
  static func row572(_ p0: NSPersistentHistoryToken?) {
    var value = NSPersistentHistoryChangeRequest.fetchHistory(after: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.fetchHistory(after:)
  static func row573(_ p0: NSPersistentHistoryTransaction?) {
    var value = NSPersistentHistoryChangeRequest.fetchHistory(after: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.fetchHistory(after:)
  static func row574(_ p0: Date) {
    var value = NSPersistentHistoryChangeRequest.fetchHistory(after: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)
  static func row575(_ p0: NSFetchRequest<any NSFetchRequestResult>) {
    var value = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: p0)
    exact(&value, (NSPersistentHistoryChangeRequest).self)
  }

  // NSPersistentHistoryChangeRequest.fetchRequest
  static func row576() {
    let _: ReferenceWritableKeyPath<NSPersistentHistoryChangeRequest, NSFetchRequest<any NSFetchRequestResult>?> = \NSPersistentHistoryChangeRequest.fetchRequest
  }

  // NSPersistentHistoryChangeRequest.resultType
  static func row577() {
    let _: ReferenceWritableKeyPath<NSPersistentHistoryChangeRequest, NSPersistentHistoryResultType> = \NSPersistentHistoryChangeRequest.resultType
  }

  // NSPersistentHistoryChangeRequest.token
  static func row578() {
    let _: KeyPath<NSPersistentHistoryChangeRequest, NSPersistentHistoryToken?> = \NSPersistentHistoryChangeRequest.token
  }

  // NSPersistentHistoryChangeType
  static func row579() {
    _ = (NSPersistentHistoryChangeType).self
  }

  // NSPersistentHistoryChangeType.delete
  static func row580() {
    var value = NSPersistentHistoryChangeType.delete
    exact(&value, (NSPersistentHistoryChangeType).self)
  }

  // NSPersistentHistoryChangeType.init(rawValue:)
  static func row581(_ p0: Int) {
    var value = NSPersistentHistoryChangeType(rawValue: p0)
    exact(&value, (NSPersistentHistoryChangeType?).self)
  }

  // NSPersistentHistoryChangeType.insert
  static func row582() {
    var value = NSPersistentHistoryChangeType.insert
    exact(&value, (NSPersistentHistoryChangeType).self)
  }

  // NSPersistentHistoryChangeType.update
  static func row583() {
    var value = NSPersistentHistoryChangeType.update
    exact(&value, (NSPersistentHistoryChangeType).self)
  }

  // NSPersistentHistoryResult
  static func row584() {
    let _: NSPersistentStoreResult.Type = (NSPersistentHistoryResult).self
  }

  // NSPersistentHistoryResult.result
  static func row585() {
    let _: KeyPath<NSPersistentHistoryResult, Any?> = \NSPersistentHistoryResult.result
  }

  // NSPersistentHistoryResult.resultType
  static func row586() {
    let _: KeyPath<NSPersistentHistoryResult, NSPersistentHistoryResultType> = \NSPersistentHistoryResult.resultType
  }

  // NSPersistentHistoryResultType
  static func row587() {
    _ = (NSPersistentHistoryResultType).self
  }

  // NSPersistentHistoryResultType.changesOnly
  static func row588() {
    var value = NSPersistentHistoryResultType.changesOnly
    exact(&value, (NSPersistentHistoryResultType).self)
  }

  // NSPersistentHistoryResultType.count
  static func row589() {
    var value = NSPersistentHistoryResultType.count
    exact(&value, (NSPersistentHistoryResultType).self)
  }

  // NSPersistentHistoryResultType.init(rawValue:)
  static func row590(_ p0: Int) {
    var value = NSPersistentHistoryResultType(rawValue: p0)
    exact(&value, (NSPersistentHistoryResultType?).self)
  }

  // NSPersistentHistoryResultType.objectIDs
  static func row591() {
    var value = NSPersistentHistoryResultType.objectIDs
    exact(&value, (NSPersistentHistoryResultType).self)
  }

  // NSPersistentHistoryResultType.statusOnly
  static func row592() {
    var value = NSPersistentHistoryResultType.statusOnly
    exact(&value, (NSPersistentHistoryResultType).self)
  }

  // NSPersistentHistoryResultType.transactionsAndChanges
  static func row593() {
    var value = NSPersistentHistoryResultType.transactionsAndChanges
    exact(&value, (NSPersistentHistoryResultType).self)
  }

  // NSPersistentHistoryResultType.transactionsOnly
  static func row594() {
    var value = NSPersistentHistoryResultType.transactionsOnly
    exact(&value, (NSPersistentHistoryResultType).self)
  }

  // NSPersistentHistoryToken
  static func row595() {
    let _: NSObject.Type = (NSPersistentHistoryToken).self
    let _: any NSCopying.Type = (NSPersistentHistoryToken).self
    let _: any NSSecureCoding.Type = (NSPersistentHistoryToken).self
  }

  // NSPersistentHistoryTokenExpiredError
  static func row596() {
    var value = NSPersistentHistoryTokenExpiredError
    exact(&value, (Int).self)
  }

  // NSPersistentHistoryTokenKey
  static func row597() {
    var value = NSPersistentHistoryTokenKey
    exact(&value, (String).self)
  }

  // NSPersistentHistoryTrackingKey
  static func row598() {
    var value = NSPersistentHistoryTrackingKey
    exact(&value, (String).self)
  }

  // NSPersistentHistoryTransaction
  static func row599() {
    let _: NSObject.Type = (NSPersistentHistoryTransaction).self
    let _: any NSCopying.Type = (NSPersistentHistoryTransaction).self
  }

  // NSPersistentHistoryTransaction.author
  static func row600() {
    let _: KeyPath<NSPersistentHistoryTransaction, String?> = \NSPersistentHistoryTransaction.author
  }

  // NSPersistentHistoryTransaction.bundleID
  static func row601() {
    let _: KeyPath<NSPersistentHistoryTransaction, String> = \NSPersistentHistoryTransaction.bundleID
  }

  // NSPersistentHistoryTransaction.changes
  static func row602() {
    let _: KeyPath<NSPersistentHistoryTransaction, [NSPersistentHistoryChange]?> = \NSPersistentHistoryTransaction.changes
  }

  // NSPersistentHistoryTransaction.contextName
  static func row603() {
    let _: KeyPath<NSPersistentHistoryTransaction, String?> = \NSPersistentHistoryTransaction.contextName
  }

  // NSPersistentHistoryTransaction.entityDescription
  static func row604() {
    var value = NSPersistentHistoryTransaction.entityDescription
    exact(&value, (NSEntityDescription?).self)
  }

  // NSPersistentHistoryTransaction.entityDescription(with:)
  static func row605(_ p0: NSManagedObjectContext) {
    var value = NSPersistentHistoryTransaction.entityDescription(with: p0)
    exact(&value, (NSEntityDescription?).self)
  }

  // NSPersistentHistoryTransaction.fetchRequest
  static func row606() {
    var value = NSPersistentHistoryTransaction.fetchRequest
    exact(&value, (NSFetchRequest<any NSFetchRequestResult>?).self)
  }

  // NSPersistentHistoryTransaction.objectIDNotification()
  static func row607(_ owner: NSPersistentHistoryTransaction) {
    var value = owner.objectIDNotification()
    exact(&value, (Notification).self)
  }

  // NSPersistentHistoryTransaction.processID
  static func row608() {
    let _: KeyPath<NSPersistentHistoryTransaction, String> = \NSPersistentHistoryTransaction.processID
  }

  // NSPersistentHistoryTransaction.storeID
  static func row609() {
    let _: KeyPath<NSPersistentHistoryTransaction, String> = \NSPersistentHistoryTransaction.storeID
  }

  // NSPersistentHistoryTransaction.timestamp
  static func row610() {
    let _: KeyPath<NSPersistentHistoryTransaction, Date> = \NSPersistentHistoryTransaction.timestamp
  }

  // NSPersistentHistoryTransaction.token
  static func row611() {
    let _: KeyPath<NSPersistentHistoryTransaction, NSPersistentHistoryToken> = \NSPersistentHistoryTransaction.token
  }

  // NSPersistentHistoryTransaction.transactionNumber
  static func row612() {
    let _: KeyPath<NSPersistentHistoryTransaction, Int64> = \NSPersistentHistoryTransaction.transactionNumber
  }

  // NSPersistentStore
  static func row613() {
    let _: NSObject.Type = (NSPersistentStore).self
  }

  // NSPersistentStore.StoreType
  static func row614() {
    let _: any Hashable.Type = (NSPersistentStore.StoreType).self
    sendable((NSPersistentStore.StoreType).self)
  }

  // NSPersistentStore.StoreType.binary
  static func row615() {
    var value = NSPersistentStore.StoreType.binary
    exact(&value, (NSPersistentStore.StoreType).self)
  }

  // NSPersistentStore.StoreType.inMemory
  static func row616() {
    var value = NSPersistentStore.StoreType.inMemory
    exact(&value, (NSPersistentStore.StoreType).self)
  }

  // NSPersistentStore.StoreType.sqlite
  static func row617() {
    var value = NSPersistentStore.StoreType.sqlite
    exact(&value, (NSPersistentStore.StoreType).self)
  }

  // NSPersistentStore.StoreType.xml
  static func row618() {
    var value = NSPersistentStore.StoreType.xml
    exact(&value, (NSPersistentStore.StoreType).self)
  }

  // NSPersistentStore.configurationName
  static func row619() {
    let _: KeyPath<NSPersistentStore, String> = \NSPersistentStore.configurationName
  }

  // NSPersistentStore.didAdd(to:)
  static func row621(_ owner: NSPersistentStore, _ p0: NSPersistentStoreCoordinator) {
    owner.didAdd(to: p0)
  }

  // NSPersistentStore.identifier
  static func row622() {
    let _: ReferenceWritableKeyPath<NSPersistentStore, String?> = \NSPersistentStore.identifier
  }

  // NSPersistentStore.isReadOnly
  static func row624() {
    let _: ReferenceWritableKeyPath<NSPersistentStore, Bool> = \NSPersistentStore.isReadOnly
  }

  // NSPersistentStore.loadMetadata()
  static func row625(_ owner: NSPersistentStore) throws {
    try owner.loadMetadata()
  }

  // NSPersistentStore.metadata
  static func row626() {
    let _: ReferenceWritableKeyPath<NSPersistentStore, [String : Any]?> = \NSPersistentStore.metadata
  }

  // NSPersistentStore.metadataForPersistentStore(with:)
  static func row627(_ p0: URL) throws {
    var value = try NSPersistentStore.metadataForPersistentStore(with: p0)
    exact(&value, ([String : Any]).self)
  }

  // NSPersistentStore.migrationManagerClass()
  static func row628() {
    var value: AnyClass = NSPersistentStore.migrationManagerClass()
    exact(&value, (AnyClass).self)
  }

  // NSPersistentStore.options
  static func row629() {
    let _: KeyPath<NSPersistentStore, [AnyHashable : Any]?> = \NSPersistentStore.options
  }

  // NSPersistentStore.persistentStoreCoordinator
  static func row630() {
    let _: KeyPath<NSPersistentStore, NSPersistentStoreCoordinator?> = \NSPersistentStore.persistentStoreCoordinator
  }

  // NSPersistentStore.setMetadata(_:forPersistentStoreAt:)
  static func row631(_ p0: [String : Any]?, _ p1: URL) throws {
    try NSPersistentStore.setMetadata(p0, forPersistentStoreAt: p1)
  }

  // NSPersistentStore.type
  static func row632() {
    let _: KeyPath<NSPersistentStore, String> = \NSPersistentStore.type
  }

  // NSPersistentStore.url
  static func row633() {
    let _: ReferenceWritableKeyPath<NSPersistentStore, URL?> = \NSPersistentStore.url
  }

  // NSPersistentStore.willRemove(from:)
  static func row634(_ owner: NSPersistentStore, _ p0: NSPersistentStoreCoordinator?) {
    owner.willRemove(from: p0)
  }

  // NSPersistentStoreAsynchronousFetchResultCompletionBlock
  static func row635() {
    let _: ((NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void).Type = (NSPersistentStoreAsynchronousFetchResultCompletionBlock).self
  }

  // NSPersistentStoreAsynchronousResult
  static func row636() {
    let _: NSPersistentStoreResult.Type = (NSPersistentStoreAsynchronousResult).self
  }

  // NSPersistentStoreAsynchronousResult.cancel()
  static func row637(_ owner: NSPersistentStoreAsynchronousResult) {
    owner.cancel()
  }

  // NSPersistentStoreAsynchronousResult.managedObjectContext
  static func row638() {
    let _: KeyPath<NSPersistentStoreAsynchronousResult, NSManagedObjectContext> = \NSPersistentStoreAsynchronousResult.managedObjectContext
  }

  // NSPersistentStoreAsynchronousResult.operationError
  static func row639() {
    let _: KeyPath<NSPersistentStoreAsynchronousResult, (any Error)?> = \NSPersistentStoreAsynchronousResult.operationError
  }

  // NSPersistentStoreAsynchronousResult.progress
  static func row640() {
    let _: KeyPath<NSPersistentStoreAsynchronousResult, Progress?> = \NSPersistentStoreAsynchronousResult.progress
  }

  // NSPersistentStoreConnectionPoolMaxSizeKey
  static func row641() {
    var value = NSPersistentStoreConnectionPoolMaxSizeKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreCoordinator
  static func row642() {
    let _: NSObject.Type = (NSPersistentStoreCoordinator).self
    let _: any NSLocking.Type = (NSPersistentStoreCoordinator).self
    sendable((NSPersistentStoreCoordinator).self)
  }

  // NSPersistentStoreCoordinator.addPersistentStore(ofType:configurationName:at:options:)
  @available(*, deprecated)
  static func row643(_ owner: NSPersistentStoreCoordinator, _ p0: String, _ p1: String?, _ p2: URL?, _ p3: [AnyHashable : Any]?) throws {
    var value = try owner.addPersistentStore(ofType: p0, configurationName: p1, at: p2, options: p3)
    exact(&value, (NSPersistentStore).self)
    var short = try owner.addPersistentStore(ofType: p0, configurationName: p1, at: p2)
    exact(&short, (NSPersistentStore).self)
  }

  // NSPersistentStoreCoordinator.addPersistentStore(type:configuration:at:options:)
  static func row644(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStore.StoreType, _ p1: String?, _ p2: URL, _ p3: [AnyHashable : Any]?) throws {
    var value = try owner.addPersistentStore(type: p0, configuration: p1, at: p2, options: p3)
    exact(&value, (NSPersistentStore).self)
    var short = try owner.addPersistentStore(type: p0, at: p2)
    exact(&short, (NSPersistentStore).self)
  }

  // NSPersistentStoreCoordinator.addPersistentStore(with:completionHandler:)
  static func row645(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStoreDescription, _ p1: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {
    owner.addPersistentStore(with: p0, completionHandler: p1)
  }

  // NSPersistentStoreCoordinator.currentPersistentHistoryToken(fromStores:)
  static func row646(_ owner: NSPersistentStoreCoordinator, _ p0: [Any]?) {
    var value = owner.currentPersistentHistoryToken(fromStores: p0)
    exact(&value, (NSPersistentHistoryToken?).self)
  }

  // NSPersistentStoreCoordinator.destroyPersistentStore(at:ofType:options:)
  @available(*, deprecated)
  static func row647(_ owner: NSPersistentStoreCoordinator, _ p0: URL, _ p1: String, _ p2: [AnyHashable : Any]?) throws {
    try owner.destroyPersistentStore(at: p0, ofType: p1, options: p2)
    try owner.destroyPersistentStore(at: p0, ofType: p1)
  }

  // NSPersistentStoreCoordinator.destroyPersistentStore(at:type:options:)
  static func row648(_ owner: NSPersistentStoreCoordinator, _ p0: URL, _ p1: NSPersistentStore.StoreType, _ p2: [AnyHashable : Any]?) throws {
    try owner.destroyPersistentStore(at: p0, type: p1, options: p2)
    try owner.destroyPersistentStore(at: p0, type: p1)
  }

  // NSPersistentStoreCoordinator.execute(_:with:)
  static func row650(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStoreRequest, _ p1: NSManagedObjectContext) throws {
    var value = try owner.execute(p0, with: p1)
    exact(&value, (Any).self)
  }

  // NSPersistentStoreCoordinator.finishDeferredLightweightMigration()
  static func row651(_ owner: NSPersistentStoreCoordinator) throws {
    try owner.finishDeferredLightweightMigration()
  }

  // NSPersistentStoreCoordinator.finishDeferredLightweightMigrationTask()
  static func row652(_ owner: NSPersistentStoreCoordinator) throws {
    try owner.finishDeferredLightweightMigrationTask()
  }

  // NSPersistentStoreCoordinator.init(managedObjectModel:)
  static func row654(_ p0: NSManagedObjectModel) {
    var value = NSPersistentStoreCoordinator(managedObjectModel: p0)
    exact(&value, (NSPersistentStoreCoordinator).self)
  }

  // NSPersistentStoreCoordinator.lock()
  @available(*, deprecated)
  static func row655(_ owner: NSPersistentStoreCoordinator) {
    owner.lock()
  }

  // NSPersistentStoreCoordinator.managedObjectID(for:)
  static func row656(_ owner: NSPersistentStoreCoordinator, _ p0: String) {
    var value = owner.managedObjectID(for: p0)
    exact(&value, (NSManagedObjectID?).self)
  }

  // NSPersistentStoreCoordinator.managedObjectID(forURIRepresentation:)
  static func row657(_ owner: NSPersistentStoreCoordinator, _ p0: URL) {
    var value = owner.managedObjectID(forURIRepresentation: p0)
    exact(&value, (NSManagedObjectID?).self)
  }

  // NSPersistentStoreCoordinator.managedObjectModel
  static func row658() {
    let _: KeyPath<NSPersistentStoreCoordinator, NSManagedObjectModel> = \NSPersistentStoreCoordinator.managedObjectModel
  }

  // NSPersistentStoreCoordinator.metadata(for:)
  static func row659(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStore) {
    var value = owner.metadata(for: p0)
    exact(&value, ([String : Any]).self)
  }

  // NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:)
  @available(*, deprecated)
  static func row660(_ p0: String?, _ p1: URL) throws {
    var value = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: p0, at: p1)
    exact(&value, ([String : Any]).self)
  }

  // NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:)
  @available(*, deprecated)
  static func row661(_ p0: String, _ p1: URL, _ p2: [AnyHashable : Any]?) throws {
    var value = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: p0, at: p1, options: p2)
    exact(&value, ([String : Any]).self)
    var short = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: p0, at: p1)
    exact(&short, ([String : Any]).self)
  }

  // NSPersistentStoreCoordinator.metadataForPersistentStore(type:at:options:)
  static func row662(_ p0: NSPersistentStore.StoreType, _ p1: URL, _ p2: [AnyHashable : Any]?) throws {
    var value = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: p0, at: p1, options: p2)
    exact(&value, ([String : Any]).self)
    var short = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: p0, at: p1)
    exact(&short, ([String : Any]).self)
  }

  // NSPersistentStoreCoordinator.metadataForPersistentStore(with:)
  @available(*, deprecated)
  static func row663(_ p0: URL) throws {
    var value = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: p0)
    exact(&value, ([AnyHashable : Any]).self)
  }

  // NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:type:)
  static func row664(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStore, _ p1: URL, _ p2: [AnyHashable : Any]?, _ p3: NSPersistentStore.StoreType) throws {
    var value = try owner.migratePersistentStore(p0, to: p1, options: p2, type: p3)
    exact(&value, (NSPersistentStore).self)
    var short = try owner.migratePersistentStore(p0, to: p1, type: p3)
    exact(&short, (NSPersistentStore).self)
  }

  // NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:withType:)
  @available(*, deprecated)
  static func row665(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStore, _ p1: URL, _ p2: [AnyHashable : Any]?, _ p3: String) throws {
    var value = try owner.migratePersistentStore(p0, to: p1, options: p2, withType: p3)
    exact(&value, (NSPersistentStore).self)
    var short = try owner.migratePersistentStore(p0, to: p1, withType: p3)
    exact(&short, (NSPersistentStore).self)
  }

  // NSPersistentStoreCoordinator.name
  static func row666() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreCoordinator, String?> = \NSPersistentStoreCoordinator.name
  }

  // NSPersistentStoreCoordinator.perform(_:)
  static func row667<T>(_ owner: NSPersistentStoreCoordinator, _ p0: @escaping () throws -> T) async throws {
    var value = try await owner.perform(p0)
    exact(&value, (T).self)
  }

  // NSPersistentStoreCoordinator.perform(_:)
  static func row668(_ owner: NSPersistentStoreCoordinator, _ p0: @escaping () -> Void) {
    owner.perform(p0)
  }

  // NSPersistentStoreCoordinator.performAndWait(_:)
  static func row669<T>(_ owner: NSPersistentStoreCoordinator, _ p0: () throws -> T) throws {
    var value = try owner.performAndWait(p0)
    exact(&value, (T).self)
  }

  // NSPersistentStoreCoordinator.performAndWait(_:)
  static func row670(_ owner: NSPersistentStoreCoordinator, _ p0: () -> Void) {
    owner.performAndWait(p0)
  }

  // NSPersistentStoreCoordinator.persistentStore(for:)
  static func row671(_ owner: NSPersistentStoreCoordinator, _ p0: URL) {
    var value = owner.persistentStore(for: p0)
    exact(&value, (NSPersistentStore?).self)
  }

  // NSPersistentStoreCoordinator.persistentStores
  static func row672() {
    let _: KeyPath<NSPersistentStoreCoordinator, [NSPersistentStore]> = \NSPersistentStoreCoordinator.persistentStores
  }

  // NSPersistentStoreCoordinator.remove(_:)
  static func row676(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStore) throws {
    try owner.remove(p0)
  }

  // NSPersistentStoreCoordinator.replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)
  @available(*, deprecated)
  static func row677(_ owner: NSPersistentStoreCoordinator, _ p0: URL, _ p1: [AnyHashable : Any]?, _ p2: URL, _ p3: [AnyHashable : Any]?, _ p4: String) throws {
    try owner.replacePersistentStore(at: p0, destinationOptions: p1, withPersistentStoreFrom: p2, sourceOptions: p3, ofType: p4)
    try owner.replacePersistentStore(at: p0, withPersistentStoreFrom: p2, ofType: p4)
  }

  // NSPersistentStoreCoordinator.replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)
  static func row678(_ owner: NSPersistentStoreCoordinator, _ p0: URL, _ p1: [AnyHashable : Any]?, _ p2: URL, _ p3: [AnyHashable : Any]?, _ p4: NSPersistentStore.StoreType) throws {
    try owner.replacePersistentStore(at: p0, destinationOptions: p1, withPersistentStoreFrom: p2, sourceOptions: p3, type: p4)
    try owner.replacePersistentStore(at: p0, withPersistentStoreFrom: p2, type: p4)
  }

  // NSPersistentStoreCoordinator.setMetadata(_:for:)
  static func row679(_ owner: NSPersistentStoreCoordinator, _ p0: [String : Any]?, _ p1: NSPersistentStore) {
    owner.setMetadata(p0, for: p1)
  }

  // NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:)
  @available(*, deprecated)
  static func row680(_ p0: [String : Any]?, _ p1: String?, _ p2: URL) throws {
    try NSPersistentStoreCoordinator.setMetadata(p0, forPersistentStoreOfType: p1, at: p2)
  }

  // NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:options:)
  @available(*, deprecated)
  static func row681(_ p0: [String : Any]?, _ p1: String, _ p2: URL, _ p3: [AnyHashable : Any]?) throws {
    try NSPersistentStoreCoordinator.setMetadata(p0, forPersistentStoreOfType: p1, at: p2, options: p3)
    try NSPersistentStoreCoordinator.setMetadata(p0, forPersistentStoreOfType: p1, at: p2)
  }

  // NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)
  static func row682(_ p0: [String : Any]?, _ p1: NSPersistentStore.StoreType, _ p2: URL, _ p3: [AnyHashable : Any]?) throws {
    try NSPersistentStoreCoordinator.setMetadata(p0, type: p1, at: p2, options: p3)
    try NSPersistentStoreCoordinator.setMetadata(p0, type: p1, at: p2)
  }

  // NSPersistentStoreCoordinator.setURL(_:for:)
  static func row683(_ owner: NSPersistentStoreCoordinator, _ p0: URL, _ p1: NSPersistentStore) {
    var value = owner.setURL(p0, for: p1)
    exact(&value, (Bool).self)
  }

  // NSPersistentStoreCoordinator.tryLock()
  @available(*, deprecated)
  static func row684(_ owner: NSPersistentStoreCoordinator) {
    var value = owner.tryLock()
    exact(&value, (Bool).self)
  }

  // NSPersistentStoreCoordinator.unlock()
  @available(*, deprecated)
  static func row685(_ owner: NSPersistentStoreCoordinator) {
    owner.unlock()
  }

  // NSPersistentStoreCoordinator.url(for:)
  static func row686(_ owner: NSPersistentStoreCoordinator, _ p0: NSPersistentStore) {
    var value = owner.url(for: p0)
    exact(&value, (URL).self)
  }

  // NSPersistentStoreCoordinatorLockingError
  static func row687() {
    var value = NSPersistentStoreCoordinatorLockingError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreDeferredLightweightMigrationOptionKey
  static func row688() {
    var value = NSPersistentStoreDeferredLightweightMigrationOptionKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreDescription
  static func row689() {
    let _: NSObject.Type = (NSPersistentStoreDescription).self
    let _: any NSCopying.Type = (NSPersistentStoreDescription).self
  }

  // NSPersistentStoreDescription.cloudKitContainerOptions
  static func row690() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, NSPersistentCloudKitContainerOptions?> = \NSPersistentStoreDescription.cloudKitContainerOptions
  }

  // NSPersistentStoreDescription.configuration
  static func row691() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, String?> = \NSPersistentStoreDescription.configuration
  }

  // NSPersistentStoreDescription.init(url:)
  static func row692(_ p0: URL) {
    var value = NSPersistentStoreDescription(url: p0)
    exact(&value, (NSPersistentStoreDescription).self)
  }

  // NSPersistentStoreDescription.isReadOnly
  static func row693() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool> = \NSPersistentStoreDescription.isReadOnly
  }

  // NSPersistentStoreDescription.options
  static func row694() {
    let _: KeyPath<NSPersistentStoreDescription, [String : NSObject]> = \NSPersistentStoreDescription.options
  }

  // NSPersistentStoreDescription.setOption(_:forKey:)
  static func row695(_ owner: NSPersistentStoreDescription, _ p0: NSObject?, _ p1: String) {
    owner.setOption(p0, forKey: p1)
  }

  // NSPersistentStoreDescription.setValue(_:forPragmaNamed:)
  static func row696(_ owner: NSPersistentStoreDescription, _ p0: NSObject?, _ p1: String) {
    owner.setValue(p0, forPragmaNamed: p1)
  }

  // NSPersistentStoreDescription.shouldAddStoreAsynchronously
  static func row697() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool> = \NSPersistentStoreDescription.shouldAddStoreAsynchronously
  }

  // NSPersistentStoreDescription.shouldInferMappingModelAutomatically
  static func row698() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool> = \NSPersistentStoreDescription.shouldInferMappingModelAutomatically
  }

  // NSPersistentStoreDescription.shouldMigrateStoreAutomatically
  static func row699() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, Bool> = \NSPersistentStoreDescription.shouldMigrateStoreAutomatically
  }

  // NSPersistentStoreDescription.sqlitePragmas
  static func row700() {
    let _: KeyPath<NSPersistentStoreDescription, [String : NSObject]> = \NSPersistentStoreDescription.sqlitePragmas
  }

  // NSPersistentStoreDescription.timeout
  static func row701() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, TimeInterval> = \NSPersistentStoreDescription.timeout
  }

  // NSPersistentStoreDescription.type
  static func row702() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, String> = \NSPersistentStoreDescription.type
  }

  // NSPersistentStoreDescription.url
  static func row703() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreDescription, URL?> = \NSPersistentStoreDescription.url
  }

  // NSPersistentStoreFileProtectionKey
  static func row704() {
    var value = NSPersistentStoreFileProtectionKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreForceDestroyOption
  static func row705() {
    var value = NSPersistentStoreForceDestroyOption
    exact(&value, (String).self)
  }

  // NSPersistentStoreIncompatibleSchemaError
  static func row706() {
    var value = NSPersistentStoreIncompatibleSchemaError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreIncompatibleVersionHashError
  static func row707() {
    var value = NSPersistentStoreIncompatibleVersionHashError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreIncompleteSaveError
  static func row708() {
    var value = NSPersistentStoreIncompleteSaveError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreInvalidTypeError
  static func row709() {
    var value = NSPersistentStoreInvalidTypeError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreModelVersionChecksumKey
  static func row710() {
    var value = NSPersistentStoreModelVersionChecksumKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreOSCompatibility
  static func row711() {
    var value = NSPersistentStoreOSCompatibility
    exact(&value, (String).self)
  }

  // NSPersistentStoreOpenError
  static func row712() {
    var value = NSPersistentStoreOpenError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreOperationError
  static func row713() {
    var value = NSPersistentStoreOperationError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreRemoteChangeNotificationPostOptionKey
  static func row714() {
    var value = NSPersistentStoreRemoteChangeNotificationPostOptionKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreRequest
  static func row715() {
    let _: NSObject.Type = (NSPersistentStoreRequest).self
    let _: any NSCopying.Type = (NSPersistentStoreRequest).self
  }

  // NSPersistentStoreRequest.affectedStores
  static func row716() {
    let _: ReferenceWritableKeyPath<NSPersistentStoreRequest, [NSPersistentStore]?> = \NSPersistentStoreRequest.affectedStores
  }

  // NSPersistentStoreRequest.requestType
  static func row717() {
    let _: KeyPath<NSPersistentStoreRequest, NSPersistentStoreRequestType> = \NSPersistentStoreRequest.requestType
  }

  // NSPersistentStoreRequestType
  static func row718() {
    _ = (NSPersistentStoreRequestType).self
  }

  // NSPersistentStoreRequestType.batchDeleteRequestType
  static func row719() {
    var value = NSPersistentStoreRequestType.batchDeleteRequestType
    exact(&value, (NSPersistentStoreRequestType).self)
  }

  // NSPersistentStoreRequestType.batchInsertRequestType
  static func row720() {
    var value = NSPersistentStoreRequestType.batchInsertRequestType
    exact(&value, (NSPersistentStoreRequestType).self)
  }

  // NSPersistentStoreRequestType.batchUpdateRequestType
  static func row721() {
    var value = NSPersistentStoreRequestType.batchUpdateRequestType
    exact(&value, (NSPersistentStoreRequestType).self)
  }

  // NSPersistentStoreRequestType.fetchRequestType
  static func row722() {
    var value = NSPersistentStoreRequestType.fetchRequestType
    exact(&value, (NSPersistentStoreRequestType).self)
  }

  // NSPersistentStoreRequestType.init(rawValue:)
  static func row723(_ p0: UInt) {
    var value = NSPersistentStoreRequestType(rawValue: p0)
    exact(&value, (NSPersistentStoreRequestType?).self)
  }

  // NSPersistentStoreRequestType.saveRequestType
  static func row724() {
    var value = NSPersistentStoreRequestType.saveRequestType
    exact(&value, (NSPersistentStoreRequestType).self)
  }

  // NSPersistentStoreResult
  static func row725() {
    let _: NSObject.Type = (NSPersistentStoreResult).self
  }

  // NSPersistentStoreSaveConflictsError
  static func row726() {
    var value = NSPersistentStoreSaveConflictsError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreSaveConflictsErrorKey
  static func row727() {
    var value = NSPersistentStoreSaveConflictsErrorKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreSaveError
  static func row728() {
    var value = NSPersistentStoreSaveError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreStagedMigrationManagerOptionKey
  static func row729() {
    var value = NSPersistentStoreStagedMigrationManagerOptionKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreTimeoutError
  static func row730() {
    var value = NSPersistentStoreTimeoutError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreTimeoutOption
  static func row731() {
    var value = NSPersistentStoreTimeoutOption
    exact(&value, (String).self)
  }

  // NSPersistentStoreTypeMismatchError
  static func row732() {
    var value = NSPersistentStoreTypeMismatchError
    exact(&value, (Int).self)
  }

  // NSPersistentStoreURLKey
  static func row733() {
    var value = NSPersistentStoreURLKey
    exact(&value, (String).self)
  }

  // NSPersistentStoreUnsupportedRequestTypeError
  static func row734() {
    var value = NSPersistentStoreUnsupportedRequestTypeError
    exact(&value, (Int).self)
  }

  // NSPropertyDescription
  static func row735() {
    let _: NSObject.Type = (NSPropertyDescription).self
    let _: any NSCopying.Type = (NSPropertyDescription).self
  }

  // NSPropertyDescription.entity
  static func row736() {
    let _: KeyPath<NSPropertyDescription, NSEntityDescription> = \NSPropertyDescription.entity
  }

  // NSPropertyDescription.isIndexed
  @available(*, deprecated)
  static func row737() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, Bool> = \NSPropertyDescription.isIndexed
  }

  // NSPropertyDescription.isIndexedBySpotlight
  static func row738() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, Bool> = \NSPropertyDescription.isIndexedBySpotlight
  }

  // NSPropertyDescription.isOptional
  static func row739() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, Bool> = \NSPropertyDescription.isOptional
  }

  // NSPropertyDescription.isStoredInExternalRecord
  @available(*, deprecated)
  static func row740() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, Bool> = \NSPropertyDescription.isStoredInExternalRecord
  }

  // NSPropertyDescription.isTransient
  static func row741() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, Bool> = \NSPropertyDescription.isTransient
  }

  // NSPropertyDescription.name
  static func row742() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, String> = \NSPropertyDescription.name
  }

  // NSPropertyDescription.renamingIdentifier
  static func row743() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, String?> = \NSPropertyDescription.renamingIdentifier
  }

  // NSPropertyDescription.setValidationPredicates(_:withValidationWarnings:)
  static func row744(_ owner: NSPropertyDescription, _ p0: [NSPredicate]?, _ p1: [String]?) {
    owner.setValidationPredicates(p0, withValidationWarnings: p1)
  }

  // NSPropertyDescription.userInfo
  static func row745() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, [AnyHashable : Any]?> = \NSPropertyDescription.userInfo
  }

  // NSPropertyDescription.validationPredicates
  static func row746() {
    let _: KeyPath<NSPropertyDescription, [NSPredicate]> = \NSPropertyDescription.validationPredicates
  }

  // NSPropertyDescription.validationWarnings
  static func row747() {
    let _: KeyPath<NSPropertyDescription, [Any]> = \NSPropertyDescription.validationWarnings
  }

  // NSPropertyDescription.versionHash
  static func row748() {
    let _: KeyPath<NSPropertyDescription, Data> = \NSPropertyDescription.versionHash
  }

  // NSPropertyDescription.versionHashModifier
  static func row749() {
    let _: ReferenceWritableKeyPath<NSPropertyDescription, String?> = \NSPropertyDescription.versionHashModifier
  }

  // NSQueryGenerationToken
  static func row750() {
    let _: NSObject.Type = (NSQueryGenerationToken).self
    let _: any NSCopying.Type = (NSQueryGenerationToken).self
  }

  // NSQueryGenerationToken.current
  static func row751() {
    var value = NSQueryGenerationToken.current
    exact(&value, (NSQueryGenerationToken).self)
  }

  // NSReadOnlyPersistentStoreOption
  static func row752() {
    var value = NSReadOnlyPersistentStoreOption
    exact(&value, (String).self)
  }

  // NSRefreshedObjectIDsKey
  static func row753() {
    var value = NSRefreshedObjectIDsKey
    exact(&value, (String).self)
  }

  // NSRefreshedObjectsKey
  static func row754() {
    var value = NSRefreshedObjectsKey
    exact(&value, (String).self)
  }

  // NSRelationshipDescription
  static func row755() {
    let _: NSPropertyDescription.Type = (NSRelationshipDescription).self
  }

  // NSRelationshipDescription.deleteRule
  static func row756() {
    let _: ReferenceWritableKeyPath<NSRelationshipDescription, NSDeleteRule> = \NSRelationshipDescription.deleteRule
  }

  // NSRelationshipDescription.destinationEntity
  static func row757() {
    let _: ReferenceWritableKeyPath<NSRelationshipDescription, NSEntityDescription?> = \NSRelationshipDescription.destinationEntity
  }

  // NSRelationshipDescription.inverseRelationship
  static func row758() {
    let _: ReferenceWritableKeyPath<NSRelationshipDescription, NSRelationshipDescription?> = \NSRelationshipDescription.inverseRelationship
  }

  // NSRelationshipDescription.isOrdered
  static func row759() {
    let _: ReferenceWritableKeyPath<NSRelationshipDescription, Bool> = \NSRelationshipDescription.isOrdered
  }

  // NSRelationshipDescription.isToMany
  static func row760() {
    let _: KeyPath<NSRelationshipDescription, Bool> = \NSRelationshipDescription.isToMany
  }

  // NSRelationshipDescription.maxCount
  static func row761() {
    let _: ReferenceWritableKeyPath<NSRelationshipDescription, Int> = \NSRelationshipDescription.maxCount
  }

  // NSRelationshipDescription.minCount
  static func row762() {
    let _: ReferenceWritableKeyPath<NSRelationshipDescription, Int> = \NSRelationshipDescription.minCount
  }

  // NSRelationshipDescription.versionHash
  static func row763() {
    let _: KeyPath<NSRelationshipDescription, Data> = \NSRelationshipDescription.versionHash
  }

  // NSRemovedPersistentStoresKey
  static func row764() {
    var value = NSRemovedPersistentStoresKey
    exact(&value, (String).self)
  }

  // NSRollbackMergePolicy
  static func row765() {
    var value = NSRollbackMergePolicy
    exact(&value, (AnyObject).self)
  }

  // NSSQLiteAnalyzeOption
  static func row766() {
    var value = NSSQLiteAnalyzeOption
    exact(&value, (String).self)
  }

  // NSSQLiteError
  static func row767() {
    var value = NSSQLiteError
    exact(&value, (Int).self)
  }

  // NSSQLiteErrorDomain
  static func row768() {
    var value = NSSQLiteErrorDomain
    exact(&value, (String).self)
  }

  // NSSQLiteManualVacuumOption
  static func row769() {
    var value = NSSQLiteManualVacuumOption
    exact(&value, (String).self)
  }

  // NSSQLitePragmasOption
  static func row770() {
    var value = NSSQLitePragmasOption
    exact(&value, (String).self)
  }

  // NSSQLiteStoreType
  static func row771() {
    var value = NSSQLiteStoreType
    exact(&value, (String).self)
  }

  // NSSaveChangesRequest
  static func row772() {
    let _: NSPersistentStoreRequest.Type = (NSSaveChangesRequest).self
  }

  // NSSaveChangesRequest.deletedObjects
  static func row773() {
    let _: KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?> = \NSSaveChangesRequest.deletedObjects
  }

  // NSSaveChangesRequest.init(inserted:updated:deleted:locked:)
  static func row774(_ p0: Set<NSManagedObject>?, _ p1: Set<NSManagedObject>?, _ p2: Set<NSManagedObject>?, _ p3: Set<NSManagedObject>?) {
    var value = NSSaveChangesRequest(inserted: p0, updated: p1, deleted: p2, locked: p3)
    exact(&value, (NSSaveChangesRequest).self)
  }

  // NSSaveChangesRequest.insertedObjects
  static func row775() {
    let _: KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?> = \NSSaveChangesRequest.insertedObjects
  }

  // NSSaveChangesRequest.lockedObjects
  static func row776() {
    let _: KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?> = \NSSaveChangesRequest.lockedObjects
  }

  // NSSaveChangesRequest.updatedObjects
  static func row777() {
    let _: KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?> = \NSSaveChangesRequest.updatedObjects
  }

  // NSSnapshotEventType
  static func row778() {
    let _: any OptionSet.Type = (NSSnapshotEventType).self
    sendable((NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.init(rawValue:)
  static func row779(_ p0: UInt) {
    var value = NSSnapshotEventType(rawValue: p0)
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.mergePolicy
  static func row780() {
    var value = NSSnapshotEventType.mergePolicy
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.refresh
  static func row781() {
    var value = NSSnapshotEventType.refresh
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.rollback
  static func row782() {
    var value = NSSnapshotEventType.rollback
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.undoDeletion
  static func row783() {
    var value = NSSnapshotEventType.undoDeletion
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.undoInsertion
  static func row784() {
    var value = NSSnapshotEventType.undoInsertion
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSSnapshotEventType.undoUpdate
  static func row785() {
    var value = NSSnapshotEventType.undoUpdate
    exact(&value, (NSSnapshotEventType).self)
  }

  // NSStoreModelVersionHashesKey
  static func row786() {
    var value = NSStoreModelVersionHashesKey
    exact(&value, (String).self)
  }

  // NSStoreModelVersionIdentifiersKey
  static func row787() {
    var value = NSStoreModelVersionIdentifiersKey
    exact(&value, (String).self)
  }

  // NSStoreTypeKey
  static func row789() {
    var value = NSStoreTypeKey
    exact(&value, (String).self)
  }

  // NSStoreUUIDKey
  static func row791() {
    var value = NSStoreUUIDKey
    exact(&value, (String).self)
  }

  // NSUUIDChangedPersistentStoresKey
  static func row792() {
    var value = NSUUIDChangedPersistentStoresKey
    exact(&value, (String).self)
  }

  // NSUpdatedObjectIDsKey
  static func row793() {
    var value = NSUpdatedObjectIDsKey
    exact(&value, (String).self)
  }

  // NSUpdatedObjectsKey
  static func row794() {
    var value = NSUpdatedObjectsKey
    exact(&value, (String).self)
  }

  // NSValidateXMLStoreOption
  static func row795() {
    var value = NSValidateXMLStoreOption
    exact(&value, (String).self)
  }

  // NSValidationDateTooLateError
  static func row796() {
    var value = NSValidationDateTooLateError
    exact(&value, (Int).self)
  }

  // NSValidationDateTooSoonError
  static func row797() {
    var value = NSValidationDateTooSoonError
    exact(&value, (Int).self)
  }

  // NSValidationInvalidDateError
  static func row798() {
    var value = NSValidationInvalidDateError
    exact(&value, (Int).self)
  }

  // NSValidationInvalidURIError
  static func row799() {
    var value = NSValidationInvalidURIError
    exact(&value, (Int).self)
  }

  // NSValidationKeyErrorKey
  static func row800() {
    var value = NSValidationKeyErrorKey
    exact(&value, (String).self)
  }

  // NSValidationMissingMandatoryPropertyError
  static func row801() {
    var value = NSValidationMissingMandatoryPropertyError
    exact(&value, (Int).self)
  }

  // NSValidationMultipleErrorsError
  static func row802() {
    var value = NSValidationMultipleErrorsError
    exact(&value, (Int).self)
  }

  // NSValidationNumberTooLargeError
  static func row803() {
    var value = NSValidationNumberTooLargeError
    exact(&value, (Int).self)
  }

  // NSValidationNumberTooSmallError
  static func row804() {
    var value = NSValidationNumberTooSmallError
    exact(&value, (Int).self)
  }

  // NSValidationObjectErrorKey
  static func row805() {
    var value = NSValidationObjectErrorKey
    exact(&value, (String).self)
  }

  // NSValidationPredicateErrorKey
  static func row806() {
    var value = NSValidationPredicateErrorKey
    exact(&value, (String).self)
  }

  // NSValidationRelationshipDeniedDeleteError
  static func row807() {
    var value = NSValidationRelationshipDeniedDeleteError
    exact(&value, (Int).self)
  }

  // NSValidationRelationshipExceedsMaximumCountError
  static func row808() {
    var value = NSValidationRelationshipExceedsMaximumCountError
    exact(&value, (Int).self)
  }

  // NSValidationRelationshipLacksMinimumCountError
  static func row809() {
    var value = NSValidationRelationshipLacksMinimumCountError
    exact(&value, (Int).self)
  }

  // NSValidationStringPatternMatchingError
  static func row810() {
    var value = NSValidationStringPatternMatchingError
    exact(&value, (Int).self)
  }

  // NSValidationStringTooLongError
  static func row811() {
    var value = NSValidationStringTooLongError
    exact(&value, (Int).self)
  }

  // NSValidationStringTooShortError
  static func row812() {
    var value = NSValidationStringTooShortError
    exact(&value, (Int).self)
  }

  // NSValidationValueErrorKey
  static func row813() {
    var value = NSValidationValueErrorKey
    exact(&value, (String).self)
  }

  // NSXMLStoreType
  static func row815() {
    var value = NSXMLStoreType
    exact(&value, (String).self)
  }
}
