import Foundation
import LocalCloudObjectStore
import Synchronization

/// A set of objects that are used on one queue, with their unsaved changes.
///
/// - Difference: there is no undo: ``rollback()`` and ``reset()`` discard all changes.
// Sendable: all state is used on the context's own queue only, as Apple requires; state that other threads set is
// guarded by a lock.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  let queue: SerialQueue
  private let type: NSManagedObjectContextConcurrencyType
  private var coordinator: NSPersistentStoreCoordinator?

  // MARK: State of the objects; used on the context's queue

  final var registered = RegisteredObjects()
  final let changes = PendingChanges()
  final var readAhead = ReadAhead()
  /// The object that is being notified of its insertion or read: its own changes do not count during this.
  var awakening: NSManagedObject?
  var isProcessing = false
  var isEventScheduled = false

  let children = DependentContexts()
  /// New identities that the parent has given to objects and that this context has not applied yet.
  let renames = Mutex<[(old: NSManagedObjectID, new: NSManagedObjectID)]>([])
  private var parentContext: NSManagedObjectContext?
  let oldLock = NSRecursiveLock()

  /// A name for people. The history's transactions contain it.
  open var name: String?
  /// The author of the context's transactions in the history.
  open var transactionAuthor: String?
  /// The policy for a save if the store's objects have changed since they were read: an ``NSMergePolicy``.
  open var mergePolicy: Any = NSMergePolicy.error
  /// Whether a fault counts as deleted if the store no longer has its object. If false, reading the fault is an error.
  open var shouldDeleteInaccessibleFaults = true
  /// Whether delete rules are applied when changes are processed. If false, only a save applies them.
  open var propagatesDeletesAtEndOfEvent = true
  /// The maximum age in seconds of values that are used again; a negative number allows any age.
  ///
  /// - Difference: it has no effect: a fault reads the store's present values, unless they were read with other objects
  ///   already.
  open var stalenessInterval: TimeInterval = -1
  /// The program's own data for the context.
  open private(set) var userInfo = NSMutableDictionary()

  private let mergesAutomatically = Mutex(false)

  /// Creates a context with its own queue, or a context of the main queue.
  public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    type = ct
    queue = ct == .mainQueueConcurrencyType ? .main : SerialQueue(label: "NSManagedObjectContext")
  }

  /// Creates a context with its own queue, or a context of the main queue.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.type) }

  /// Creates a context that is confined to a thread.
  @available(*, deprecated, message: "Use -initWithConcurrencyType: instead")
  public override convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

  deinit {
    for object in registered.all {
      // A program may still read the values that it has read before.
      if object.isFault { object.loseContext() } else { object.leaveContext() }
    }
  }

  /// The kind of queue that the context uses.
  open var concurrencyType: NSManagedObjectContextConcurrencyType { type }

  /// The coordinator of the stores that the context reads and writes. For a child context, that of its topmost parent.
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

  /// The context that this one reads from and saves its changes to. Nil if it uses the stores of the coordinator.
  ///
  /// - Difference: a child does not read values of transient attributes from its parent. Its save carries them to the
  ///   parent.
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

  /// Whether the context holds all of its objects strongly. If false, it holds only objects with changes strongly.
  open var retainsRegisteredObjects: Bool {
    get { registered.areRetained }
    set {
      // Objects are released after the access: the `deinit` of a program's class may use the context.
      withExtendedLifetime(registered.all) { registered.retain(newValue) }
    }
  }

  /// Whether the context automatically merges imports from the cloud and the saves of other contexts of its coordinator
  /// or parent.
  open var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically.withLock { $0 } }
    set { mergesAutomatically.withLock { $0 = newValue } }
  }

  /// The state of the stores that the context reads: nil for the latest state, ``NSQueryGenerationToken/current`` for
  /// the state at its next read.
  open internal(set) var queryGenerationToken: NSQueryGenerationToken?

  var model: NSManagedObjectModel {
    guard let coordinator = persistentStoreCoordinator else {
      raiseException("The context has no persistent store coordinator.")
    }
    return coordinator.managedObjectModel
  }

  var stores: [NSPersistentStore] { persistentStoreCoordinator?.persistentStores ?? [] }

  /// The context's stores that are in `affected`; all of them if it is nil.
  func stores(among affected: [NSPersistentStore]?) -> [NSPersistentStore] {
    affected.map { affected in stores.filter { store in affected.contains { $0 === store } } } ?? stores
  }

  /// Whether a fault without an object in the store counts as deleted. If false, reading the fault raises an exception.
  /// A subclass may decide for each object.
  @discardableResult
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    shouldDeleteInaccessibleFaults
  }

  // MARK: Finding objects

  /// The objects, identities, dictionaries or counts that a request asks for; they can be cast. Objects that the
  /// context has already retain their values. Its unsaved changes count, except in dictionaries. A fetch with a typed
  /// request calls this function too.
  ///
  /// - Throws: the error of a store that can't be read, or ``NSCoreDataError`` if a predicate can't be evaluated.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    try results(of: request)
  }

  /// The number of results that a request would return.
  ///
  /// - Throws: the error of a store that can't be read, or ``NSCoreDataError`` if a predicate can't be evaluated.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    ConcurrencyCheck.check(self)
    let plan = try FetchPlan(request, in: self)
    applyRenames()
    propagateDeletions()
    return try CoreDataError.translating {
      if request.resultType == .dictionaryResultType { return try DictionaryFetch(request, plan).results().count }
      return try plan.count()
    }
  }

  /// Passes a request to the stores. Contexts do not see the changes of the request before they merge them, for example
  /// with ``mergeChanges(fromRemoteContextSave:into:)``.
  ///
  /// - Throws: an error if a store can't be read or written, or if the request is not valid.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    ConcurrencyCheck.check(self)
    return try request.result(in: self)
  }

  /// The context's object of that identity; nil if it has none.
  @discardableResult
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    applyRenames()
    return registered[objectID]
  }

  /// The context's object of that identity. Creates a fault if there is none, without reading the store: only reading
  /// one of its values shows whether the object exists.
  @discardableResult
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(objectID) }

  /// The object of that identity. Throws ``NSManagedObjectReferentialIntegrityError`` if it is not in the store.
  @discardableResult
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    applyRenames()
    if let object = registered[objectID] {
      if object.stage == .deleted { throw Self.missingError(objectID) }
      if object.isFilled || object.committed != nil { return object }
    }
    guard let snapshot = try reader.snapshot(of: objectID) else { throw Self.missingError(objectID) }
    let object = objectOrFault(objectID)
    object.committed = snapshot
    object.fire()
    return object
  }

  // MARK: Changing objects

  /// Inserts an object that has no context. Each new object that is created for a context is inserted by this function.
  open func insert(_ object: NSManagedObject) {
    if object.context === self { return }
    guard object.context == nil else {
      raiseException("An NSManagedObject of another context cannot be inserted into this one.")
    }
    enter(object)
    awaken(object) { object.awakeFromInsert() }
  }

  /// Marks an object to be deleted by the next save. The delete rules of its relationships are applied when the changes
  /// are processed.
  open func delete(_ object: NSManagedObject) { deleteObject(object) }

  /// Updates an object with the store's present values. With `mergeChanges` its unsaved changes stay. Without, they are
  /// lost and the object becomes a fault. A new object then has its entity's default values when it is next used.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { refreshObject(object, mergeChanges: flag) }

  /// Turns all objects without changes into faults, and reads the others again. Changes stay.
  open func refreshAllObjects() {
    for object in registered.all where object.stage == .present {
      refreshObject(object, mergeChanges: object.isMarkedUpdated)
    }
  }

  /// Makes the next save detect a conflict if another context saves a change of the object, though this context does
  /// not change it. The save then fails, or its policy resolves the conflict.
  open func detectConflicts(for object: NSManagedObject) {
    requireOwn(object, "detect conflicts for")
    guard object.context === self, object.stage == .present else { return }
    object.fire()
    changes.checked.insert(object)
  }

  /// Chooses the store of an unsaved object.
  open func assign(_ object: Any, to store: NSPersistentStore) {
    guard let object = object as? NSManagedObject, object.stage == .inserted else {
      raiseException("Can't reassign an object to a different store once it has been saved.")
    }
    requireOwn(object, "assign")
    guard store.entityIndex(of: object.entity) != nil else {
      raiseException("Can't assign an object to a store that does not contain the object's entity.")
    }
    guard stores.contains(where: { $0 === store }) else {
      raiseException("Can't assign an object to a store that the context's coordinator does not have.")
    }
    changes.stores[object] = store
  }

  /// Gives unsaved objects the identities that they will have in their stores. An object that was saved into the parent
  /// gets the identity of the parent's object. If that is temporary, it becomes permanent first.
  ///
  /// - Throws: ``NSManagedObjectReferentialIntegrityError`` for an object that the parent no longer has.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    for object in objects { requireOwn(object, "obtain permanent IDs for") }
    try obtainIDs(for: objects)
  }

  // MARK: Saving, merging, discarding

  /// Saves all changes to the stores: one transaction for each store. If a change is not valid, all changes stay
  /// pending. If a store refuses a change, the changes that were not written yet stay pending.
  ///
  /// - Throws: a validation error, ``NSManagedObjectMergeError`` or ``NSManagedObjectConstraintMergeError`` with the
  ///   conflicts under `conflictList`, or the store's error.
  open func save() throws {
    ConcurrencyCheck.check(self)
    propagateDeletions()
    processChanges()
    guard !hasChanges || persistentStoreCoordinator != nil else {
      raiseException("This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation.")
    }
    callWillSave()
    try changes.validate()
    NotificationCenter.default.post(name: Self.willSaveObjectsNotification, object: self)
    processChanges()
    guard hasChanges else {
      try saveMetadata()
      return SavedObjects().post(by: self)
    }
    // A new object that became a fault is written with its entity's default values.
    for object in changes.inserted { object.fire() }
    advanceGeneration()
    let policy = mergePolicy as? NSMergePolicy ?? .error
    let saved: SavedObjects
    if let parent {
      saved = SavedObjects(inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
      try ChildSave(self, into: parent).run(policy)
    } else {
      var coordinator = SaveCoordinator(self, policy)
      saved = try coordinator.run()
      try saveMetadata()
    }
    for object in changes.missing { release(object) }
    changes.removeAll()
    readAhead = ReadAhead()
    for object in saved.inserted.union(saved.updated).union(saved.deleted) { object.didSave() }
    saved.post(by: self)
    processChanges()
    children.merge(saved.identities)
  }

  /// Applies delete rules, and posts the changes since the last call.
  open func processPendingChanges() { processChanges() }

  /// Discards all changes since the last save.
  open func rollback() {
    releaseMergedDeletions()
    propagateDeletions()
    let (inserted, restored) = changes.discardAll()
    readAhead = ReadAhead()
    for object in inserted { release(object) }
    for object in restored { object.restoreCommitted() }
    for object in restored.filter(\.isFilled) { object.awake(fromSnapshotEvents: .rollback) }
    processChanges()
  }

  /// Removes all objects from the context. Objects that a program still holds become faults without a context. Their
  /// values can't be read.
  open func reset() {
    let objects = registered.all
    for object in objects { object.loseContext() }
    registered.removeAll()
    advanceGeneration()
    changes.reset(objects.map(\.identity))
    readAhead = ReadAhead()
    processChanges()
  }

  /// Merges the changes that another context saved.
  ///
  /// - Parameter notification: a ``didSaveObjectsNotification`` or ``didSaveObjectIDsNotification`` of the other
  ///   context, or the notification of a history transaction.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    ContextMerge(context: self).run(ObjectChangeIDs(notification.userInfo ?? [:], persistentStoreCoordinator))
  }

  /// Merges changes into contexts.
  ///
  /// - Parameters:
  ///   - changeNotificationData: identities of objects or their URLs, under the keys of the notifications.
  ///   - contexts: the contexts. Each one merges on its own queue before this returns.
  open class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    let data = UncheckedSendable(changeNotificationData)
    for context in contexts {
      context.queue.borrow {
        context.inBlock {
          let changes = ObjectChangeIDs(data.value, context.persistentStoreCoordinator)
          ContextMerge(context: context).run(changes)
        }
      }
    }
  }

  /// Pins the context to a state of the stores until it saves, merges or is reset: to the state of a token, or the
  /// state at its next read (``NSQueryGenerationToken/current``). Afterwards it is pinned to the state of that time.
  /// Nil: it always reads the latest state.
  ///
  /// - Throws: ``NSPersistentStoreOperationError`` for a token of another coordinator.
  open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    if parent != nil {
      raiseException("Query generations can't be set on a child context: it reads what its parent does.")
    }
    guard generation?.isOf(persistentStoreCoordinator) ?? true else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError,
        reason: "The query generation is one of another coordinator's stores, which may be gone.")
    }
    queryGenerationToken = generation.map { $0.isCurrent ? .current : $0 }
  }

  // MARK: Queue

  /// Runs a block on the context's queue, later. The block's changes are processed when it returns. The asynchronous
  /// form with a result calls this function too.
  open func perform(_ block: @escaping () -> Void) { enqueue(block) }

  /// Runs a block on the context's queue, and waits for it. The block may call this again. Its changes are processed
  /// when the outermost call returns. The form with a result calls this function too.
  open func performAndWait(_ block: () -> Void) { runAndWait(block) }

  // MARK: Undo

  /// Always nil. Setting another value is refused, with one line on stderr.
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

  // MARK: Deprecated functions

  /// Locks the context. Waits while another thread has locked it.
  ///
  /// - Difference: it only excludes other callers of this function; use ``performAndWait(_:)``.
  @available(*, deprecated, message: "Use a queue style context and -performBlockAndWait: instead")
  open func lock() { oldLock.lock() }

  /// Releases the lock.
  @available(*, deprecated, message: "Use a queue style context and -performBlockAndWait: instead")
  open func unlock() { oldLock.unlock() }

  /// Locks the context if no other thread has locked it; otherwise returns false.
  @available(*, deprecated, message: "Use a queue style context instead")
  @discardableResult
  open func tryLock() -> Bool { oldLock.try() }

  /// Creates a context that is confined to a thread.
  ///
  /// - Difference: a subclass can't be created in this way: it may lack the initializer.
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
  /// - Difference: on Linux there is no key-value observing, and this does nothing: objects notify their context.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [String: Any]?, context: UnsafeMutableRawPointer?
  ) {}

  // MARK: Sets

  /// New objects that no save has written yet.
  open var insertedObjects: Set<NSManagedObject> { changes.inserted }
  /// Objects of the store with changes.
  open var updatedObjects: Set<NSManagedObject> { changes.updated }
  /// Objects that the next save deletes.
  open var deletedObjects: Set<NSManagedObject> { changes.deleted }
  /// All objects that are registered with the context.
  open var registeredObjects: Set<NSManagedObject> { Set(registered.all) }
  /// Whether a save would write anything.
  open var hasChanges: Bool { !changes.isEmpty }
}
