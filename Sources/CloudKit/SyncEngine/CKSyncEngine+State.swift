import Foundation
import Synchronization

extension CKSyncEngine {
  /// The changes to send and everything else that an engine remembers. Use it from any thread.
  ///
  /// A change of a batch that is being sent is not in the lists. It is in them again if the app adds it meantime, or if
  /// the engine retries it.
  public final class State: Sendable {
    /// A state to be stored, for example with `JSONEncoder` or `PropertyListEncoder`. Its content is opaque.
    ///
    /// - Assumption: both coders retain it, and changes that are being sent are stored as pending.
    public struct Serialization: Codable, Sendable {
      let state: SyncState

      init(_ state: SyncState) { self.state = state }

      /// Reads a state.
      ///
      /// - Throws: `DecodingError` if the data are damaged or from a newer version of this library.
      public init(from decoder: any Decoder) throws {
        state = try SyncState(from: decoder)
      }

      /// Writes the state. Changes that are being sent are written as pending.
      public func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
      }
    }

    private struct Storage {
      var state: SyncState
      var isDirty = false
      /// The records with a pending change that the app adds once more or removes while it makes a batch; nil: it makes
      /// none.
      var editedMeanwhile: Set<CKRecord.ID>?
      var changed: (@Sendable (_ byApp: Bool) -> Void)?
    }

    private let storage: Mutex<Storage>

    init(_ state: SyncState) {
      storage = Mutex(Storage(state: state))
    }

    // MARK: Pending changes

    /// The records to save and to delete, in the order in which they were added, each once.
    public var pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange] { read { $0.recordChanges.list } }

    /// The zones to save and to delete, in the order in which they were added, each once.
    public var pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange] { read { $0.databaseChanges.list } }

    /// Whether the app has changes to send that are not in the lists.
    ///
    /// Setting it to true schedules a send, in that the engine asks the delegate for batches even if the lists are
    /// empty. The app sets it to false when it has no more of these changes.
    ///
    /// - Assumption: the engine sets it to false before it asks for these changes, and to true again at the end of a send
    ///   with another scope than `all`, with a failure that the engine retries, or with offered records that wait for
    ///   the next send.
    public var hasPendingUntrackedChanges: Bool {
      get { read { $0.hasPendingUntrackedChanges } }
      set { change(byApp: true) { $0.state.hasPendingUntrackedChanges = newValue } }
    }

    /// The zones with changes on the server that were not fetched yet.
    public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] { read { $0.zonesWithUnfetchedChanges } }

    /// Adds changes and schedules a send.
    ///
    /// A record has at most one pending change: of a save and a deletion the newer remains.
    public func add(pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange]) {
      change(byApp: true) { storage in
        let known = storage.state.add(pendingRecordZoneChanges)
        // The delegate adds the changes of the batch that it makes.
        let edited = SyncWork.isInCallback ? known : pendingRecordZoneChanges.map(\.itemID)
        storage.editedMeanwhile?.formUnion(edited)
      }
    }

    /// Removes changes.
    ///
    /// - Assumption: changes that are not pending, for example because they are being sent, are ignored.
    public func remove(pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange]) {
      change(byApp: true) { storage in
        let removed = storage.state.remove(pendingRecordZoneChanges)
        storage.editedMeanwhile?.formUnion(removed.map(\.itemID))
      }
    }

    /// Adds changes and schedules a send.
    ///
    /// A zone has at most one pending change: of a save and a deletion the newer remains.
    public func add(pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange]) {
      change(byApp: true) { $0.state.add(pendingDatabaseChanges) }
    }

    /// Removes changes. Changes that are not pending, for example because they are being sent, are ignored.
    public func remove(pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange]) {
      change(byApp: true) { $0.state.remove(pendingDatabaseChanges) }
    }

    // MARK: For the engine

    /// Called after each change by the app or the engine, on its thread, when the lock is released. The engine sets it
    /// once.
    var changed: (@Sendable (_ byApp: Bool) -> Void)? {
      get { storage.withLock { $0.changed } }
      set { storage.withLock { $0.changed = newValue } }
    }

    func read<R: Sendable>(_ body: (SyncState) -> R) -> R {
      storage.withLock { body($0.state) }
    }

    /// Changes the state. The change is to be reported to the delegate: see ``takeDirtyState()``.
    func change<R: Sendable>(_ body: (inout SyncState) -> R) -> R {
      change(byApp: false) { body(&$0.state) }
    }

    /// The app is asked for a batch. This is no change for the delegate.
    func beginBatch() { storage.withLock { $0.editedMeanwhile = [] } }

    /// The app makes no more batches in this pass.
    func endBatch() { storage.withLock { $0.editedMeanwhile = nil } }

    /// Moves the pending changes of a batch into flight.
    ///
    /// - Assumption: a change that the app adds once more, or removes and adds, while it makes the batch stays pending,
    ///   because the batch may hold the record as it was before.
    func takeOff(_ batch: [CKSyncEngine.PendingRecordZoneChange]) {
      change(byApp: false) { storage in
        let taken = storage.state.takeOff(batch)
        if let edited = storage.editedMeanwhile {
          storage.state.add(taken.filter { edited.contains($0.itemID) })
        }
        storage.editedMeanwhile = nil
      }
    }

    /// The state if it changed since the last call; otherwise nil.
    func takeDirtyState() -> Serialization? {
      storage.withLock { storage in
        guard storage.isDirty else { return nil }
        storage.isDirty = false
        return Serialization(storage.state)
      }
    }

    private func change<R: Sendable>(byApp: Bool, _ body: (inout Storage) -> R) -> R {
      let (result, changed) = storage.withLock { storage in
        storage.isDirty = true
        return (body(&storage), storage.changed)
      }
      changed?(byApp)
      return result
    }
  }
}
