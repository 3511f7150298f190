import Foundation
import LocalCloudEmulator
import LocalCloudObjectStore
import Synchronization

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// A container whose stores are mirrored to databases of CloudKit.
///
/// Each store whose description has ``NSPersistentStoreDescription/cloudKitContainerOptions`` is kept in step with the
/// private or the shared database of the user who is signed in on the device, or with the public database. The scope of
/// the module `LocalCloud` in which the container is made decides who that is, or else the environment.
///
/// - Difference: no entitlement is needed. The first description has options for the container that
///   `LOCALCLOUD_CONTAINER` or the scope names.
/// - Difference: two stores of one container for the same database are refused.
/// - Difference: a store at `/dev/null`, as the previews of Xcode's template have, is mirrored only if the program sets
///   its options itself.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// Told when a piece of work begins and when it ends. The object is the container; an ``Event`` is in the user info.
  public class var eventChangedNotification: Notification.Name {
    Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }
  /// The key of the event in ``eventChangedNotification``.
  public class var eventNotificationUserInfoKey: String { "event" }

  let acting: ActingIdentity?

  /// Makes a container of a model. Its stores are mirrored to the cloud where their descriptions say so.
  public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    acting = ActingIdentity.current
    super.init(name: name, managedObjectModel: model)
    if let identifier = CKContainer.default().containerIdentifier {
      persistentStoreDescriptions[0].cloudKitContainerOptions =
        NSPersistentCloudKitContainerOptions(containerIdentifier: identifier)
      persistentStoreDescriptions[0].hasContainersOptions = true
    }
  }

  deinit { for (_, engine) in engines { engine.stop() } }

  // MARK: Loading

  /// Opens the stores, and begins to mirror them once `block` was called: who begins to listen there misses no event.
  open override func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    var loaded: [NSPersistentStoreDescription] = []
    for description in persistentStoreDescriptions {
      do { try MirroredDescription(description).check(managedObjectModel, beside: loaded) } catch {
        block(description, error)
        continue
      }
      let failed = Mutex(false)
      // The container lives until its stores are opened, so that none of them is left without its mirror.
      persistentStoreCoordinator.addPersistentStore(with: description) { [self] description, error in
        failed.withLock { $0 = error != nil }
        let engine = error == nil ? mirror(description) : nil
        block(description, error)
        engine?.start()
      }
      // One that is still being opened counts, too.
      if !failed.withLock({ $0 }) { loaded.append(description) }
    }
  }

  /// What mirrors a store that was opened; nil if nothing is to.
  private func mirror(_ description: NSPersistentStoreDescription) -> MirroringEngine? {
    guard let options = MirroredDescription(description).options,
      let store = persistentStoreCoordinator.persistentStores.last(where: { $0.url == description.url })
    else { return nil }
    let coordinator = persistentStoreCoordinator
    let engine = MirroringEngine(
      store: store.objects, defaults: coordinator.managedObjectModel.requiredDefaults,
      containerIdentifier: options.containerIdentifier, scope: options.databaseScope, acting: acting,
      didCommit: { [weak coordinator, weak store] commit in
        guard let coordinator, let store else { return }
        coordinator.didCommit(commit, to: store, by: nil)
      },
      event: { [weak self] event in self?.post(event) })
    store.setMirror(engine)
    return engine
  }

  private func post(_ event: MirroringEvent) {
    NotificationCenter.default.post(
      name: Self.eventChangedNotification, object: self,
      userInfo: [Self.eventNotificationUserInfoKey: NSPersistentCloudKitContainerEvent(event)])
  }

  /// The engine of a store; nil for a store that is not mirrored.
  func engine(of store: NSPersistentStore?) -> MirroringEngine? {
    engines.first { $0.store === store }?.engine
  }

  var engines: [(store: NSPersistentStore, engine: MirroringEngine)] {
    persistentStoreCoordinator.persistentStores.compactMap { store in store.mirror.map { (store, $0) } }
  }

  func requiredEngine(of store: NSPersistentStore?) throws -> MirroringEngine {
    guard let engine = engine(of: store) else {
      throw MirroringError.refused(
        "The store at \(store?.url?.absoluteString ?? "no URL") is not mirrored to CloudKit by this container.")
    }
    return engine
  }

  /// Imports and exports in all stores at once, and returns when that is done or has failed, which an event then tells.
  /// For tests: programs wait for events.
  package func drain() async { for (_, engine) in engines { await engine.drain() } }

  // MARK: Schema

  /// Makes all record types and fields of the model in the schema of the development environment, by saving a record of
  /// each type with every field and deleting it again. Waits until that is done.
  ///
  /// Throws if the model can't be mirrored, if no store is mirrored, and what the cloud refuses: in the production
  /// environment nothing is made.
  ///
  /// - Difference: the records are in a zone of their own, so that no other device receives them for the time being.
  open func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    for description in persistentStoreDescriptions {
      try MirroredDescription(description).check(managedObjectModel, beside: [])
    }
    guard !engines.isEmpty else {
      _ = try requiredEngine(of: persistentStoreCoordinator.persistentStores.first)
      return
    }
    // The schema is the container's: the stores of its databases that hold the same entities ask for the same types.
    var known: [(container: String?, schema: StoreSchema)] = []
    for (store, engine) in engines {
      let kind = (container: engine.container.containerIdentifier, schema: store.objects.schema)
      if known.contains(where: { $0 == kind }) { continue }
      known.append(kind)
      let records = try engine.initializeSchema(isDryRun: options.contains(.dryRun))
      if options.contains(.printSchema) { for record in records { print(record) } }
    }
  }

  // MARK: Records

  /// The object's record as it was last sent or received; nil if it has none yet. Nothing is asked of the cloud.
  @discardableResult
  open func record(for managedObjectID: NSManagedObjectID) -> CKRecord? {
    withEngine(of: managedObjectID) { $0.record(for: $1) }
  }

  /// The cloud's records of objects, by the objects' identities; none of those that were not exported.
  @discardableResult
  open func records(for managedObjectIDs: [NSManagedObjectID]) -> [NSManagedObjectID: CKRecord] {
    found(managedObjectIDs, record)
  }

  /// The name of an object's record; nil if it was not exported.
  @discardableResult
  open func recordID(for managedObjectID: NSManagedObjectID) -> CKRecord.ID? {
    withEngine(of: managedObjectID) { $0.recordID(for: $1) }
  }

  /// The names of objects' records, by the objects' identities.
  @discardableResult
  open func recordIDs(for managedObjectIDs: [NSManagedObjectID]) -> [NSManagedObjectID: CKRecord.ID] {
    found(managedObjectIDs, recordID)
  }

  private func found<Value>(
    _ ids: [NSManagedObjectID], _ value: (NSManagedObjectID) -> Value?
  ) -> [NSManagedObjectID: Value] {
    Dictionary(ids.compactMap { id in value(id).map { (id, $0) } }) { first, _ in first }
  }

  private func withEngine<Value>(
    of id: NSManagedObjectID, _ body: (MirroringEngine, RowID) -> Value?
  ) -> Value? {
    guard let store = id.persistentStore, let engine = engine(of: store), let row = store.rowID(id) else { return nil }
    return body(engine, row)
  }

  // MARK: Permissions

  /// Whether the user may write to the store's database at all.
  @discardableResult
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool {
    engine(of: store)?.canModify ?? !store.isReadOnly
  }

  /// Whether a change of the object would be accepted by the cloud. Objects that were not saved yet, and those of
  /// stores that are not mirrored and can be written to, can be changed.
  @discardableResult
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    isInModifiableStore(objectID) && withEngine(of: objectID) { $0.canUpdate($1) } ?? true
  }

  /// Whether the account may delete an object: in a shared store its share decides.
  @discardableResult
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    isInModifiableStore(objectID) && withEngine(of: objectID) { $0.canDelete($1) } ?? true
  }

  private func isInModifiableStore(_ objectID: NSManagedObjectID) -> Bool {
    objectID.persistentStore.map { canModifyManagedObjects(in: $0) } ?? true
  }

  // MARK: Sharing

  /// Shares objects, with all that they are related to: makes a zone and a share for them, or moves them into the zone
  /// of an existing share. The objects stay in their store. Calls ``share(_:to:completion:)``.
  ///
  /// Fails, and moves nothing, if one of them or of the related ones is in a share already.
  @discardableResult
  open func share(
    _ managedObjects: [NSManagedObject], to share: CKShare?
  ) async throws -> (Set<NSManagedObjectID>, CKShare, CKContainer) {
    let objects = UncheckedSendable(managedObjects)
    return try await answer { done in
      self.share(objects.value, to: share) { ids, share, container, error in
        if let ids, let share, let container { done((ids, share, container), nil) } else { done(nil, error) }
      }
    }
  }

  /// Shares objects, and all that their relationships lead to, with a new share or one that is there.
  open func share(
    _ managedObjects: [NSManagedObject], to share: CKShare?,
    completion: @escaping (Set<NSManagedObjectID>?, CKShare?, CKContainer?, (any Error)?) -> Void
  ) {
    // Objects are asked for their identities on the caller's queue.
    let ids = managedObjects.map(\.objectID)
    let finished: (ShareResult?, (any Error)?) -> Void = { completion($0?.0, $0?.1, $0?.2, $1) }
    finish(finished) { try await self.share(ids: ids, to: share) }
  }

  /// Takes part in shares. The objects come into the store with a later import. Calls
  /// ``acceptShareInvitations(from:into:completion:)``.
  @discardableResult
  open func acceptShareInvitations(
    from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore
  ) async throws -> [CKShare.Metadata] {
    try await answer { acceptShareInvitations(from: metadata, into: persistentStore, completion: $0) }
  }

  /// Accepts shares, and has their records imported into a store of the shared database.
  open func acceptShareInvitations(
    from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore,
    completion: (([CKShare.Metadata]?, (any Error)?) -> Void)? = nil
  ) {
    finish(completion) { try await self.requiredEngine(of: persistentStore).accept(metadata) }
  }

  /// The shares that objects are in, as they are known on this device.
  @discardableResult
  open func fetchShares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: CKShare] {
    try shares(matching: objectIDs)
  }

  /// The shares of a store, or of all, as they are known on this device.
  @discardableResult
  open func fetchShares(in persistentStore: NSPersistentStore?) throws -> [CKShare] {
    guard let persistentStore else { return try engines.flatMap { try $0.engine.shares() } }
    return try requiredEngine(of: persistentStore).shares()
  }

  /// Looks people up in the cloud. None of it is stored. Calls ``fetchParticipants(matching:into:completion:)``.
  @discardableResult
  open func fetchParticipants(
    matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore
  ) async throws -> [CKShare.Participant] {
    try await answer { fetchParticipants(matching: lookupInfos, into: persistentStore, completion: $0) }
  }

  /// Looks people up, as participants that a share may get.
  open func fetchParticipants(
    matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore,
    completion: @escaping ([CKShare.Participant]?, (any Error)?) -> Void
  ) {
    finish(completion) {
      try await self.requiredEngine(of: persistentStore).fetchParticipants(matching: lookupInfos)
    }
  }

  /// Saves a share that the program changed, in the cloud and on this device. Calls
  /// ``persistUpdatedShare(_:in:completion:)``.
  @discardableResult
  open func persistUpdatedShare(_ share: CKShare, in persistentStore: NSPersistentStore) async throws -> CKShare {
    try await answer { persistUpdatedShare(share, in: persistentStore, completion: $0) }
  }

  /// Saves a share that the program changed, to the cloud and in the store.
  open func persistUpdatedShare(
    _ share: CKShare, in persistentStore: NSPersistentStore, completion: ((CKShare?, (any Error)?) -> Void)? = nil
  ) {
    finish(completion) { try await self.requiredEngine(of: persistentStore).persist(share) }
  }

  /// Deletes a zone with its records and objects. In the store of shared objects, this leaves the share.
  /// `persistentStore` nil: in every mirrored store; a store of a database without the zone does nothing. Calls
  /// ``purgeObjectsAndRecordsInZone(with:in:completion:)`` for each store.
  @discardableResult
  open func purgeObjectsAndRecordsInZone(
    with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?
  ) async throws -> CKRecordZone.ID {
    let stores = persistentStore.map { [$0] } ?? storesWithZones
    guard !stores.isEmpty else { throw MirroringError.refused("No store with zones is mirrored.") }
    for store in stores {
      let _: CKRecordZone.ID = try await answer {
        purgeObjectsAndRecordsInZone(with: zoneID, in: store, completion: $0)
      }
    }
    return zoneID
  }

  /// Removes a zone from the cloud, and its objects from a store. `persistentStore` nil: the handler is called for each
  /// store that is mirrored.
  open func purgeObjectsAndRecordsInZone(
    with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?,
    completion: ((CKRecordZone.ID?, (any Error)?) -> Void)? = nil
  ) {
    let stores = persistentStore.map { [$0] } ?? storesWithZones
    if stores.isEmpty { finish(completion) { throw MirroringError.refused("No store with zones is mirrored.") } }
    for store in stores {
      finish(completion) {
        try await self.requiredEngine(of: store).purge(zoneID)
        return zoneID
      }
    }
  }
}

