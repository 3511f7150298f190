import Foundation
import Testing

@testable import CoreData

/// A post that records the calls it receives and the validation of its values.
final class RecordingObject: NSManagedObject {
  var calls: [String] = []
  var whenReleased: () -> Void = {}

  deinit { whenReleased() }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    calls.append("fetch")
  }
  override func willTurnIntoFault() {
    super.willTurnIntoFault()
    calls.append("will")
  }
  override func didTurnIntoFault() {
    super.didTurnIntoFault()
    calls.append("did")
  }
  override func prepareForDeletion() {
    super.prepareForDeletion()
    calls.append("deletion")
  }
  override func didSave() {
    super.didSave()
    calls.append("saved")
  }
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    calls.append("update")
  }
  override func validateForDelete() throws {
    try super.validateForDelete()
    calls.append("delete")
  }
  /// Stands for the validation of key-value coding on Apple's platforms.
  override func validateValue(_ value: inout Any?, forKey key: String) throws {
    if let text = value as? String { value = text.lowercased() }
    try super.validateValue(&value, forKey: key)
  }
}

@Suite("Objects and their values")
struct ObjectStateTests {
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext

  /// One for all tests: `RecordingObject.entity()` is that of the last model.
  private static let model = UncheckedSendable(makeModel())

  private static func makeModel() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "RecordingObject"
    entity.managedObjectClassName = NSStringFromClass(RecordingObject.self)
    let related = BlogModel.relationship("others", to: entity, isToMany: true, .nullifyDeleteRule)
    related.inverseRelationship = related
    entity.properties = [BlogModel.attribute("text", .string), BlogModel.attribute("number", .integer32), related]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  init() throws {
    container = NSPersistentContainer(name: "RecordingObject", managedObjectModel: Self.model.value)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { #expect($1 == nil) }
    context = container.newBackgroundContext()
  }

  // [object-save-3] [object-delete-6] [object-fault-3]
  @Test("an object's description has its memory address, so that two objects can be distinguished")
  func objectsDescriptionHasItsMemoryAddress() throws {
    let blog = try Blog()
    let context = blog.context()
    context.performAndWait {
      let post = Post(context: context)
      let address = String(UInt(bitPattern: ObjectIdentifier(post)), radix: 16)
      #expect(post.description.contains("Post: 0x\(address)> (entity: Post;"))
    }
  }

  @Test("an object receives calls when it is fetched, faulted, saved and deleted")
  func objectReceivesCallsWhenItIsFetched() throws {
    try context.performAndWait {
      let object = RecordingObject(context: context)
      try context.save()
      #expect(object.calls == ["saved"])
      #expect(object.faultingState == 0)
      object.setValue("One", forKey: "text")
      try context.save()
      #expect(object.calls == ["saved", "update", "saved"])
      object.calls = []
      context.refresh(object, mergeChanges: false)
      #expect(object.calls == ["will", "did"])
      #expect(object.isFault)
      #expect(object.faultingState != 0)
      #expect(object.objectID.entity === object.entity)
      #expect(!object.isDeleted)
      #expect(object.isFault)
      object.willAccessValue(forKey: nil)
      #expect(object.calls == ["will", "did", "fetch"])
      #expect(!object.isFault)
      object.calls = []
      context.delete(object)
      try context.save()
      #expect(object.calls == ["deletion", "delete", "saved"])
    }
  }

  // [object-insert-2]
  // [object-fault-6]
  @Test("the deinit of an object may use its context while the context ends to retain objects")
  func deinitOfAnObjectMayUseItsContext() throws {
    try context.performAndWait {
      var counts: [Int] = []
      context.retainsRegisteredObjects = true
      try autoreleasepool {
        let object = RecordingObject(context: context)
        try context.save()
        object.whenReleased = { [unowned context] in counts.append(context.registeredObjects.count) }
      }
      #expect(counts.isEmpty)
      context.retainsRegisteredObjects = false
      #expect(counts == [0])
    }
  }

  @Test("a new object that was assigned to a store and deleted is released")
  func newObjectThatWasAssignedAndDeletedIsReleased() throws {
    try context.performAndWait {
      let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
      var releases = 0
      autoreleasepool {
        let object = RecordingObject(context: context)
        object.whenReleased = { releases += 1 }
        context.assign(object, to: store)
        context.delete(object)
        context.processPendingChanges()
      }
      #expect(releases == 1)
    }
  }

  @Test("an object reports values by key, primitive values and the changes of the event")
  func objectReportsValuesByKeyPrimitiveValues() throws {
    try context.performAndWait {
      let (object, other) = (RecordingObject(context: context), RecordingObject(context: context))
      object["text"] = "One"
      object.setValue(NSSet(object: other), forKey: "others")
      try context.save()
      object.willChangeValue(forKey: "number")
      object.setPrimitiveValue(7, forKey: "number")
      object.didChangeValue(forKey: "number")
      #expect(object.changedValuesForCurrentEvent().keys.sorted() == ["number"])
      context.processPendingChanges()
      #expect(object.changedValuesForCurrentEvent().isEmpty)
      #expect(object.changedValues()["number"] as? Int == 7)
      object.willAccessValue(forKey: "text")
      #expect(object.primitiveValue(forKey: "text") as? String == "One")
      object.didAccessValue(forKey: "text")
      #expect(object.objectIDs(forRelationshipNamed: "others") == [other.objectID])
      #expect(RecordingObject.contextShouldIgnoreUnmodeledPropertyChanges)
    }
  }

  // [coredata-valid-5]
  @Test("validateValue may replace a value before it is set")
  func validateValueMayReplaceAValue() throws {
    try context.performAndWait {
      let object = RecordingObject(context: context)
      var value: Any? = "ONE"
      try object.validateValue(&value, forKey: "text")
      #expect(value as? String == "one")
    }
  }

  @Test("a class's own fetch request executes in the block of a context")
  func classsOwnFetchRequestExecutes() throws {
    try context.performAndWait {
      _ = RecordingObject(context: context)
      let request: NSFetchRequest<any NSFetchRequestResult> = RecordingObject.fetchRequest()
      #expect(request.entityName == "RecordingObject")
      let typed = NSFetchRequest<RecordingObject>()
      typed.entity = NSEntityDescription.entity(forEntityName: "RecordingObject", in: context)
      #expect(typed.entity === RecordingObject.entity())
      #expect(typed.requestType == .fetchRequestType)
      #expect(try typed.execute().count == 1)
      typed.fetchBatchSize = 20
      typed.returnsObjectsAsFaults = false
      typed.includesPropertyValues = false
      typed.includesSubentities = false
      typed.shouldRefreshRefetchedObjects = true
      typed.relationshipKeyPathsForPrefetching = ["others"]
      typed.returnsDistinctResults = true
      typed.propertiesToFetch = ["text"]
      typed.propertiesToGroupBy = ["text"]
      typed.havingPredicate = NSPredicate(value: true)
      let copy = try #require(typed.copy() as? NSFetchRequest<RecordingObject>)
      #expect(copy.fetchBatchSize == 20)
      #expect(!copy.returnsObjectsAsFaults)
      #expect(!copy.includesPropertyValues)
      #expect(!copy.includesSubentities)
      #expect(copy.shouldRefreshRefetchedObjects)
      #expect(copy.returnsDistinctResults)
      #expect(copy.relationshipKeyPathsForPrefetching == ["others"])
      #expect(copy.propertiesToFetch as? [String] == ["text"])
      #expect(copy.propertiesToGroupBy as? [String] == ["text"])
      #expect(copy.havingPredicate != nil)
    }
  }

  @Test("contexts and containers run blocks; a thread may lock a context repeatedly")
  @available(*, deprecated)
  func contextsAndContainersRunBlocks() async throws {
    let context = context
    await withCheckedContinuation { done in context.perform { done.resume() } }
    let immediate = await context.perform(schedule: NSManagedObjectContext.ScheduledTaskType.immediate) { 1 }
    let enqueued = await context.perform(schedule: .enqueued) { 2 }
    #expect(immediate + enqueued == 3)
    await withCheckedContinuation { done in container.performBackgroundTask { _ in done.resume() } }
    let count = try await container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<RecordingObject>(entityName: "RecordingObject"))
    }
    #expect(count == 0)
    #expect(container.name == "RecordingObject")
    #expect(container.managedObjectModel.entities.count == 1)
    let old = NSManagedObjectContext()
    old.lock()
    #expect(old.tryLock())
    old.unlock()
    old.unlock()
    #expect(old.stalenessInterval == -1)
    #expect(old.userInfo.count == 0)
  }

  // [object-fault-5] [object-merge-1]
  @Test("refreshAllObjects rereads unchanged objects; a remote save is merged by identities")
  func refreshAllObjectsRereadsUnchangedObjects() throws {
    let other = container.newBackgroundContext()
    try context.performAndWait {
      let (kept, changed) = (RecordingObject(context: context), RecordingObject(context: context))
      try context.save()
      changed.setValue("mine", forKey: "text")
      try other.performAndWait {
        try other.existingObject(with: kept.objectID).setValue("theirs", forKey: "text")
        try other.save()
      }
      context.refreshAllObjects()
      #expect(kept.isFault)
      #expect(!changed.isFault)
      #expect(changed.value(forKey: "text") as? String == "mine")
      #expect(kept.value(forKey: "text") as? String == "theirs")
      try other.performAndWait {
        try other.existingObject(with: kept.objectID).setValue("again", forKey: "text")
        try other.save()
      }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: [kept.objectID.uriRepresentation()]], into: [context])
      #expect(kept.value(forKey: "text") as? String == "again")
    }
  }
}
