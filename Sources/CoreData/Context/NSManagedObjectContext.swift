import Foundation
import LocalCloudObjectStore
import Synchronization

/// Objects in use, on one queue, with the changes that were not saved yet.
///
/// - Difference: there is no undo: ``rollback()`` and ``reset()`` give up all changes.
// Sendable: all state is used on the context's own queue only, as Apple's rule is; what other threads set is guarded by
// a lock.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  let queue: SerialQueue
  private let type: NSManagedObjectContextConcurrencyType
  private var coordinator: NSPersistentStoreCoordinator?

  // MARK: State of the objects; used on the context's queue

  struct WeakObject {
    weak var object: NSManagedObject?
    /// The object itself while the context retains its objects.
    var retained: NSManagedObject?
  }

  var registry: [NSManagedObjectID.Key: WeakObject] = [:]
  /// How many entries may be in the registry before those of objects that are gone are removed.
  var registryLimit = 1024
  var inserted = Set<NSManagedObject>()
  var updated = Set<NSManagedObject>()
  var deleted = Set<NSManagedObject>()
  /// The changes since they were last processed.
  var event = ChangeEvent()
  /// The changes that observers are being notified of.
  var postedEvent: ChangeEvent?
  /// The number of changes so far. A controller compares it with the changes of objects since its fetch.
  var changeCount = 0
  /// How often the context was reset.
  var resetCount = 0
  /// Deleted objects whose delete rules were not followed yet.
  var deletionsToFollow: [NSManagedObject] = []
  /// Deleted objects that never were in a store.
  var unsavedDeletions = Set<NSManagedObject>()
  /// Deleted objects that the store has no more.
  var missing = Set<NSManagedObject>()
  /// Deleted objects of a merge. They are also in `missing`, until the end of the event takes them out of the context.
  var mergedDeletions: [NSManagedObject] = []
  var insertionCount = 0
  /// The stores that were chosen for objects without one.
  var assignments: [NSManagedObjectID.Key: NSPersistentStore] = [:]
  /// The object that is being told that it was inserted or read: its own changes do not count then.
  var awakening: NSManagedObject?
  var isProcessing = false
  var isEventScheduled = false
  /// Present identities by the temporary ones of before, for what a child context may still name so.
  var aliases: [NSManagedObjectID.Key: NSManagedObjectID] = [:]
  /// What was read ahead of objects that nobody has asked for.
  var prefetched = PrefetchedValues()
  /// Objects that a save is to check, though they were not changed.
  var checked = Set<NSManagedObject>()

  /// While a save has objects prepare themselves: those that changed since.
  var changedWhileSaving: Set<NSManagedObject>?

  let children = FollowingContexts()
  /// Objects that the parent has named anew and this context has not yet.
  let renames = Mutex<[(old: NSManagedObjectID, new: NSManagedObjectID)]>([])
  private var parentContext: NSManagedObjectContext?
  private var retainsObjects = false
  let oldLock = NSRecursiveLock()

  /// A name for people, which the history's transactions have, too.
  open var name: String?
  /// The author of the context's transactions in the history.
  open var transactionAuthor: String?
  /// What becomes of a save when the store's objects changed meanwhile: an ``NSMergePolicy``.
  open var mergePolicy: Any = NSMergePolicy.error
  /// Whether a fault whose object the store has no more is taken as deleted, and not as an error.
  open var shouldDeleteInaccessibleFaults = true
  /// Whether delete rules are followed when changes are processed, and not at the save only.
  open var propagatesDeletesAtEndOfEvent = true
  /// How old values may be that are used again, in seconds; below 0 of any age.
  ///
  /// - Difference: it has no effect: a fault reads what the store has, unless it was read with others already.
  open var stalenessInterval: TimeInterval = -1
  /// What the program keeps with the context.
  open private(set) var userInfo = NSMutableDictionary()

  private let mergesAutomatically = Mutex(false)

  /// Makes a context with a queue of its own, or one of the main queue.
  public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    type = ct
    queue = ct == .mainQueueConcurrencyType ? .main : SerialQueue(label: "NSManagedObjectContext")
    super.init()
  }

  /// Makes a context with a queue of its own, or one of the main queue.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.type) }

  /// A context of the kind that was confined to a thread.
  @available(*, deprecated, message: "Use -initWithConcurrencyType: instead")
  public override convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

  deinit {
    for object in registry.values.compactMap(\.object) {
      // Values that a program has read already, it may go on reading.
      if object.isFault { object.loseContext() } else { object.leaveContext() }
    }
  }

  /// On which kind of queue the context is used.
  open var concurrencyType: NSManagedObjectContextConcurrencyType { type }

  /// The coordinator whose stores the context reads and writes; a child context's is that of its last parent.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { parentContext == nil ? coordinator : parentContext?.persistentStoreCoordinator }
    set {
      if parentContext != nil {
        raiseException("Context already has a parent; cannot set a persistent store coordinator.")
      }
      coordinator?.contexts.remove(self)
      coordinator = newValue
      newValue?.contexts.add(self)
    }
  }

  /// The context that this one reads from, and saves its changes to. Nil: the stores of the coordinator.
  ///
  /// - Difference: a transient attribute's value is not carried from one to the other.
  open var parent: NSManagedObjectContext? {
    get { parentContext }
    set {
      if newValue === parentContext { return }
      if coordinator != nil { raiseException("Context already has a coordinator;  cannot replace.") }
      if parentContext != nil { raiseException("Context already has a parent;  cannot replace.") }
      if newValue?.concurrencyType == .confinementConcurrencyType {
        raiseException(
          "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
            + "NSMainQueueConcurrencyType.")
      }
      parentContext = newValue
      newValue?.children.add(self)
    }
  }

  /// Whether the context holds its objects strongly, and not only those with changes.
  open var retainsRegisteredObjects: Bool {
    get { retainsObjects }
    set {
      retainsObjects = newValue
      for (key, entry) in registry {
        registry[key] = entry.object.map { WeakObject(object: $0, retained: newValue ? $0 : nil) }
      }
    }
  }

  /// Whether what other contexts of the coordinator save or children of the parent do, and what is imported from the
  /// cloud, is merged into this one.
  open var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically.withLock { $0 } }
    set { mergesAutomatically.withLock { $0 = newValue } }
  }

  /// The state of the stores that the context reads: nil for the last one, ``NSQueryGenerationToken/current`` for the
  /// one at its next read.
  open internal(set) var queryGenerationToken: NSQueryGenerationToken?

  var model: NSManagedObjectModel {
    guard let coordinator = persistentStoreCoordinator else {
      raiseException("The context has no persistent store coordinator.")
    }
    return coordinator.managedObjectModel
  }

  var stores: [NSPersistentStore] { persistentStoreCoordinator?.persistentStores ?? [] }

  /// The stores that are among those that a request is for; nil for all.
  func stores(among affected: [NSPersistentStore]?) -> [NSPersistentStore] {
    affected.map { affected in stores.filter { store in affected.contains { $0 === store } } } ?? stores
  }

  /// Whether a fault whose object is not in the store is taken as deleted; if not, reading it is an exception. A
  /// subclass may decide by the object.
  @discardableResult
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    shouldDeleteInaccessibleFaults
  }

  // MARK: Finding objects

  /// The objects, identities, dictionaries or counts that a request asks for; they can be cast. Objects that the
  /// context has keep their values. Its unsaved changes count, except in dictionaries. A fetch with a request that has
  /// the type of its results calls this function, too.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { try results(of: request) }

  /// The number of results that a request would return.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    try resultCount(of: request)
  }

  /// Passes a request to the stores. No context sees the changes of the request before they are merged,
  /// as with ``mergeChanges(fromRemoteContextSave:into:)``.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    ConcurrencyCheck.check(self)
    return try request.result(in: self)
  }

  /// The context's object of that identity; nil if it has none.
  @discardableResult
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    followRenames()
    return registry[resolved(objectID).key]?.object
  }

  /// The context's object of that identity. Makes a fault if it has none, without reading the store: whether the object
  /// exists shows when one of its values is asked for.
  @discardableResult
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(objectID) }

  /// The object of that identity. Throws ``NSManagedObjectReferentialIntegrityError`` if it is not in the store.
  @discardableResult
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject { try readObject(objectID) }

  // MARK: Changing objects

  /// Inserts an object that has no context. Each new object that is made for a context is inserted by this function.
  open func insert(_ object: NSManagedObject) { insertObject(object) }

  /// Marks an object to be removed at the next save. The delete rules of its relationships are followed when the
  /// changes are processed.
  open func delete(_ object: NSManagedObject) { deleteObject(object) }

  /// Reads an object anew when it is next used. With `mergeChanges` its unsaved changes are kept. Without, they are
  /// lost: a new object becomes a fault, too, and has its entity's defaults when it is next used.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { refreshObject(object, mergeChanges: flag) }

  /// Makes faults of all objects without changes, and reads the others anew. They keep their changes.
  open func refreshAllObjects() { refreshObjects() }

  /// Has the next save fail, or settle by its policy, if another context saves a change of the object, though this
  /// context does not change it.
  open func detectConflicts(for object: NSManagedObject) {
    requireOwn(object, "detect conflicts for")
    guard object.context === self, object.stage == .present else { return }
    object.fire()
    checked.insert(object)
  }

  /// Chooses the store of an object that was not saved yet.
  open func assign(_ object: Any, to store: NSPersistentStore) { setStore(of: object, store) }

  /// Gives objects that were not saved yet the identities that they will have in their stores. An object that was saved
  /// into the parent gets the identity that the parent's object has, or gets now.
  ///
  /// Throws ``NSManagedObjectReferentialIntegrityError`` for an object that the parent has no more.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    for object in objects { requireOwn(object, "obtain permanent IDs for") }
    try PermanentIDs(context: self).obtain(for: objects)
  }

  // MARK: Saving, merging, giving up

  /// Saves all changes to the stores: one transaction for each store. If a change is not valid, or a store refuses it,
  /// all changes stay pending.
  ///
  /// Throws a validation error, ``NSManagedObjectMergeError`` or ``NSManagedObjectConstraintMergeError`` with the
  /// conflicts under `conflictList`, or the store's error.
  open func save() throws { try saveChanges() }

  /// Follows delete rules, and posts the changes since the last call.
  open func processPendingChanges() { processChanges() }

  /// Gives up all changes since the last save.
  open func rollback() { discardChanges() }

  /// Forgets all objects. Objects that a program still holds become faults without a context. Their values can't be
  /// read.
  open func reset() { forgetObjects() }

  /// Merges the changes that another context saved, from its notification: ``didSaveObjectsNotification``, the one with
  /// identities, or a history transaction's.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    ContextMerge(context: self).run(notification.userInfo ?? [:])
  }

  /// Merges changes from identities or their URLs, under the keys of the notifications.
  open class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    let data = UncheckedSendable(changeNotificationData)
    for context in contexts {
      context.queue.borrow { context.inBlock { ContextMerge(context: context).run(data.value) } }
    }
  }

  /// Has the context read a state of the stores until it saves, merges or is reset: that of a token, or the one at its
  /// next read (``NSQueryGenerationToken/current``). Then it goes on with the state of that time. Nil: always the last.
  ///
  /// Throws ``NSPersistentStoreOperationError`` for a token of another coordinator.
  open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { try pin(to: generation) }

  // MARK: Queue

  /// Runs a block on the context's queue, later. The changes that it made are processed when it returns. The
  /// asynchronous form with a result calls this function, too.
  open func perform(_ block: @escaping () -> Void) { enqueue(block) }

  /// Runs a block on the context's queue, and waits for it. A block may call this again. The changes that it made are
  /// processed when the outermost one returns. The form with a result calls this function, too.
  open func performAndWait(_ block: () -> Void) { runAndWait(block) }

  // MARK: Undo

  /// Always nil. Setting one is refused, with one line on stderr.
  ///
  /// - Difference: there is no undo.
  open var undoManager: UndoManager? {
    get { nil }
    set { if newValue != nil { UndoManager.refuse() } }
  }

  /// Refused, with one line on stderr; see ``undoManager``.
  open func undo() { UndoManager.refuse() }

  /// Refused, with one line on stderr; see ``undoManager``.
  open func redo() { UndoManager.refuse() }

  // MARK: Programs of old

  /// Waits for the other threads that locked the context.
  ///
  /// - Difference: it only guards against other callers of it; use ``performAndWait(_:)``.
  @available(*, deprecated, message: "Use a queue style context and -performBlockAndWait: instead")
  open func lock() { oldLock.lock() }

  /// Gives the lock back.
  @available(*, deprecated, message: "Use a queue style context and -performBlockAndWait: instead")
  open func unlock() { oldLock.unlock() }

  /// Takes the lock if no other thread has it.
  @available(*, deprecated, message: "Use a queue style context instead")
  @discardableResult
  open func tryLock() -> Bool { oldLock.try() }

  /// A context of the kind that was confined to a thread.
  ///
  /// - Difference: a subclass can't be made so: nothing says that it has the initializer.
  @available(*, deprecated, message: "Use -initWithConcurrencyType: instead")
  @discardableResult
  open class func new() -> Self {
    guard self == NSManagedObjectContext.self else {
      raiseException("\(self) can't be made by new(); use an initializer.")
    }
    return unsafeDowncast(NSManagedObjectContext(concurrencyType: .confinementConcurrencyType), to: self)
  }

  /// Receives the changes of objects from key-value observing.
  ///
  /// - Difference: on Linux there is none, and this does nothing: objects tell their context themselves.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [String: Any]?, context: UnsafeMutableRawPointer?
  ) {}

  // MARK: Sets

  /// New objects, which no save has written yet.
  open var insertedObjects: Set<NSManagedObject> { inserted }
  /// Objects of the store with changes.
  open var updatedObjects: Set<NSManagedObject> { updated }
  /// Objects that the next save removes.
  open var deletedObjects: Set<NSManagedObject> { deleted }
  /// All objects that the context has in use.
  open var registeredObjects: Set<NSManagedObject> { Set(registry.values.compactMap(\.object)) }
  /// Whether a save would write anything.
  open var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }
}

