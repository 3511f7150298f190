import Foundation
import LocalCloudCoreDataMirroring
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// A store of a coordinator: a folder of objects, at the URL where Apple's framework has a database file.
///
/// - Difference: there are no stores of other classes; a function to register one does not exist.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  let model: NSManagedObjectModel
  /// The entities by their index in the store's schema.
  private let entities: [NSEntityDescription]
  private let entityIndexes: [String: Int]
  private let configuration: String?
  private let storeType: String
  private let storeIdentifier: String
  private let settings: [AnyHashable: Any]?
  /// Whether the store is deleted with this object.
  let isTemporary: Bool

  private struct State {
    var objects: ObjectStore
    weak var coordinator: NSPersistentStoreCoordinator?
    var url: URL?
    /// The metadata to write with the next save.
    var newMetadata: JSONObject?
    /// The store that replaced this one.
    weak var successor: NSPersistentStore?
    /// The store that this one replaced: object IDs of that store lead to this one.
    var predecessor: NSPersistentStore?
    /// The last transaction that programs were notified of.
    var notified: Int64 = 0
    /// The end of the history at the last check.
    var seen: Int64 = 0
    /// Observes commits of other processes.
    var listener: ListeningLoop?
    var mirror: MirroringEngine?
    /// The versions that saves through the coordinator gave to changed objects; 0 for deleted ones. They distinguish a
    /// conflict between two contexts of the coordinator from a conflict with another coordinator or process.
    var savedVersions: [RowID: Int64] = [:]
  }

  private let state: Mutex<State>

  init(
    _ objects: ObjectStore, type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
    isTemporary: Bool, of coordinator: NSPersistentStoreCoordinator
  ) {
    state = Mutex(State(objects: objects, coordinator: coordinator, url: url))
    storeIdentifier = objects.identifier
    model = coordinator.managedObjectModel
    let byName = model.entitiesByName
    entities = objects.schema.entities.compactMap { byName[$0.name] }
    entityIndexes = Dictionary(uniqueKeysWithValues: objects.schema.entities.enumerated().map { ($1.name, $0) })
    self.configuration = configuration
    storeType = type
    settings = options
    self.isTemporary = isTemporary
  }

  deinit {
    let (objects, listener) = state.withLock { ($0.objects, $0.listener) }
    listener?.stop()
    if isTemporary { try? ObjectStore.destroy(objects.path) }
  }

  var objects: ObjectStore { state.withLock { $0.objects } }

  // MARK: Apple's

  /// The store's UUID.
  ///
  /// - Assumption: it can't be changed while the store belongs to a coordinator.
  open var identifier: String! {
    get { storeIdentifier }
    set { refuseChange(newValue == storeIdentifier, "identifier") }
  }

  /// The type, ``NSSQLiteStoreType`` or ``NSInMemoryStoreType``.
  open var type: String { storeType }
  /// The configuration with the name that the program passed.
  var givenConfiguration: String? { configuration }

  /// The name of the model's configuration with the store's entities; `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
  open var configurationName: String { configuration ?? "PF_DEFAULT_CONFIGURATION_NAME" }

  /// The options that the store was added with.
  open var options: [AnyHashable: Any]? { settings }

  /// Whether the store is read only.
  ///
  /// - Assumption: it can't be changed while the store belongs to a coordinator.
  open var isReadOnly: Bool {
    get { objects.isReadOnly }
    set { refuseChange(newValue == isReadOnly, "read-only status") }
  }

  /// The coordinator; nil after the store was removed from it, or the coordinator was released.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { state.withLock { $0.coordinator } }

  /// The location of the store. Setting it is like ``NSPersistentStoreCoordinator/setURL(_:for:)``; it has no effect if
  /// this store is not at the new URL.
  open var url: URL? {
    get { state.withLock { $0.url } }
    set { if let newValue { _ = reopen(at: newValue) } }
  }

  /// The store's own metadata, and a program's values beside the objects. New values are written by the next save, and
  /// have to consist of texts, numbers, dates, data, arrays and dictionaries.
  ///
  /// - Difference: type, UUID and version hashes are those of the store, regardless of set values.
  open var metadata: [String: Any]! {
    get {
      let objects = objects
      let own = state.withLock { $0.newMetadata } ?? (try? objects.metadata()) ?? [:]
      return StoreMetadata(storeIdentifier, type: storeType, objects.schema, own).dictionary
    }
    set {
      do {
        let before = (try? objects.metadata()) ?? [:]
        let own = try StoreMetadata.own(newValue ?? [:], keeping: before)
        state.withLock { $0.newMetadata = own }
      } catch {
        raiseException(error.reason)
      }
    }
  }

  /// Reads the metadata.
  ///
  /// - Throws: The error of a store that can't be read.
  open func loadMetadata() throws {
    _ = try CoreDataError.translating(url) { try objects.metadata() }
  }

  /// Called when the store was added to a coordinator. Does nothing.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called when the store is about to be removed from a coordinator. Does nothing.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  /// The metadata of the store at a URL.
  ///
  /// - Throws: `NSFileReadNoSuchFileError` if there is nothing at the URL.
  @discardableResult
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try StoreFile(url).metadata()
  }

  /// Sets the metadata of a store that is not open.
  ///
  /// - Throws: `NSFileReadNoSuchFileError` if there is nothing at the URL; ``NSPersistentStoreOperationError`` for a
  ///   value that a property list can't contain, and for an invalid UUID.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    try StoreFile(url).setMetadata(metadata)
  }

  /// The class that migrates stores.
  @discardableResult
  open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

  /// The store's URL, for logs.
  open override var description: String { "<NSPersistentStore: \(url?.absoluteString ?? storeType)>" }

  private func refuseChange(_ isSame: Bool, _ what: String) {
    guard !isSame, persistentStoreCoordinator != nil else { return }
    raiseException(
      "Can't change the \(what) of a store that was added to a coordinator.", name: "NSInternalInconsistencyException")
  }

  // MARK: Changing the URL

  /// Continues with the store at another URL, after the store was moved or copied. Returns false, and changes nothing,
  /// if this store is not there, is mirrored or is in memory.
  func reopen(at url: URL) -> Bool {
    let before = objects
    guard !isTemporary, mirror == nil, let path = url.storePath,
      (try? ObjectStore.summary(path))?.identifier == storeIdentifier
    else { return false }
    var options = ObjectStore.Options()
    options.isReadOnly = before.isReadOnly
    options.lockTimeout = before.lockTimeout
    guard let opened = try? ObjectStore(path, schema: before.schema, options: options) else { return false }
    let listener = state.withLock { state in
      defer { state.listener = nil }
      (state.objects, state.url) = (opened, url)
      return state.listener
    }
    listener?.stop()
    startWatching()
    return true
  }

  /// Makes the object IDs of the replaced store lead here, and takes over its unwritten metadata.
  func becomeSuccessor(of store: NSPersistentStore) {
    store.state.withLock { $0.successor = self }
    let metadata = store.newMetadata
    state.withLock { ($0.predecessor, $0.newMetadata) = (store, metadata) }
  }

  /// The store that replaced this one, or the store itself.
  var latest: NSPersistentStore { state.withLock { $0.successor }?.latest ?? self }

  // MARK: Metadata

  /// The metadata to write with the next save.
  var newMetadata: JSONObject? { state.withLock { $0.newMetadata } }

  /// Writes the new metadata, without a transaction in the history.
  func saveMetadata() throws {
    guard let metadata = newMetadata else { return }
    try CoreDataError.translating(url, isWrite: true) { try objects.setMetadata(metadata) }
    wrote(metadata)
  }

  /// Marks metadata as written, unless other metadata were set since then.
  func wrote(_ metadata: JSONObject?) {
    state.withLock { if $0.newMetadata == metadata { $0.newMetadata = nil } }
  }

  // MARK: Object IDs

  func objectID(_ id: RowID) -> NSManagedObjectID {
    NSManagedObjectID(entities[Int(id.entity)], number: id.number, in: self)
  }

  /// Nil for a temporary object ID, and for one of another store.
  func rowID(_ id: NSManagedObjectID) -> RowID? {
    guard case .permanent(let store, let number) = id.key, store == storeIdentifier,
      let index = entityIndexes[id.entity.name ?? ""]
    else { return nil }
    return RowID(entity: index, number: number)
  }

  /// An entity's index in the store's schema; nil if the store does not contain the entity.
  func entityIndex(of entity: NSEntityDescription) -> Int? { entityIndexes[entity.name ?? ""] }

  /// The indexes of an entity and, if requested, of all its subentities.
  func entityIndexes(of entity: NSEntityDescription, withSubentities: Bool) -> [Int] {
    guard let index = entityIndex(of: entity) else { return [] }
    return withSubentities ? objects.schema.entities[index].family : [index]
  }

  func relationship(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) -> Int? {
    entityIndex(of: entity).flatMap { objects.schema.relationship(named: relationship.name, of: $0) }
  }

  // MARK: Versions

  /// Records the versions that a save through the coordinator is about to commit; nil for versions that it did not
  /// commit.
  func record(_ versions: [RowID: Int64?]) {
    state.withLock { state in
      if state.savedVersions.count + versions.count > Self.mostVersions { state.savedVersions = [:] }
      for (id, version) in versions { state.savedVersions[id] = version }
    }
  }

  /// The maximum number of versions. If it is exceeded, all are removed, and a conflict counts as one with another
  /// coordinator.
  private static let mostVersions = 100_000

  /// Whether a save through the coordinator gave an object that version; nil stands for a deleted object.
  func hasSaved(_ id: RowID, version: Int64?) -> Bool {
    state.withLock { $0.savedVersions[id] == version ?? 0 }
  }

  // MARK: Notices

  /// A mirrored store always has a history, because the export finds its changes there.
  var isHistoryTracked: Bool { settings.isSet(NSPersistentHistoryTrackingKey) || mirror != nil }

  /// Mirrors the store, until it is removed from its coordinator; nil for a store that is not mirrored.
  var mirror: MirroringEngine? { state.withLock { $0.mirror } }

  func setMirror(_ engine: MirroringEngine) {
    state.withLock { $0.mirror = engine }
    listen()
  }

  var postsRemoteChanges: Bool { settings.isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) }

  func startWatching() {
    let head = (try? objects.read { try $0.head() }) ?? 0
    state.withLock { ($0.notified, $0.seen) = (head, head) }
    if postsRemoteChanges { listen() }
  }

  private func listen() {
    let listener = state.withLock { state -> ListeningLoop? in
      guard state.listener == nil else { return nil }
      state.listener = ListeningLoop(failed: { _ in })
      return state.listener
    }
    let objects = objects
    // A store that can't be watched is notified only of this process's own commits.
    try? listener?.start {
      ListeningLoop.Source(watch: try objects.watch()) { [weak self] in
        self?.noticeOthers()
        return true
      }
    }
  }

  /// Ends the mirroring of the store and the observation of changes, and waits for the end of the mirroring. Called
  /// after the store was removed from its coordinator.
  func leave() {
    let (listener, mirror) = state.withLock { state in
      defer { (state.coordinator, state.mirror) = (nil, nil) }
      return (state.listener, state.mirror)
    }
    listener?.stop()
    mirror?.end()
  }

  /// Starts an export for a save.
  func saved() { mirror?.saved() }

  /// Finds transactions that the program was not notified of. Transactions with only mirroring data are ignored. The
  /// store's own ones are not read: each was reported after its commit.
  private func noticeOthers() {
    let (seen, objects) = state.withLock { ($0.seen, $0.objects) }
    if objects.hasMadeAll(after: seen) {
      // A later look begins behind these: a commit of another process would hide that they are the store's own.
      let end = objects.ownEnd(after: seen)
      return state.withLock { $0.seen = max($0.seen, end) }
    }
    let read = try? objects.read { view -> (head: Int64, transactions: [HistoryTransaction]?) in
      let head = try view.head()
      let known = objects.ownEnd(after: seen)
      return (head, known >= head ? [] : try? view.history(after: known))
    }
    guard let (head, transactions) = read else { return }
    state.withLock { $0.seen = max($0.seen, head) }
    // If the history after `seen` was purged, any change is possible.
    if transactions?.isEmpty == true { return }
    postRemoteChange(head)
    guard let mirror else { return }
    let mirrored = transactions?.filter { $0.author?.hasPrefix(MirrorAuthor.prefix) == true } ?? []
    if transactions == nil || mirrored.count != transactions?.count { mirror.saved() }
    let process = String(HostProcess.identifier)
    if mirrored.contains(where: { $0.process != process }) { mirror.importedByOtherProcess() }
  }

  /// Notifies the program of a transaction, unless it was notified of this or a later one.
  func postRemoteChange(_ transaction: Int64) {
    guard postsRemoteChanges else { return }
    let coordinator = state.withLock { state -> NSPersistentStoreCoordinator? in
      guard transaction > state.notified else { return nil }
      state.notified = transaction
      return state.coordinator
    }
    guard let coordinator, let identifier else { return }
    var info: [AnyHashable: Any] = [
      NSStoreUUIDKey: identifier,
      NSPersistentHistoryTokenKey: NSPersistentHistoryToken([identifier: transaction]),
    ]
    info[NSPersistentStoreURLKey] = url
    NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
  }
}
