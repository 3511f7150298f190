import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform

/// Mirrors a store to a database of a CloudKit container, on a thread of its own, from ``start()`` to ``stop()``.
///
/// The engine identifies objects by their rows in the store; it does not use managed objects. It calls `didCommit` and
/// `event` on its thread and waits for their return. A handler passes the work to its own queue and must not wait for
/// the engine.
///
/// Threads: safe to use from any thread. Functions that are not asynchronous block while they read the store.
package final class MirroringEngine: Sendable {
  package let store: ObjectStore
  package let scope: CKDatabase.Scope
  /// The container, with the identity that the mirroring acts as.
  package let container: CKContainer
  let mirrored: MirroredStore
  let worker: MirroringWorker

  /// - Parameters:
  ///   - defaults: the default values of attributes that must have a value, by the names of entity and attribute
  ///     ([mirror-30]).
  ///   - acting: the identity in force when the persistent container was created; nil for the environment's.
  ///   - didCommit: called after each commit of the mirroring that changed objects or the copy of a share. For a share
  ///     the commit names no objects, and the history has no transaction.
  ///   - reportedError: returns an error of the store in the form that events report.
  ///   - event: called when a run begins and when it ends.
  ///   - step: called at each step. An error that it throws ends the mirroring there, as a kill would.
  ///   - registry: the mirrorings of the process. A separate registry makes this mirroring act like that of another
  ///     process.
  ///   - leaseTimeout: for how many seconds another process is waited for before an event reports it.
  ///   - pollSeconds: the time between two imports of the public database.
  package init(
    store: ObjectStore, defaults: [String: [String: StoredValue]] = [:], containerIdentifier: String,
    scope: CKDatabase.Scope, acting: ActingIdentity?, didCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in },
    reportedError: @escaping @Sendable (ObjectStoreError) -> any Error = { $0 },
    event: @escaping @Sendable (MirroringEvent) -> Void = { _ in },
    step: (@Sendable (MirroringStep) throws -> Void)? = nil, registry: MirroringRegistry = .process,
    leaseTimeout: Double? = nil, pollSeconds: Double? = nil
  ) {
    self.store = store
    self.scope = scope
    let cloud = BlockingCloud(containerIdentifier, acting: acting)
    let state = ThreadCondition(MirroringWorker.State())
    container = cloud.container
    mirrored = MirroredStore(
      store: store, mapping: RecordMapping(store.schema, defaults: defaults), scope: scope, cloud: cloud,
      didCommit: { commit in state.whileInHandler { didCommit(commit) } }, reportedError: reportedError, step: step)
    worker = MirroringWorker(
      mirrored, state: state, container: containerIdentifier, acting: acting, registry: registry,
      leaseTimeout: leaseTimeout ?? MirroringWorker.defaultLeaseTimeout,
      pollSeconds: pollSeconds ?? PublicImporter.interval, eventHandler: { run in state.whileInHandler { event(run) } })
  }

  deinit { end() }

  /// Starts with the setup. If another engine of this process mirrors the store, the setup fails and this engine stays
  /// idle. Engines of several processes mirror the store one after another.
  package func start() { worker.start() }

  /// Ends the mirroring. A run under way ends at its next step, and its event with 134407. Waiting requests fail.
  package func stop() { worker.stop() }

  /// Like ``stop()``, and waits until nothing more is written to the store and to the cloud, at most 30 seconds. A
  /// handler of the program for an event or a commit may call it.
  package func end() {
    worker.stop()
    worker.waitForWrites(seconds: 30)
  }

  /// Waits after ``stop()`` until the engine no longer uses the store. For tests only. Must not be called by a handler
  /// that this engine calls.
  ///
  /// - Returns: false if that takes longer than `seconds`.
  package func finish(seconds: Double = 30) -> Bool { worker.finish(seconds: seconds) }

  /// Requests an export of a save by this process or another one. The history must name a changed many-to-many
  /// relationship at one of the two objects at least.
  package func saved() { worker.exportSoon() }

  /// Requests an import and an export because another process imported. The program of this process waits for events
  /// too, and the other process may have ended before its import was complete.
  package func importedByOtherProcess() {
    worker.importSoon(isOfCloud: false)
    worker.exportSoon()
  }

  /// Imports and exports at once, however long ago an attempt failed, and returns when both are done or have failed.
  /// Then everything that any process saved before is in the cloud, or an event has reported the error. Does nothing
  /// before ``start()`` and after ``stop()``.
  package func drain() async {
    try? await run { thread in
      try? thread.run(.import)
      try? thread.run(.export)
    }
  }

  /// Runs work on the engine's thread, after the setup.
  private func run<Answer: Sendable>(
    _ body: @escaping @Sendable (MirroringThread) throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      worker.add(
        MirroringWorker.Job(
          run: { thread in
            continuation.resume(
              with: Result {
                do {
                  try thread.ensureSetup()
                  return try body(thread)
                } catch is MirroringStopped {
                  thread.worker.stop()
                  throw MirroringError.isStopped
                }
              })
          }, cancel: { continuation.resume(throwing: $0) }))
    }
  }

  /// The events that the store retains, the oldest first.
  ///
  /// - Throws: `ObjectStoreError` if the store can't be read.
  package func events() throws -> [MirroringEvent] { try MirroringEvent.all(of: store) }
}