/// A description of a store that is to be mirrored.
struct MirroredDescription {
  private let description: NSPersistentStoreDescription

  init(_ description: NSPersistentStoreDescription) { self.description = description }

  /// How the store is to be mirrored; nil if it is not.
  var options: NSPersistentCloudKitContainerOptions? {
    description.url?.path == "/dev/null" && description.hasContainersOptions
      ? nil : description.cloudKitContainerOptions
  }

  /// Throws if the model or the description don't allow for mirroring. `others`: descriptions of stores that are
  /// loaded.
  func check(_ model: NSManagedObjectModel, beside others: [NSPersistentStoreDescription]) throws {
    guard let options else { return }
    guard description.type == NSSQLiteStoreType else {
      throw MirroringError.refused(MirroringModelRules.unsupportedStore)
    }
    for other in others {
      guard let known = MirroredDescription(other).options, known.containerIdentifier == options.containerIdentifier,
        known.databaseScope == options.databaseScope
      else { continue }
      throw MirroringError.refused(
        "Two stores can't be mirrored to the same database: \(options.containerIdentifier), and the stores "
          + "\(other.url?.lastPathComponent ?? "") and \(description.url?.lastPathComponent ?? "").")
    }
    let reason = MirroringModelRules.failureReason(
      model, configuration: description.configuration, isPublic: options.databaseScope == .public)
    if let reason { throw MirroringError.refused(reason) }
  }
}
