import CoreData
import FaultInjection
import Foundation
import Synchronization
import Testing

@Suite("Coordinators and their stores")
struct CoordinatorTests {
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)

  init() throws { folder = try TemporaryFolder("coordinator") }

  private var url: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("a.sqlite") }

  @Test("a store has the parameters with which it was opened, and is found by its URL")
  func storeHasTheParameters() throws {
    let store = try coordinator.addPersistentStore(
      type: .sqlite, configuration: nil, at: url, options: [NSReadOnlyPersistentStoreOption: false as NSNumber])
    #expect(store.type == NSSQLiteStoreType)
    #expect(store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
    #expect(store.options?[NSReadOnlyPersistentStoreOption] as? NSNumber == false)
    #expect(store.persistentStoreCoordinator === coordinator)
    #expect(coordinator.managedObjectModel === BlogModel.shared)
    #expect(coordinator.persistentStore(for: url) === store)
    #expect(coordinator.url(for: store).path == url.path)
    #expect(coordinator.persistentStore(for: url.appendingPathComponent("x")) == nil)
    coordinator.name = "one"
    #expect(coordinator.name == "one")
    try coordinator.remove(store)
    #expect(store.persistentStoreCoordinator == nil)
    #expect(coordinator.persistentStore(for: url) == nil)
  }

  @Test("blocks run on the coordinator's queue")
  func blocksRunOnTheCoordinatorsQueue() async throws {
    let value = coordinator.performAndWait { coordinator.performAndWait { 1 } }
    let later = await coordinator.perform { 2 }
    #expect(value + later == 3)
    await withCheckedContinuation { done in coordinator.perform { done.resume() } }
    coordinator.performAndWait { coordinator.name = "block" }
    #expect(coordinator.name == "block")
  }

  @available(*, deprecated)
  @Test("a coordinator's lock is recursive and held by one thread")
  func coordinatorsLockIsRecursiveAndHeld() {
    let coordinator = coordinator
    func isFree() -> Bool {
      let answer = Mutex(false)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let isTaken = coordinator.tryLock()
        if isTaken { coordinator.unlock() }
        answer.withLock { $0 = isTaken }
        done.signal()
      }
      done.wait()
      return answer.withLock { $0 }
    }
    let lock: any NSLocking = coordinator
    lock.lock()
    coordinator.lock()
    #expect(coordinator.tryLock())
    #expect(!isFree())
    for _ in 0..<2 {
      coordinator.unlock()
      #expect(!isFree())
    }
    coordinator.unlock()
    #expect(isFree())
  }

  @Test("[stores-9] didAdd(to:) and willRemove(from:) change nothing; no migration is deferred")
  func didAddToAndWillRemoveFromChangeNothing() throws {
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let other = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    store.didAdd(to: other)
    store.willRemove(from: other)
    #expect(store.persistentStoreCoordinator === coordinator)
    #expect(other.persistentStores.isEmpty)
    try coordinator.finishDeferredLightweightMigration()
    try coordinator.finishDeferredLightweightMigrationTask()
    #expect(coordinator.persistentStores == [store])
    #expect(NSPersistentStore.migrationManagerClass() is NSMigrationManager.Type)
  }

  // [object-history-1]
  @Test("a transaction has its process, and each of its changes has a number")
  func transactionHasItsProcess() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      _ = Post(context: context)
      _ = Post(context: context)
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      func result<Value>(_ type: NSPersistentHistoryResultType, _: Value.Type) throws -> Value? {
        request.resultType = type
        return try (context.execute(request) as? NSPersistentHistoryResult)?.result as? Value
      }
      let changes = try #require(try result(.changesOnly, [NSPersistentHistoryChange].self))
      #expect(Set(changes.map(\.changeID)).count == 2)
      #expect(try result(.objectIDs, [NSManagedObjectID].self).map(Set.init) == Set(changes.map(\.changedObjectID)))
      let transaction = try #require(try result(.transactionsOnly, [NSPersistentHistoryTransaction].self)?.first)
      #expect(transaction.changes == nil)
      #expect(!transaction.processID.isEmpty)
      #expect(transaction.bundleID == transaction.bundleID)
      let entity = NSPersistentHistoryTransaction.entityDescription(with: context)
      #expect(entity?.attributesByName["author"] != nil)
      #expect(NSPersistentHistoryTransaction.entityDescription != nil)
      #expect(NSPersistentHistoryChange.fetchRequest != nil)
    }
  }
}