// MARK: Sharing

extension MirroringEngine {
  /// Like ``run(_:)``, but throws for the public database: it has no shares and no zones to purge.
  private func runSharing<Answer: Sendable>(
    _ body: @escaping @Sendable (MirroringThread) throws -> Answer
  ) async throws -> Answer {
    if scope == .public {
      throw MirroringError.refused("Objects of the public database can't be shared, and it has no zones to purge.")
    }
    return try await run(body)
  }

  /// Adds the objects, and all objects that can be reached from them, to a share. Returns once the objects are assigned
  /// to the share's zone; the export follows.
  ///
  /// - Parameter share: the share to add the objects to; nil to create one.
  /// - Returns: all objects that were assigned, the share as the cloud has it, and its container.
  /// - Throws: error 134060 if an object can't be shared, 134407 after ``stop()``, or the cloud's error.
  package func share(
    _ ids: [RowID], to share: CKShare?
  ) async throws -> (objects: Set<RowID>, share: CKShare, container: CKContainer) {
    let (objects, share) = try await runSharing { thread in
      let answer = try SharingWork(mirrored: thread.mirrored).share(ids, to: share)
      thread.worker.exportSoon(notifiesOthers: true)
      return answer
    }
    return (objects, share, container)
  }

  /// Accepts invitations. The import that follows adds the objects.
  ///
  /// - Returns: the accepted invitations.
  /// - Throws: error 134060 if the store is not of the shared database or a share is not of a whole zone; otherwise the
  ///   first error of an invitation, even if others were accepted.
  package func accept(_ metadatas: [CKShare.Metadata]) async throws -> [CKShare.Metadata] {
    try await runSharing { thread in
      let (accepted, failure) = try SharingWork(mirrored: thread.mirrored).accept(metadatas)
      if !accepted.isEmpty { thread.worker.importSoon() }
      if let failure { throw failure }
      return accepted
    }
  }

  /// Looks up participants in the cloud. The result is not stored.
  ///
  /// - Throws: the cloud's error of a single info that matches no user; for several infos a `partialFailure`.
  package func fetchParticipants(
    matching infos: [CKUserIdentity.LookupInfo]
  ) async throws -> [CKShare.Participant] {
    try await runSharing { thread in try SharingWork(mirrored: thread.mirrored).participants(infos) }
  }

  /// Saves a share in the cloud and in the store. If the cloud's share has changed since then, the changes are merged.
  ///
  /// - Returns: the share as the cloud saved it.
  /// - Throws: error 134060 for a zone that the store does not mirror, `serverRecordChanged` if the changes can't be
  ///   merged, or another error of the cloud.
  package func persist(_ share: CKShare) async throws -> CKShare {
    try await runSharing { thread in
      let saved = try SharingWork(mirrored: thread.mirrored).persist(share)
      thread.worker.exportSoon(notifiesOthers: true)
      return saved
    }
  }

