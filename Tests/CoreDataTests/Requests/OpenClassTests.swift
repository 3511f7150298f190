import CloudKit
import CoreData
import Foundation
import Testing

/// Programs' subclasses of Apple's open classes, each with a stored property and an initializer of its own.
@Suite("Subclasses with initializers of their own")
struct OpenClassTests {
  private final class Request: NSFetchRequest<NSManagedObject> {
    var reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(entityName: "Post")
    }
    convenience init(limit: Int) {
      self.init("limited")
      fetchLimit = limit
    }
  }

  private final class Delete: NSBatchDeleteRequest {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Post"))
    }
  }

  private final class Update: NSBatchUpdateRequest {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(entityName: "Post")
    }
  }

  private final class Context: NSManagedObjectContext, @unchecked Sendable {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(concurrencyType: .privateQueueConcurrencyType)
    }
  }

  private final class Container: NSPersistentContainer, @unchecked Sendable {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(name: "Blog", managedObjectModel: BlogModel.shared)
    }
  }

  private final class Description: NSPersistentStoreDescription {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(url: URL(fileURLWithPath: "/dev/null"))
    }
  }

  private final class Policy: NSMergePolicy, @unchecked Sendable {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init(merge: .overwriteMergePolicyType)
    }
  }

  private final class Attribute: NSAttributeDescription, @unchecked Sendable {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init()
      name = reason
    }
  }

  private final class Save: CKModifyRecordsOperation, @unchecked Sendable {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init()
    }
    convenience init(saving record: CKRecord) {
      self.init("save")
      recordsToSave = [record]
    }
  }

  private final class Deleted: NSBatchDeleteResult {
    override var result: Any? { 7 }
    override var resultType: NSBatchDeleteRequestResultType { .resultTypeCount }
  }

  private final class Query: CKQueryOperation, @unchecked Sendable {
    let reason: String
    init(_ reason: String) {
      self.reason = reason
      super.init()
    }
  }

  @Test func everyClass() {
    #expect(Request(limit: 3).reason == "limited")
    #expect(Request("why").entityName == "Post")
    #expect(Delete("why").reason == "why")
    #expect(Update("why").entityName == "Post")
    #expect(Context("why").reason == "why")
    #expect(Context("why").concurrencyType == .privateQueueConcurrencyType)
    #expect(Container("why").managedObjectModel === BlogModel.shared)
    #expect(Description("why").url?.path == "/dev/null")
    #expect(Policy("why").mergeType == .overwriteMergePolicyType)
    #expect(Attribute("why").name == "why")
    let record = CKRecord(recordType: "Note")
    #expect(Save(saving: record).recordsToSave?.first === record)
    #expect(Query("why").reason == "why")
  }

  @Test("classes that have it at Apple's are made by a plain initializer")
  func classesThatHaveItAtApples() {
    let conflict = NSConstraintConflict()
    #expect(conflict.constraint == [])
    #expect(conflict.constraintValues.isEmpty)
    #expect(conflict.conflictingObjects == [])
    #expect(conflict.databaseObject == nil)
    #expect(conflict.databaseSnapshot == nil)
    #expect(NSPersistentStoreCoordinator().managedObjectModel.entities == [])
    #expect(NSPersistentStoreCoordinator().persistentStores == [])
    #expect(NSFetchedResultsController<NSManagedObject>().fetchedObjects == nil)
    #expect(NSPersistentHistoryToken() == NSPersistentHistoryToken())
    #expect(NSBatchUpdateRequest().propertiesToUpdate == nil)
    #expect(NSBatchInsertResult().result == nil)
    #expect(NSBatchDeleteResult().result == nil)
    #expect(NSBatchUpdateResult().result == nil)
    #expect(NSPersistentHistoryResult().result == nil)
    #expect(NSBatchInsertResult().resultType == .statusOnly)
    #expect(NSPersistentHistoryResult().resultType == .statusOnly)
    #expect(Deleted().result as? Int == 7)
  }
}
