import Foundation
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Mirrors a store to a database of a CloudKit container, on a thread of its own, from ``start()`` to ``stop()``.
///
/// Objects are named by their rows in the store; nothing here knows of managed objects. What is told of is told on that
/// thread, which waits: whoever listens hands over to a queue of their own, and never waits for this object there.
///
/// Threads: safe to use from any. The functions that are not asynchronous read the store, and block as long as that
/// takes.
package final class MirroringEngine: Sendable {
  package let store: ObjectStore
  package let scope: CKDatabase.Scope
  /// The container, as the identity that the mirroring acts as.
  package let container: CKContainer
  let mirrored: MirroredStore
  let worker: MirroringWorker

  /// - Parameters:
  ///   - defaults: the default values of attributes that have to have one, by the names of entity and attribute
  ///     ([mirror-30]).
  ///   - acting: the identity in force when the persistent container was made; nil for the environment's.
  ///   - didCommit: called after each commit of the mirroring that changed objects, or the copy of a share: then no
  ///     objects are named, and the history has no transaction.
  ///   - event: called when a run begins and when it ends.
  package convenience init(
    store: ObjectStore, defaults: [String: [String: StoredValue]] = [:], containerIdentifier: String,
    scope: CKDatabase.Scope, acting: ActingIdentity?, didCommit: @escaping @Sendable (StoreCommit) -> Void = { _ in },
    event: @escaping @Sendable (MirroringEvent) -> Void = { _ in }
  ) {
    self.init(
      store: store, defaults: defaults, containerIdentifier: containerIdentifier, scope: scope, acting: acting,
      didCommit: didCommit, event: event, step: nil)
  }

  /// - Parameters:
  ///   - step: called at each step; what it throws ends the mirroring there, as a kill would.
  ///   - registry: the mirrorings of the process; another one makes this mirroring like that of another process.
  ///   - patience: for how many seconds another process is waited for before an event tells of it.
  ///   - pollSeconds: the time between two imports of the public database.
  init(
    store: ObjectStore, defaults: [String: [String: StoredValue]] = [:], containerIdentifier: String,
    scope: CKDatabase.Scope, acting: ActingIdentity?, didCommit: @escaping @Sendable (StoreCommit) -> Void,
    event: @escaping @Sendable (MirroringEvent) -> Void, step: (@Sendable (MirroringStep) throws -> Void)?,
    registry: MirroringRegistry = .process, patience: Double = MirroringWorker.patience,
    pollSeconds: Double = PublicImporter.interval
  ) {
    self.store = store
    self.scope = scope
    let cloud = BlockingCloud(containerIdentifier, acting: acting)
    let state = Condition(MirroringWorker.State())
    container = cloud.container
    mirrored = MirroredStore(
      store: store, mapping: RecordMapping(store.schema, defaults: defaults), scope: scope, cloud: cloud,
      didCommit: { commit in state.whileInBlock { didCommit(commit) } }, step: step)
    worker = MirroringWorker(
      mirrored, state: state, container: containerIdentifier, acting: acting, registry: registry, patience: patience,
      pollSeconds: pollSeconds, event: { run in state.whileInBlock { event(run) } })
  }

  deinit { end() }

  /// Begins with the setup. If another engine of this process mirrors the store, that fails and this one stays idle. Those
  /// of other processes take turns with this one.
  package func start() { worker.start() }

  /// Ends the mirroring; a run under way ends at its next step, and its event with 134407. What waits fails.
  package func stop() { worker.stop() }

  /// Like ``stop()``, and waits until nothing more is written to the store and to the cloud, for half a minute at most. A
  /// block of the program's that is called for an event or a commit may call it.
  package func end() {
    worker.stop()
    worker.waitForWrites(seconds: 30)
  }

  /// Waits after ``stop()`` until nothing more touches the store; false if that takes longer. Tests wait, programs do
  /// not. Not to be called by what this object calls.
  package func finish(seconds: Double = 30) -> Bool { worker.finish(seconds: seconds) }

  /// Tells of a save, by this process or another one. The history has to name a changed relationship of many to many at
  /// one of the two objects at least.
  package func saved() { worker.exportSoon() }

  /// Tells of an import by another process: this one's program waits for events, too, and the other process may have
  /// ended before it was done.
  package func heardOfImport() {
    worker.importSoon(isOfCloud: false)
    worker.exportSoon()
  }

  /// Imports and exports at once, however long ago an attempt failed, and returns when both are done or have failed:
  /// what was saved before, by whatever process, is in the cloud then, or an event has told why it is not. Does nothing
  /// before ``start()`` and after ``stop()``.
  package func drain() async {
    try? await run { worker in
      try? worker.import()
      try? worker.export()
    }
  }

  /// Runs work on the thread, after setup.
  private func run<Answer: Sendable>(
    _ body: @escaping @Sendable (MirroringWorker) throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      // The thread keeps the worker.
      worker.add(
        MirroringWorker.Job(
          run: { [unowned worker] news in
            continuation.resume(
              with: Result {
                do {
                  try worker.ensureSetup(news)
                  return try body(worker)
                } catch is MirroringStopped {
                  worker.stop()
                  throw MirroringError.isStopped
                }
              })
          }, cancel: { continuation.resume(throwing: $0) }))
    }
  }

  /// The events that the store keeps, the oldest first.
  package func events() throws -> [MirroringEvent] { try MirroringEvent.all(of: store) }
}

