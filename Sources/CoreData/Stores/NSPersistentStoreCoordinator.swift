import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization

/// The stores of a model. Contexts read and write them.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
  private struct State {
    var stores: [NSPersistentStore] = []
    var name: String?
    var fileSystem = FileSystem()
  }

  /// The number of commits to the stores through the coordinator.
  let commits = Atomic(0)
  private let model: NSManagedObjectModel
  private let state = Mutex(State())
  let contexts = DependentContexts()
  private let queue = SerialQueue(label: "NSPersistentStoreCoordinator")
  private let programLock = NSRecursiveLock()

  /// Creates a coordinator for `model` and freezes the model: changing it later raises an exception.
  public init(managedObjectModel model: NSManagedObjectModel) {
    model.freeze()
    LoadedModels.add(model)
    self.model = model
  }

  /// Creates a coordinator for a model without entities.
  public override convenience init() { self.init(managedObjectModel: NSManagedObjectModel()) }

  /// The model that the coordinator was created with.
  open var managedObjectModel: NSManagedObjectModel { model }

  /// The stores in the order in which they were added.
  open var persistentStores: [NSPersistentStore] { state.withLock { $0.stores } }

  /// A name for logs; it has no other effect.
  open var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// The file system for stores added later. A test can stop the process at one of its calls.
  package var fileSystem: FileSystem {
    get { state.withLock { $0.fileSystem } }
    set { state.withLock { $0.fileSystem = newValue } }
  }

  // MARK: Stores

  /// Opens a store, or creates it if there is none at the URL. Migrates it if its options allow that.
  ///
  /// - Parameters:
  ///   - storeType: ``NSSQLiteStoreType`` or ``NSInMemoryStoreType``.
  ///   - configuration: The name of the model's configuration with the store's entities; nil for all entities.
  ///   - storeURL: The folder of the store; nil for a store in memory.
  /// - Throws: ``NSPersistentStoreInvalidTypeError``; ``NSCoreDataError`` for an unknown configuration; 134081 if the
  ///   coordinator already has the store; ``NSPersistentStoreOpenError`` if there is something other than a store;
  ///   ``NSPersistentStoreIncompatibleVersionHashError`` and the errors of a migration.
  ///
  /// - Difference: stores are of the type SQLite or in memory; a store of type SQLite is a folder. A database file of
  ///   SQLite at the URL is refused with ``NSPersistentStoreOpenError``. A URL that is created again by
  ///   `appendingPathComponent(_:)` ends in a slash once the folder exists, and differs from the store's URL;
  ///   ``persistentStore(for:)`` still finds the store.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let store = try StoreOpening(type: storeType, configuration: configuration, url: storeURL, options: options)
      .open(for: self)
    add(store)
    return store
  }

  /// The same with a typed store type: see ``addPersistentStore(ofType:configurationName:at:options:)``.
  @discardableResult
  open func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Opens a store by its description.
  /// - Parameter block: called with the result; before this function returns, unless the description asks for
  ///   asynchronous opening.
  open func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let (description, block) = (UncheckedSendable(storeDescription), UncheckedSendable(block))
    let open: @Sendable () -> Void = { [self] in
      do {
        try addPersistentStore(
          ofType: description.value.type, configurationName: description.value.configuration,
          at: description.value.url, options: description.value.storeOptions)
        block.value(description.value, nil)
      } catch {
        block.value(description.value, error)
      }
    }
    if storeDescription.shouldAddStoreAsynchronously { queue.async(open) } else { open() }
  }

  /// Closes a store. Its files remain.
  ///
  /// - Throws: ``NSPersistentStoreOperationError`` if the store is not the coordinator's.
  open func remove(_ store: NSPersistentStore) throws { try replace(store, with: nil) }

  /// Removes a store, and adds its replacement.
  func replace(_ store: NSPersistentStore, with new: NSPersistentStore?) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError, reason: "The store is not one of this coordinator's.")
    }
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    store.willRemove(from: self)
    state.withLock { state in state.stores.removeAll { $0 === store } }
    store.leave()
    add(new, removed: store)
  }

  private func add(_ store: NSPersistentStore?, removed: NSPersistentStore? = nil) {
    var info: [AnyHashable: Any] = [:]
    if let store {
      state.withLock { $0.stores.append(store) }
      store.startWatching()
      store.didAdd(to: self)
      info[NSAddedPersistentStoresKey] = [store]
    }
    if let removed { info[NSRemovedPersistentStoresKey] = [removed] }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: info)
  }

  /// The store at a URL; nil if the coordinator has none there.
  // Apple's name of the parameter.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @discardableResult
  open func persistentStore(for URL: URL) -> NSPersistentStore? {
    let path = URL.standardizedFileURL.path
    return persistentStores.first { $0.url?.standardizedFileURL.path == path }
  }

  /// Continues with a store at another URL, to which it was moved or copied. Returns false, and changes nothing, if it
  /// is not there.
  ///
  /// - Difference: a store that is mirrored or in memory keeps its URL; false is returned.
  @discardableResult
  open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(where: { $0 === store }) else { return false }
    return store.reopen(at: url)
  }

  /// The store's URL; that of `/dev/null` for one in memory that was added without a URL.
  @discardableResult
  open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

  // MARK: Metadata

  /// The store's own metadata, and a program's values beside the objects.
  @discardableResult
  open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets a program's values beside the objects of a store. The next save writes them.
  open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

  // MARK: Stores that need not be open

  /// The same, with the type of the store as a text: see ``metadataForPersistentStore(type:at:options:)``.
  @discardableResult
  open class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFile(url, type: storeType).metadata()
  }

  /// The same, with the type of the store as a text: see ``setMetadata(_:type:at:options:)``.
  open class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFile(url, type: storeType).setMetadata(metadata)
  }

  /// The metadata of a store of a type, or of any for nil: see ``metadataForPersistentStore(type:at:options:)``.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:)")
  @discardableResult
  open class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
    try StoreFile(url, type: storeType).metadata()
  }

  /// The metadata of a store of any type: see ``metadataForPersistentStore(type:at:options:)``.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:)")
  @discardableResult
  open class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
    try StoreFile(url).metadata()
  }

  /// Sets the metadata of a store of a type, or of any for nil: see ``setMetadata(_:type:at:options:)``.
  @available(*, deprecated, message: "Use setMetadata(_:type:at:options:)")
  open class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
  ) throws {
    try StoreFile(url, type: storeType).setMetadata(metadata)
  }

  /// The model of the store at a URL, in the version that the store has. It can be changed.
  ///
  /// - Difference: a store caches the parts of its model that it stores. A model of that version that this program has,
  ///   in a coordinator or compiled into it, is complete. Without one, the result lacks classes, default values, delete
  ///   rules, validation, configurations, and transient and fetched properties. A coordinator that has it opens the
  ///   store with `NSIgnorePersistentStoreVersioningOption` then.
  /// - Assumption: Apple documents only the declaration.
  ///
  /// - Throws: `NSFileReadNoSuchFileError` if there is nothing at the URL; ``NSPersistentStoreOpenError`` if there is
  ///   something other than a store.
  @discardableResult
  open class func cachedModelForPersistentStore(
    at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectModel {
    try StoreFile(url).cachedModel()
  }

  /// The same, with the type of the store as a text: see ``destroyPersistentStore(at:type:options:)``.
  open func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    if storeType == NSInMemoryStoreType || url.path == "/dev/null" {
      // Releasing the last reference to a store in memory deletes it.
      if let store = persistentStore(for: url) { try remove(store) }
      return
    }
    let file = try StoreFile(url, type: storeType)
    if let store = persistentStore(for: url) { try remove(store) }
    try file.destroy(isForced: options.isSet(NSPersistentStoreForceDestroyOption))
  }

  /// The same, with the type of the store as a text: see
  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)``.
  open func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    let (source, target) = try (StoreFile(sourceURL, type: storeType), StoreFile(destinationURL, type: storeType))
    try target.replace(from: source)
    guard let store = persistentStore(for: destinationURL) else { return }
    if !store.reopen(at: destinationURL) { try remove(store) }
  }

  // MARK: Migrating

  /// Does nothing: no migration is deferred.
  open func finishDeferredLightweightMigration() throws {}

  /// Does nothing: no migration is deferred.
  open func finishDeferredLightweightMigrationTask() throws {}

  /// The same, with the type of the store as a text: see ``migratePersistentStore(_:to:options:type:)``.
  // Apple's name of the parameter.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @discardableResult
  open func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError, reason: "The store is not one of this coordinator's.", url: URL)
    }
    let new = try StoreOpening(
      type: storeType, configuration: store.givenConfiguration, url: URL, options: options
    ).openCopy(of: store.objects, for: self)
    new.becomeSuccessor(of: store)
    try replace(store, with: new)
    return new
  }

  // MARK: Object IDs

  /// The object ID that a text represents: see ``managedObjectID(forURIRepresentation:)``.
  @discardableResult
  open func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
  }

  /// The object ID that a URL represents; nil if no store has its UUID, or the model has no entity of that name.
  @discardableResult
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard url.scheme == "x-coredata", let host = url.host, let entity = model.entitiesByName[url.pathEntity],
      let store = persistentStores.first(where: { $0.identifier == host }), let number = url.pathNumber
    else { return nil }
    return NSManagedObjectID(entity, number: number, in: store)
  }

  /// The end of the history of the coordinator's stores, or of some of them; nil if none has a history.
  @discardableResult
  open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    let stores = stores?.compactMap { $0 as? NSPersistentStore } ?? persistentStores
    var heads: [String: Int64] = [:]
    for store in stores where store.isHistoryTracked {
      heads[store.identifier] = try? store.objects.read { try $0.head() }
    }
    return heads.isEmpty ? nil : NSPersistentHistoryToken(heads)
  }

  // MARK: Queue

  /// Waits for a lock of the program's own, and acquires it. The thread that holds it may acquire it again.
  ///
  /// - Difference: it locks nothing of the coordinator; the coordinator's work continues.
  @available(*, deprecated, message: "Use perform(_:)")
  open func lock() { programLock.lock() }

  /// Releases the lock of ``lock()``, once for each acquisition.
  @available(*, deprecated, message: "Use perform(_:)")
  open func unlock() { programLock.unlock() }

  /// Acquires the lock of ``lock()``, without waiting. False if another thread holds it.
  @available(*, deprecated, message: "Use perform(_:)")
  @discardableResult
  open func tryLock() -> Bool { programLock.try() }

  /// Runs a block on the coordinator's own queue.
  open func perform(_ block: @escaping () -> Void) {
    let block = UncheckedSendable(block)
    queue.async { block.value() }
  }

  /// Runs a block on the coordinator's own queue, and waits for it. It may also be called from a block on the queue.
  /// The overload with a result calls this function, too.
  open func performAndWait(_ block: () -> Void) { queue.sync(block) }

  // MARK: Contexts

  /// Passes a context's request to the stores.
  ///
  /// - Returns: The array of results for a fetch request; for any other request, the result of
  ///   ``NSManagedObjectContext/execute(_:)``.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError, reason: "The context that is to execute a request has another coordinator.")
    }
    return try context.runAndWait { try request.answer(in: context) }
  }

  /// Notifies the contexts of a commit, and then the program and the mirroring.
  ///
  /// - Parameters:
  ///   - context: The context that saved.
  ///   - isImport: Whether the mirroring made the commit.
  ///   - isMerged: Whether the other contexts merge the changes.
  func didCommit(
    _ commit: StoreCommit, to store: NSPersistentStore, by context: NSManagedObjectContext? = nil,
    isImport: Bool = false, isMerged: Bool = true
  ) {
    commits.wrappingAdd(1, ordering: .acquiringAndReleasing)
    if isMerged { contexts.merge(ObjectChangeIDs(commit, in: store), except: context) }
    store.postRemoteChange(commit.transaction)
    if !isImport { store.saved() }
  }
}

extension ObjectChangeIDs {
  init(_ commit: StoreCommit, in store: NSPersistentStore) {
    inserted = commit.inserted.map(store.objectID)
    updated = commit.updated.map(store.objectID)
    deleted = commit.deleted.map(store.objectID)
  }
}

extension URL {
  /// The entity in the URL of an object.
  fileprivate var pathEntity: String { pathComponents.count == 3 ? pathComponents[1] : "" }

  fileprivate var pathNumber: Int64? {
    guard pathComponents.count == 3, pathComponents[2].hasPrefix("p") else { return nil }
    return Int64(pathComponents[2].dropFirst())
  }
}
