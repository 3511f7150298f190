import Foundation
import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

extension NSPersistentCloudKitContainer {
  // MARK: Sharing

  /// Shares objects, with all that they are related to: makes a zone and a share for them, or moves them into the zone
  /// of an existing share. The objects stay in their store.
  ///
  /// Fails, and moves nothing, if one of them or of the related ones is in a share already.
  @discardableResult
  public func share(
    _ managedObjects: [NSManagedObject], to share: CKShare?
  ) async throws -> (Set<NSManagedObjectID>, CKShare, CKContainer) {
    try await self.share(ids: managedObjects.map(\.objectID), to: share)
  }

  /// Shares objects, and all that their relationships lead to, with a new share or one that is there.
  public func share(
    _ managedObjects: [NSManagedObject], to share: CKShare?,
    completion: @escaping (Set<NSManagedObjectID>?, CKShare?, CKContainer?, (any Error)?) -> Void
  ) {
    // Objects are asked for their identities on the caller's queue.
    let ids = managedObjects.map(\.objectID)
    let (share, completion) = (UncheckedSendable(share), UncheckedSendable(completion))
    Task {
      do {
        let (shared, result, container) = try await self.share(ids: ids, to: share.value)
        completion.value(shared, result, container, nil)
      } catch {
        completion.value(nil, nil, nil, error)
      }
    }
  }

  private func share(
    ids: [NSManagedObjectID], to share: CKShare?
  ) async throws -> (Set<NSManagedObjectID>, CKShare, CKContainer) {
    guard let store = ids.first?.persistentStore, ids.allSatisfy({ $0.persistentStore === store }) else {
      throw MirroringError.refused(
        ids.isEmpty
          ? "There are no objects to share."
          : "Only objects that were saved can be shared, and only those of one store together.")
    }
    let (shared, result, container) = try await requiredEngine(of: store).share(ids.compactMap(store.rowID), to: share)
    return (Set(shared.map(store.objectID)), result, container)
  }

  /// Takes part in shares. The objects come into the store with a later import.
  @discardableResult
  public func acceptShareInvitations(
    from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore
  ) async throws -> [CKShare.Metadata] {
    try await requiredEngine(of: persistentStore).accept(metadata)
  }

  /// Accepts shares, and has their records imported into a store of the shared database.
  public func acceptShareInvitations(
    from metadata: [CKShare.Metadata], into persistentStore: NSPersistentStore,
    completion: (([CKShare.Metadata]?, (any Error)?) -> Void)? = nil
  ) {
    finish(completion) { try await self.acceptShareInvitations(from: metadata, into: persistentStore) }
  }

  /// The shares that objects are in, as they are known on this device.
  @discardableResult
  public func fetchShares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: CKShare] {
    var result: [NSManagedObjectID: CKShare] = [:]
    for (store, engine) in engines {
      let rows = objectIDs.compactMap { id in store.rowID(id).map { (id, $0) } }
      guard !rows.isEmpty else { continue }
      let shares = try engine.shares(matching: rows.map(\.1))
      for (id, row) in rows { result[id] = shares[row] }
    }
    return result
  }

  /// The shares of a store, or of all, as they are known on this device.
  @discardableResult
  public func fetchShares(in persistentStore: NSPersistentStore?) throws -> [CKShare] {
    guard let persistentStore else { return try engines.flatMap { try $0.engine.shares() } }
    return try requiredEngine(of: persistentStore).shares()
  }

  /// Looks people up in the cloud. None of it is stored.
  @discardableResult
  public func fetchParticipants(
    matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore
  ) async throws -> [CKShare.Participant] {
    try await requiredEngine(of: persistentStore).fetchParticipants(matching: lookupInfos)
  }

  /// Looks people up, as participants that a share may get.
  public func fetchParticipants(
    matching lookupInfos: [CKUserIdentity.LookupInfo], into persistentStore: NSPersistentStore,
    completion: @escaping ([CKShare.Participant]?, (any Error)?) -> Void
  ) {
    finish(completion) { try await self.fetchParticipants(matching: lookupInfos, into: persistentStore) }
  }

  /// Saves a share that the program changed, in the cloud and on this device.
  @discardableResult
  public func persistUpdatedShare(_ share: CKShare, in persistentStore: NSPersistentStore) async throws -> CKShare {
    try await requiredEngine(of: persistentStore).persist(share)
  }

  /// Saves a share that the program changed, to the cloud and in the store.
  public func persistUpdatedShare(
    _ share: CKShare, in persistentStore: NSPersistentStore, completion: ((CKShare?, (any Error)?) -> Void)? = nil
  ) {
    finish(completion) { try await self.persistUpdatedShare(share, in: persistentStore) }
  }

  /// Deletes a zone with its records and objects. In the store of what others share, this leaves the share.
  /// `persistentStore` nil: in every store that is mirrored, those whose database can't hold the zone do nothing.
  @discardableResult
  public func purgeObjectsAndRecordsInZone(
    with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?
  ) async throws -> CKRecordZone.ID {
    if let persistentStore {
      try await requiredEngine(of: persistentStore).purge(zoneID)
    } else {
      let engines = enginesWithZones
      guard !engines.isEmpty else { throw MirroringError.refused("No store with zones is mirrored.") }
      for (_, engine) in engines { try await engine.purge(zoneID) }
    }
    return zoneID
  }

  /// Removes a zone from the cloud, and its objects from a store.
  public func purgeObjectsAndRecordsInZone(
    with zoneID: CKRecordZone.ID, in persistentStore: NSPersistentStore?,
    completion: ((CKRecordZone.ID?, (any Error)?) -> Void)? = nil
  ) {
    let stores: [NSPersistentStore?] = persistentStore.map { [$0] } ?? enginesWithZones.map(\.store)
    for store in stores.isEmpty ? [nil] : stores {
      finish(completion) { try await self.purgeObjectsAndRecordsInZone(with: zoneID, in: store) }
    }
  }

  /// Those of all databases but the public one.
  private var enginesWithZones: [(store: NSPersistentStore, engine: MirroringEngine)] {
    engines.filter { $0.engine.scope != .public }
  }

  private func finish<Value>(
    _ completion: ((Value?, (any Error)?) -> Void)?, _ body: @escaping () async throws -> Value
  ) {
    let (completion, body) = (UncheckedSendable(completion), UncheckedSendable(body))
    Task {
      do {
        let value = try await body.value()
        completion.value?(value, nil)
      } catch {
        completion.value?(nil, error)
      }
    }
  }
}