// MARK: Sharing

extension MirroringEngine {
  /// Like ``run(_:)``. The public database has no shares, and no zones to purge.
  private func runSharing<Answer: Sendable>(
    _ body: @escaping @Sendable (MirroringWorker) throws -> Answer
  ) async throws -> Answer {
    if scope == .public {
      throw MirroringError.refused("Objects of the public database can't be shared, and it has no zones to purge.")
    }
    return try await run(body)
  }

  /// Puts the objects, and all that can be reached from them, into a share; a new one if there is none. Returns once
  /// they are assigned; the export goes on.
  package func share(
    _ ids: [RowID], to share: CKShare?
  ) async throws -> (objects: Set<RowID>, share: CKShare, container: CKContainer) {
    let (objects, share) = try await runSharing { [mirrored] worker in
      let answer = try SharingWork(mirrored: mirrored).share(ids, to: share)
      worker.exportSoon(hasNews: true)
      return answer
    }
    return (objects, share, container)
  }

  /// Accepts invitations. The objects come with the import that follows.
  package func accept(_ metadatas: [CKShare.Metadata]) async throws -> [CKShare.Metadata] {
    try await runSharing { [mirrored] worker in
      let (accepted, failure) = try SharingWork(mirrored: mirrored).accept(metadatas)
      if !accepted.isEmpty { worker.importSoon() }
      if let failure { throw failure }
      return accepted
    }
  }

  package func fetchParticipants(
    matching infos: [CKUserIdentity.LookupInfo]
  ) async throws -> [CKShare.Participant] {
    try await runSharing { [mirrored] _ in try SharingWork(mirrored: mirrored).participants(infos) }
  }

  /// Saves a share in the cloud and in the store; returns it as the cloud has it.
  package func persist(_ share: CKShare) async throws -> CKShare {
    try await runSharing { [mirrored] worker in
      let saved = try SharingWork(mirrored: mirrored).persist(share)
      worker.exportSoon(hasNews: true)
      return saved
    }
  }

  /// Deletes a zone, or leaves the share if it is somebody else's, and removes its objects from the store.
  package func purge(_ zoneID: CKRecordZone.ID) async throws {
    try await runSharing { [mirrored] worker in
      try SharingWork(mirrored: mirrored).purge(zoneID)
      worker.exportSoon(hasNews: true)
      // The zone is gone, whatever comes of this: an import tries again, and its event tells of it.
      do { try mirrored.scrub() } catch { worker.importSoon(isOfCloud: false) }
    }
  }

  /// The shares that the store knows of.
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

  /// The shares of those objects that are in the zone of one.
  package func shares(matching ids: [RowID]) throws -> [RowID: CKShare] {
    try store.read { view in
      var shares: [ZoneHome: CKShare?] = [:]
      var found: [RowID: CKShare] = [:]
      for id in ids {
        guard let zone = RecordEntry(try view.mirrorRow(id.number, in: .records))?.home.zone else { continue }
        if shares[zone] == nil {
          shares[zone] = .some(ZoneEntry(try view.mirrorRow(key: zone.key, in: .zones))?.shareRecord)
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

  /// The ID of an object's record; nil before its first export or import, as long as it was not sent under its name.
  package func recordID(for id: RowID) -> CKRecord.ID? {
    guard let entry = entry(of: id), entry.tag != nil || !entry.leaving.isEmpty else { return nil }
    return entry.home.recordID
  }

  private func entry(of id: RowID) -> RecordEntry? {
    try? store.read { RecordEntry(try $0.mirrorRow(id.number, in: .records)) }
  }

  /// Whether the user can write to the database at all: to the public one only with an account. Looks at it as it is.
  package var canModify: Bool { scope != .public || mirrored.cloud.user() != nil }

  /// Whether the user may change the object's record: in a store of others' objects, whether they may write in the
  /// object's share; in one of the public database, whether they made the record ([mirror-36]).
  ///
  /// - Assumption: an object of others whose share has not arrived yet may not be changed.
  /// - Assumption: what the schema of the public database grants to others is not looked at.
  package func canUpdate(_ id: RowID) -> Bool {
    if scope == .private { return true }
    if scope == .public {
      guard let user = mirrored.cloud.user() else { return false }
      guard let entry = entry(of: id), entry.tag != nil else { return true }
      return entry.creator == user
    }
    guard let zone = entry(of: id)?.home.zone else { return true }
    let share = try? mirrored.zone(zone)?.shareRecord
    guard let participant = share?.currentUserParticipant else { return false }
    return participant.permission == .readWrite
  }

  /// - Assumption: who may change an object may delete it.
  package func canDelete(_ id: RowID) -> Bool { canUpdate(id) }
}