extension Set<NSManagedObject> {
  /// In the order in which they were inserted into their context; before them those of the stores, by number.
  var inOrder: [NSManagedObject] {
    sorted { ($0.insertionNumber, $0.identity.place) < ($1.insertionNumber, $1.identity.place) }
  }
}

/// The changes that ``Notification/Name/NSManagedObjectContextObjectsDidChange`` tells of.
struct ChangeEvent {
  var inserted = Set<NSManagedObject>()
  var updated = Set<NSManagedObject>()
  var deleted = Set<NSManagedObject>()
  var refreshed = Set<NSManagedObject>()
  var invalidated = Set<NSManagedObject>()
  /// The objects that a reset made invalid; nil if there was no reset.
  var allInvalidated: [NSManagedObjectID]?
  /// The changed properties of refreshed objects. An object that lost its values has no entry.
  private(set) var refreshedKeys: [NSManagedObject: Set<String>] = [:]

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
      && allInvalidated == nil
  }

  /// The objects of the event, each one once. A reset has identities alone.
  var objects: Set<NSManagedObject> { inserted.union(updated).union(deleted).union(refreshed).union(invalidated) }

  /// Gives an object newer values.
  mutating func refresh(_ object: NSManagedObject, with snapshot: ObjectSnapshot) {
    guard let names = object.refresh(with: snapshot) else { return }
    refreshedKeys[object, default: []].formUnion(names)
  }
}
