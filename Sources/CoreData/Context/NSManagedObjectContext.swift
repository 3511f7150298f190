import Foundation
import ObjectStore
import Synchronization

/// Objects in use, on one queue, with the changes that were not saved yet.
///
/// - Difference: there is no undo: ``rollback()`` and ``reset()`` give up all changes.
/// - Difference: a query generation is not pinned: reads see what the store holds.
// Sendable: all state is used on the context's own queue only, as Apple's rule is; what other threads set is guarded by
// a lock.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  let queue: SerialQueue
  private let type: ConcurrencyType
  private var coordinator: NSPersistentStoreCoordinator?

  // MARK: State of the objects; used on the context's queue

  struct WeakObject {
    weak var object: NSManagedObject?
  }

  var registry: [NSManagedObjectID.Key: WeakObject] = [:]
  /// How many entries may be in the registry before those of objects that are gone are removed.
  var registryLimit = 1024
  var inserted = Set<NSManagedObject>()
  var updated = Set<NSManagedObject>()
  var deleted = Set<NSManagedObject>()
  /// The changes since they were last processed.
  var event = ChangeEvent()
  /// Deleted objects whose delete rules were not followed yet.
  var deletionsToFollow: [NSManagedObject] = []
  /// Deleted objects that never were in a store.
  var unsavedDeletions = Set<NSManagedObject>()
  /// Deleted objects that the store has no more.
  var missing = Set<NSManagedObject>()
  var insertionCount = 0
  /// The stores that were chosen for objects without one.
  var assignments: [NSManagedObjectID.Key: NSPersistentStore] = [:]
  /// The object that is being told that it was inserted or read: its own changes do not count then.
  var awakening: NSManagedObject?
  var isProcessing = false
  var isEventScheduled = false

  open var name: String?
  /// The author of the context's transactions in the history.
  open var transactionAuthor: String?
  /// What becomes of a save when the store's objects changed meanwhile: an ``NSMergePolicy``.
  open var mergePolicy: Any = NSMergePolicy.error
  open var shouldDeleteInaccessibleFaults = true
  open var propagatesDeletesAtEndOfEvent = true
  open var stalenessInterval: TimeInterval = -1
  open private(set) var userInfo = NSMutableDictionary()

  private let mergesAutomatically = Mutex(false)

  /// Makes a context with a queue of its own, or one of the main queue.
  public init(concurrencyType ct: ConcurrencyType) {
    type = ct
    queue = ct == .mainQueueConcurrencyType ? .main : SerialQueue(label: "NSManagedObjectContext")
    super.init()
  }

  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type) }

  deinit {
    for entry in registry.values { entry.object?.leaveContext() }
  }

  open var concurrencyType: ConcurrencyType { type }

  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { coordinator }
    set {
      coordinator = newValue
      newValue?.add(self)
    }
  }

  /// Whether what other contexts of the coordinator save, and what is imported from the cloud, is merged into this one.
  open var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically.withLock { $0 } }
    set { mergesAutomatically.withLock { $0 = newValue } }
  }

  /// Accepts any generation; see the difference above.
  open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    queryGenerationToken = generation
  }

  open private(set) var queryGenerationToken: NSQueryGenerationToken?

  var model: NSManagedObjectModel {
    guard let coordinator else { raiseException("The context has no persistent store coordinator.") }
    return coordinator.managedObjectModel
  }

  var stores: [NSPersistentStore] { coordinator?.persistentStores ?? [] }

  // MARK: Sets

  open var insertedObjects: Set<NSManagedObject> { inserted }
  open var updatedObjects: Set<NSManagedObject> { updated }
  open var deletedObjects: Set<NSManagedObject> { deleted }
  open var registeredObjects: Set<NSManagedObject> { Set(registry.values.compactMap(\.object)) }
  open var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

  // MARK: Constants

  public enum ConcurrencyType: UInt, Sendable {
    /// Declared for programs of old; refused by Apple's framework since long.
    case confinementConcurrencyType = 0
    case privateQueueConcurrencyType = 1
    case mainQueueConcurrencyType = 2

    public static let privateQueue = ConcurrencyType.privateQueueConcurrencyType
    public static let mainQueue = ConcurrencyType.mainQueueConcurrencyType
  }
}

public typealias NSManagedObjectContextConcurrencyType = NSManagedObjectContext.ConcurrencyType

extension Set<NSManagedObject> {
  /// In the order in which they were inserted into their context.
  var inOrder: [NSManagedObject] { sorted { $0.insertionNumber < $1.insertionNumber } }
}

/// The changes that ``Notification/Name/NSManagedObjectContextObjectsDidChange`` tells of.
struct ChangeEvent {
  var inserted = Set<NSManagedObject>()
  var updated = Set<NSManagedObject>()
  var deleted = Set<NSManagedObject>()
  var refreshed = Set<NSManagedObject>()
  var invalidated = Set<NSManagedObject>()
  var isAllInvalidated = false

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
      && !isAllInvalidated
  }
}

/// A state of the stores that a context may be asked to read.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The state when a context next reads.
  public static let current = NSQueryGenerationToken()

  override init() {}
  public required init?(coder: NSCoder) {}
  open func encode(with coder: NSCoder) {}
  public static var supportsSecureCoding: Bool { true }
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
