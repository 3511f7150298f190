import CloudKit
import CoreData
import Foundation
import Testing

/// Subclasses that override functions that Apple's classes inherit from Objective-C.
@Suite("Overrides of functions")
struct OverridingTests {
  private final class Context: NSManagedObjectContext, @unchecked Sendable {
    private(set) var calls: [String] = []

    func takeCalls() -> [String] {
      defer { calls = [] }
      return calls
    }

    override func save() throws {
      calls.append("save")
      try super.save()
    }
    override func perform(_ block: @escaping () -> Void) {
      calls.append("perform")
      super.perform(block)
    }
    override func performAndWait(_ block: () -> Void) {
      calls.append("performAndWait")
      super.performAndWait(block)
    }
    override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
      calls.append("fetch")
      return try super.fetch(request)
    }
    override func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
      calls.append("count")
      return try super.count(for: request)
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
      calls.append("execute")
      return try super.execute(request)
    }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
      calls.append("registeredObject")
      return super.registeredObject(for: objectID)
    }
    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
      calls.append("object")
      return super.object(with: objectID)
    }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
      calls.append("existingObject")
      return try super.existingObject(with: objectID)
    }
    override func insert(_ object: NSManagedObject) {
      calls.append("insert")
      super.insert(object)
    }
    override func delete(_ object: NSManagedObject) {
      calls.append("delete")
      super.delete(object)
    }
    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
      calls.append("refresh")
      super.refresh(object, mergeChanges: flag)
    }
    override func refreshAllObjects() {
      calls.append("refreshAllObjects")
      super.refreshAllObjects()
    }
    override func detectConflicts(for object: NSManagedObject) {
      calls.append("detectConflicts")
      super.detectConflicts(for: object)
    }
    override func assign(_ object: Any, to store: NSPersistentStore) {
      calls.append("assign")
      super.assign(object, to: store)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
      calls.append("obtainPermanentIDs")
      try super.obtainPermanentIDs(for: objects)
    }
    override func processPendingChanges() {
      calls.append("processPendingChanges")
      super.processPendingChanges()
    }
    override func rollback() {
      calls.append("rollback")
      super.rollback()
    }
    override func reset() {
      calls.append("reset")
      super.reset()
    }
    override func mergeChanges(fromContextDidSave notification: Notification) {
      calls.append("mergeChanges")
      super.mergeChanges(fromContextDidSave: notification)
    }
    override class func mergeChanges(fromRemoteContextSave data: [AnyHashable: Any], into: [NSManagedObjectContext]) {
      super.mergeChanges(fromRemoteContextSave: data, into: into)
    }
    override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
      calls.append("setQueryGenerationFrom")
      try super.setQueryGenerationFrom(generation)
    }
    override var undoManager: UndoManager? {
      get { super.undoManager }
      set { super.undoManager = newValue }
    }
    override func undo() { calls.append("undo") }
    override func redo() { calls.append("redo") }
    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [String: Any]?, context: UnsafeMutableRawPointer?
    ) {}
  }

  private static func context() throws -> (Context, Blog) {
    let blog = try Blog()
    let context = Context(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = blog.container.persistentStoreCoordinator
    return (context, blog)
  }

  @Test("[object-queue-7] a call of a context's function calls one override, once")
  func eachOnce() async throws {
    let (context, blog) = try Self.context()
    _ = await context.perform { 1 }
    #expect(context.takeCalls() == ["perform"])
    #expect(context.performAndWait { 2 } == 2)
    #expect(context.takeCalls() == ["performAndWait"])
    #expect(throws: CocoaError.self) { try context.performAndWait { throw CocoaError(.userCancelled) } }
    #expect(context.takeCalls() == ["performAndWait"])
    try context.performAndWait {
      #expect(context.takeCalls() == ["performAndWait"])
      let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
      #expect(context.takeCalls() == ["insert"])
      func expect(_ call: String, _ body: () throws -> Void) rethrows {
        try body()
        let calls = context.takeCalls()
        #expect(calls == [call])
      }
      expect("assign") { context.assign(post, to: blog.store) }
      try expect("obtainPermanentIDs") { try context.obtainPermanentIDs(for: [post]) }
      expect("processPendingChanges") { context.processPendingChanges() }
      post.setValue("One", forKey: "title")
      try expect("save") { try context.save() }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Post")
      var found: [NSManagedObject] = []
      var count = 0
      try expect("fetch") { found = try context.fetch(request) }
      #expect(found == [post])
      let untyped = NSFetchRequest<NSFetchRequestResult>(entityName: "Post")
      try expect("fetch") { found = try context.fetch(untyped).compactMap { $0 as? NSManagedObject } }
      #expect(found == [post])
      try expect("count") { count += try context.count(for: request) }
      try expect("count") { count += try context.count(for: untyped) }
      #expect(count == 2)
      let update = NSBatchUpdateRequest(entityName: "Post")
      update.propertiesToUpdate = ["title": "Two"]
      try expect("execute") { _ = try context.execute(update) }
      expect("registeredObject") { #expect(context.registeredObject(for: post.objectID) === post) }
      expect("object") { #expect(context.object(with: post.objectID) === post) }
      try expect("existingObject") { found = [try context.existingObject(with: post.objectID)] }
      #expect(found == [post])
      expect("refresh") { context.refresh(post, mergeChanges: true) }
      expect("refreshAllObjects") { context.refreshAllObjects() }
      expect("detectConflicts") { context.detectConflicts(for: post) }
      expect("delete") { context.delete(post) }
      expect("rollback") { context.rollback() }
      expect("mergeChanges") {
        context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
      }
      try expect("setQueryGenerationFrom") { try context.setQueryGenerationFrom(nil) }
      expect("reset") { context.reset() }
    }
  }

  @Test(
    "[object-queue-7] a context's internal work calls no override: the merge of another save, a child's save")
  func byItself() throws {
    let (context, blog) = try Self.context()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    context.automaticallyMergesChangesFromParent = true
    try child.performAndWait {
      let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: child)
      post.setValue("One", forKey: "title")
      try child.save()
      child.delete(post)
      try child.save()
    }
    let other = blog.context()
    try other.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Post", into: other).setValue("Two", forKey: "title")
      try other.save()
    }
    // The merge is already on the context's queue, before this block.
    context.performAndWait {}
    #expect(context.takeCalls() == ["performAndWait"])
  }

  private final class Coordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var calls: [String] = []

    override func performAndWait(_ block: () -> Void) {
      calls.append("performAndWait")
      super.performAndWait(block)
    }
    override func perform(_ block: @escaping () -> Void) {
      calls.append("perform")
      super.perform(block)
    }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
      try super.execute(request, with: context)
    }
    override class func metadataForPersistentStore(
      ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] { ["type": storeType] }
    override class func setMetadata(
      _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
      options: [AnyHashable: Any]? = nil
    ) throws {}
    override func destroyPersistentStore(
      at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws { calls.append("destroy") }
    override func replacePersistentStore(
      at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
      sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws { calls.append("replace") }
    override func migratePersistentStore(
      _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore { store }
    override func finishDeferredLightweightMigration() throws {}
    override func finishDeferredLightweightMigrationTask() throws {}
  }

  @Test(
    "a coordinator's functions call the overrides with older signatures"
  )
  func coordinatorsFunctionsCallTheOverrides() async throws {
    let coordinator = Coordinator(managedObjectModel: BlogModel.shared)
    let url = URL(fileURLWithPath: "/nowhere.sqlite")
    try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: url, type: .sqlite)
    #expect(coordinator.performAndWait { 1 } == 1)
    #expect(await coordinator.perform { 2 } == 2)
    #expect(coordinator.calls == ["destroy", "replace", "performAndWait", "perform"])
    #expect(
      try Coordinator.metadataForPersistentStore(type: .sqlite, at: url) as? [String: String] == ["type": "SQLite"])
  }

  private final class Model: NSManagedObjectModel, @unchecked Sendable {
    override var entityVersionHashesByName: [String: Data] { [:] }
    override var versionChecksum: String { "checksum" }
    override func isConfiguration(withName: String?, compatibleWithStoreMetadata metadata: [String: Any]) -> Bool {
      true
    }
    override class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { Model() }
    override class func mergedModel(
      from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? { Model() }
    override var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] { [:] }
    override func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? { nil }
    override func setFetchRequestTemplate(_ template: NSFetchRequest<NSFetchRequestResult>?, forName name: String) {}
    override func fetchRequestFromTemplate(
      withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<NSFetchRequestResult>? { nil }
  }

  private final class Transaction: NSPersistentHistoryTransaction, @unchecked Sendable {
    override class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? { nil }
    override class var entityDescription: NSEntityDescription? { nil }
    override class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { nil }
  }

  private final class Change: NSPersistentHistoryChange, @unchecked Sendable {
    override class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? { nil }
    override class var entityDescription: NSEntityDescription? { nil }
    override class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { nil }
  }

  private final class Store: NSPersistentStore, @unchecked Sendable {
    override class func migrationManagerClass() -> AnyClass { Manager.self }
  }

  private final class Manager: NSMigrationManager {
    override func cancelMigrationWithError(_ error: any Error) {}
  }

  private final class Entity: NSEntityDescription, @unchecked Sendable {
    override class func entity(forEntityName entityName: String, in: NSManagedObjectContext) -> NSEntityDescription? {
      nil
    }
    override class func insertNewObject(forEntityName name: String, into: NSManagedObjectContext) -> NSManagedObject {
      super.insertNewObject(forEntityName: name, into: into)
    }
  }

  @Test("overrides of models, stores and history classes are called")
  func overridesOfModelsStoresAndHistoryClasses() {
    #expect((Model() as NSManagedObjectModel).versionChecksum == "checksum")
    #expect((Transaction.self as NSPersistentHistoryTransaction.Type).fetchRequest == nil)
    #expect((Change.self as NSPersistentHistoryChange.Type).entityDescription == nil)
    #expect((Store.self as NSPersistentStore.Type).migrationManagerClass() is Manager.Type)
  }

  private final class Container: NSPersistentCloudKitContainer, @unchecked Sendable {
    struct Refused: Error, Equatable {}

    override func share(
      _ managedObjects: [NSManagedObject], to share: CKShare?,
      completion: @escaping (Set<NSManagedObjectID>?, CKShare?, CKContainer?, (any Error)?) -> Void
    ) { completion(nil, nil, nil, Refused()) }
    override func acceptShareInvitations(
      from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore,
      completion: (([CKShare.Metadata]?, (any Error)?) -> Void)? = nil
    ) { completion?(metadata, nil) }
    override func fetchShares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: CKShare] { [:] }
    override func fetchShares(in persistentStore: NSPersistentStore?) throws -> [CKShare] { throw Refused() }
    override func fetchParticipants(
      matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore,
      completion: @escaping ([CKShare.Participant]?, (any Error)?) -> Void
    ) { completion([], nil) }
    override func persistUpdatedShare(
      _ share: CKShare, in persistentStore: NSPersistentStore, completion: ((CKShare?, (any Error)?) -> Void)? = nil
    ) { completion?(nil, Refused()) }
    override func purgeObjectsAndRecordsInZone(
      with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?,
      completion: ((CKRecordZone.ID?, (any Error)?) -> Void)? = nil
    ) { completion?(zoneID, nil) }
  }

  @Test("async functions of a CloudKit container call the override with a handler")
  func asyncFunctionsOfACloudKitContainerCall() async throws {
    let blog = try Blog()
    let container = Container(name: "Blog", managedObjectModel: BlogModel.shared)
    await #expect(throws: Container.Refused()) { try await container.share([], to: nil) }
    #expect(try await container.acceptShareInvitations(from: [], into: blog.store).isEmpty)
    #expect(try await container.fetchParticipants(matching: [], into: blog.store).isEmpty)
    let zone = CKRecordZone.ID(zoneName: "Zone")
    #expect(try await container.purgeObjectsAndRecordsInZone(with: zone, in: blog.store) == zone)
    #expect(throws: Container.Refused()) { try container.fetchShares(in: nil) }
  }

  @Test("the notifications of identities have the names of both styles")
  func notificationsOfIdentitiesHaveTheNames() {
    #expect(
      Notification.Name.NSManagedObjectContextDidSaveObjectIDs == NSManagedObjectContext.didSaveObjectIDsNotification)
    #expect(
      Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
        == NSManagedObjectContext.didMergeChangesObjectIDsNotification)
  }
}
