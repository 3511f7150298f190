import Foundation
import LocalCloudCloudKitImport
import LocalCloudCoreDataMirroring
import LocalCloudEmulator
import LocalCloudObjectStore
import Synchronization

/// A container with stores that are mirrored to databases of CloudKit.
///
/// Each store with ``NSPersistentStoreDescription/cloudKitContainerOptions`` in its description is synchronized with
/// the private or the shared database of the device's signed-in user, or with the public database. The scope of the
/// module `LocalCloud` that the container is created in selects the device and user; without a scope, the environment
/// does.
///
/// - Difference: no entitlement is needed. The first description has options for the container that
///   `LOCALCLOUD_CONTAINER` or the scope names.
/// - Difference: two stores of one container for the same database are refused.
/// - Difference: a store at `/dev/null`, as in the previews of Xcode's template, is mirrored only if the program sets
///   its options itself.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// Posted when a run of the mirroring begins and when it ends. The object is the container; an ``Event`` is in the
  /// user info.
  public class var eventChangedNotification: Notification.Name {
    Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }
  /// The key of the event in ``eventChangedNotification``.
  public class var eventNotificationUserInfoKey: String { "event" }

  let acting: ActingIdentity?

  /// Creates a container of a model. Its stores are mirrored to the cloud if their descriptions have options for it.
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

  /// Opens the stores. A store's mirroring starts after the call of `block`, so that an observer added there misses no
  /// event.
  ///
  /// - Parameter block: called once for each description, with the error if its store can't be opened or mirrored.
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
      // The container lives until its stores are opened, so that the mirroring of each opened store starts.
      persistentStoreCoordinator.addPersistentStore(with: description) { [self] description, error in
        failed.withLock { $0 = error != nil }
        let engine = error == nil ? mirror(description) : nil
        block(description, error)
        engine?.start()
      }
      // A store that is still being opened counts too.
      if !failed.withLock({ $0 }) { loaded.append(description) }
    }
  }

  /// Creates the engine that mirrors an opened store; nil if the store is not mirrored.
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
        coordinator.didCommit(commit, to: store, isImport: true)
      },
      reportedError: { [url = URL(fileURLWithPath: store.objects.path)] in CoreDataError.store($0, url: url) },
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

  /// Imports and exports in all stores at once, and returns when this is done or has failed. An event reports a
  /// failure. For tests: programs wait for events.
  package func drain() async { for (_, engine) in engines { await engine.drain() } }

  // MARK: Schema

  /// Creates all record types and fields of the model in the schema of the development environment: saves a record of
  /// each type with every field, and deletes it again. Blocks until that is done.
  ///
  /// - Throws: an error if the model can't be mirrored, if no store is mirrored, or if the cloud refuses a record: in
  ///   the production environment nothing is created.
  /// - Difference: the records are in a separate zone, so that no other device receives them while they exist.
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
    // The schema belongs to the container: its stores with the same entities need the same record types.
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

  /// The object's record as it was last sent or received; nil if it has none yet. Sends no request to the cloud.
  @discardableResult
  open func record(for managedObjectID: NSManagedObjectID) -> CKRecord? {
    withEngine(of: managedObjectID) { $0.record(for: $1) }
  }

  /// The objects' records as they were last sent or received, by identity. Objects without a record are left out.
  @discardableResult
  open func records(for managedObjectIDs: [NSManagedObjectID]) -> [NSManagedObjectID: CKRecord] {
    found(managedObjectIDs, record)
  }

  /// The ID of an object's record; nil if the object was not exported.
  @discardableResult
  open func recordID(for managedObjectID: NSManagedObjectID) -> CKRecord.ID? {
    withEngine(of: managedObjectID) { $0.recordID(for: $1) }
  }

  /// The IDs of the objects' records, by identity. Objects that were not exported are left out.
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

  /// Whether the user may write to the store's database.
  @discardableResult
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool {
    engine(of: store)?.canModify ?? !store.isReadOnly
  }

  /// Whether the cloud would accept a change of the object. Unsaved objects, and objects of writable stores that are
  /// not mirrored, can be changed.
  @discardableResult
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    isInModifiableStore(objectID) && withEngine(of: objectID) { $0.canUpdate($1) } ?? true
  }

  /// Whether the cloud would accept the deletion of an object. In a shared store the object's share decides.
  @discardableResult
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    isInModifiableStore(objectID) && withEngine(of: objectID) { $0.canDelete($1) } ?? true
  }

  private func isInModifiableStore(_ objectID: NSManagedObjectID) -> Bool {
    objectID.persistentStore.map { canModifyManagedObjects(in: $0) } ?? true
  }

  // MARK: Sharing

  /// Shares objects, with all objects that they are related to: creates a zone and a share for them, or moves them into
  /// the zone of an existing share. The objects stay in their store. Calls ``share(_:to:completion:)``.
  ///
  /// - Parameters:
  ///   - managedObjects: saved objects of one store.
  ///   - share: an existing share; nil to create one.
  /// - Returns: the identities of all shared objects, the share, and its container.
  /// - Throws: an error, without moving any object, if one of them is in another share already.
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

  /// Shares objects, and all objects that their relationships lead to, with a new or an existing share. Calls
  /// `completion` from a task, not on the caller's queue.
  open func share(
    _ managedObjects: [NSManagedObject], to share: CKShare?,
    completion: @escaping (Set<NSManagedObjectID>?, CKShare?, CKContainer?, (any Error)?) -> Void
  ) {
    // The identities are read on the caller's queue.
    let ids = managedObjects.map(\.objectID)
    let finished: (ShareResult?, (any Error)?) -> Void = { completion($0?.0, $0?.1, $0?.2, $1) }
    finish(finished) { try await self.share(ids: ids, to: share) }
  }

  /// Accepts invitations to shares. A later import adds the objects to the store. Calls
  /// ``acceptShareInvitations(from:into:completion:)``.
  ///
  /// - Parameter persistentStore: a store that is mirrored to the shared database.
  /// - Returns: the accepted invitations.
  /// - Throws: error 134060 for another store; otherwise the first error of an invitation, even if others were
  ///   accepted.
  @discardableResult
  open func acceptShareInvitations(
    from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore
  ) async throws -> [CKShare.Metadata] {
    try await answer { acceptShareInvitations(from: metadata, into: persistentStore, completion: $0) }
  }

  /// Accepts invitations to shares for a store of the shared database. A later import adds the objects to the store.
  open func acceptShareInvitations(
    from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore,
    completion: (([CKShare.Metadata]?, (any Error)?) -> Void)? = nil
  ) {
    finish(completion) { try await self.requiredEngine(of: persistentStore).accept(metadata) }
  }

  /// The shares that objects are in, as stored on this device. Objects without a share are not in the result.
  ///
  /// - Throws: an error if a store can't be read.
  @discardableResult
  open func fetchShares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: CKShare] {
    try shares(matching: objectIDs)
  }

  /// The shares of a store, or of all stores if it is nil, as stored on this device.
  ///
  /// - Throws: error 134060 if the store is not mirrored, or an error if it can't be read.
  @discardableResult
  open func fetchShares(in persistentStore: NSPersistentStore?) throws -> [CKShare] {
    guard let persistentStore else { return try engines.flatMap { try $0.engine.shares() } }
    return try requiredEngine(of: persistentStore).shares()
  }

  /// Looks up users in the cloud. The result is not stored. Calls ``fetchParticipants(matching:into:completion:)``.
  ///
  /// - Throws: the cloud's error of a single info that matches no user; for several infos a `partialFailure`.
  @discardableResult
  open func fetchParticipants(
    matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore
  ) async throws -> [CKShare.Participant] {
    try await answer { fetchParticipants(matching: lookupInfos, into: persistentStore, completion: $0) }
  }

  /// Looks up users as participants to add to a share. The result is not stored.
  open func fetchParticipants(
    matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore,
    completion: @escaping ([CKShare.Participant]?, (any Error)?) -> Void
  ) {
    finish(completion) {
      try await self.requiredEngine(of: persistentStore).fetchParticipants(matching: lookupInfos)
    }
  }

  /// Saves a share that the program changed, in the cloud and in the store. Calls
  /// ``persistUpdatedShare(_:in:completion:)``.
  ///
  /// - Returns: the share as the cloud saved it.
  /// - Throws: error 134060 for a zone that the store does not mirror, `serverRecordChanged` if the share has changed
  ///   in the cloud and the changes can't be merged, or another error of the cloud.
  @discardableResult
  open func persistUpdatedShare(_ share: CKShare, in persistentStore: NSPersistentStore) async throws -> CKShare {
    try await answer { persistUpdatedShare(share, in: persistentStore, completion: $0) }
  }

  /// Saves a share that the program changed, in the cloud and in the store.
  open func persistUpdatedShare(
    _ share: CKShare, in persistentStore: NSPersistentStore, completion: ((CKShare?, (any Error)?) -> Void)? = nil
  ) {
    finish(completion) { try await self.requiredEngine(of: persistentStore).persist(share) }
  }

  /// Deletes a zone with its records and objects. In a store of the shared database, this leaves the share. Calls
  /// ``purgeObjectsAndRecordsInZone(with:in:completion:)`` for each store.
  ///
  /// - Parameter persistentStore: the store; nil for every mirrored store. A store of a database without the zone does
  ///   nothing.
  /// - Returns: `zoneID`.
  /// - Throws: error 134060 if no store is mirrored or the zone is not one of the mirroring's, or the cloud's error.
  @discardableResult
  open func purgeObjectsAndRecordsInZone(
    with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?
  ) async throws -> CKRecordZone.ID {
    for store in try storesToPurge(persistentStore) {
      let _: CKRecordZone.ID = try await answer {
        purgeObjectsAndRecordsInZone(with: zoneID, in: store, completion: $0)
      }
    }
    return zoneID
  }

  /// Removes a zone from the cloud, and its objects from a store. If `persistentStore` is nil, `completion` is called
  /// once for each mirrored store.
  open func purgeObjectsAndRecordsInZone(
    with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?,
    completion: ((CKRecordZone.ID?, (any Error)?) -> Void)? = nil
  ) {
    do {
      for store in try storesToPurge(persistentStore) {
        finish(completion) {
          try await self.requiredEngine(of: store).purge(zoneID)
          return zoneID
        }
      }
    } catch {
      finish(completion) { throw error }
    }
  }

  /// - Parameter store: nil for all stores with zones.
  private func storesToPurge(_ store: NSPersistentStore?) throws -> [NSPersistentStore] {
    let stores = store.map { [$0] } ?? storesWithZones
    if stores.isEmpty { throw MirroringError.refused("No store with zones is mirrored.") }
    return stores
  }
}

/// The mirroring options of a store's description, and their check.
struct MirroredDescription {
  private let description: NSPersistentStoreDescription

  init(_ description: NSPersistentStoreDescription) { self.description = description }

  /// The options of the mirroring; nil if the store is not mirrored.
  var options: NSPersistentCloudKitContainerOptions? {
    description.url?.path == "/dev/null" && description.hasContainersOptions
      ? nil : description.cloudKitContainerOptions
  }

  /// Throws if the model or the description does not allow mirroring. `others`: the descriptions of loaded stores.
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