  /// Deletes a zone, or leaves its share if another user owns it, and removes its objects from the store, unsent ones
  /// too.
  ///
  /// - Throws: error 134060 for a zone that the store does not mirror, or the cloud's error.
  package func purge(_ zoneID: CKRecordZone.ID) async throws {
    try await runSharing { thread in
      try SharingWork(mirrored: thread.mirrored).purge(zoneID)
      thread.worker.exportSoon(notifiesOthers: true)
      // The zone is deleted in any case. If the erasure fails, an import retries it, and its event reports a failure.
      do { try thread.mirrored.eraseDeletedObjects() } catch { thread.worker.importSoon(isOfCloud: false) }
    }
  }

  /// The shares in the store.
  ///
  /// - Throws: `ObjectStoreError` if the store can't be read.
  package func shares() throws -> [CKShare] {
    try store.read { view in
      var shares: [CKShare] = []
      try view.forEachMirrorRow(keyPrefix: "", in: .zones) { row in
        if let share = ZoneEntry(row)?.shareRecord { shares.append(share) }
        return true
      }
      return shares
    }
  }

  /// The shares of those objects that are in a share's zone. Other objects are not in the result.
  ///
  /// - Throws: `ObjectStoreError` if the store can't be read.
  package func shares(matching ids: [RowID]) throws -> [RowID: CKShare] {
    try store.read { view in
      var shares: [ZoneLocation: CKShare?] = [:]
      var found: [RowID: CKShare] = [:]
      for id in ids {
        guard let zone = try view.record(of: id)?.location.zone else { continue }
        if shares[zone] == nil {
          shares[zone] = .some(ZoneEntry(try view.row(key: zone.key, in: .zones))?.shareRecord)
        }
        found[id] = shares[zone] ?? nil
      }
      return found
    }
  }
}

// MARK: Records and permissions

extension MirroringEngine {
  /// The last known copy of an object's record; nil before its first export or import.
  package func record(for id: RowID) -> CKRecord? {
    let record = entry(of: id)?.record
    guard scope == .public, let user = mirrored.cloud.user() else { return record }
    return record?.renamingUsers { $0 == user ? CKCurrentUserDefaultName : $0 }
  }

  /// The ID of an object's record; nil until the record is exported or imported, even if it has a name already.
  package func recordID(for id: RowID) -> CKRecord.ID? {
    guard let entry = entry(of: id), entry.tag != nil || !entry.leaving.isEmpty else { return nil }
    return entry.location.recordID
  }

  private func entry(of id: RowID) -> RecordEntry? {
    try? store.read { try $0.record(of: id) }
  }

  /// Whether the user can write to the database now. The public database requires an account.
  package var canModify: Bool { scope != .public || mirrored.cloud.user() != nil }

  /// Whether the user may change the object's record. In a store of the shared database this requires permission to
  /// write in the object's share; in a store of the public database the user must have created the record
  /// ([mirror-36]).
  ///
  /// - Assumption: an object of another owner may not be changed before its share has arrived.
  /// - Assumption: permissions that the schema of the public database grants to other users are ignored.
  package func canUpdate(_ id: RowID) -> Bool {
    if scope == .private { return true }
    if scope == .public {
      guard let user = mirrored.cloud.user() else { return false }
      guard let entry = entry(of: id), entry.tag != nil else { return true }
      return entry.creator == user
    }
    guard let zone = entry(of: id)?.location.zone else { return true }
    let share = try? mirrored.zone(zone)?.shareRecord
    guard let participant = share?.currentUserParticipant else { return false }
    return participant.permission == .readWrite
  }

  /// - Assumption: a user who may change an object may delete it.
  package func canDelete(_ id: RowID) -> Bool { canUpdate(id) }
}
