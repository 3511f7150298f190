import LocalCloudPlatform
import LocalCloudStorage

/// The turn to mirror a store ([store-24]): of all processes that mirror it, one sets up, imports, exports or shares at a time.
/// All that they know is in the store, so whoever has the turn goes on from there. The turn of a process that dies is over.
///
/// Not thread-safe: it belongs to the thread that mirrors.
package final class MirroringTurn {
  private let store: ObjectStore
  private var lock: FairLock?
  private var place: HeldLock?

  package init(_ store: ObjectStore) { self.store = store }

  /// Takes the turn until the lock is released; nil if somebody else has it, or was first to ask. Then the caller is in
  /// the queue, and has to ask again, or to ``leave()``.
  package func takeIfFree() throws -> HeldLock? {
    do { return try openLock().acquireIfFree(keeping: &place) } catch {
      leave()
      throw ObjectStoreError(error, path: store.path)
    }
  }

  /// Leaves the queue.
  package func leave() { place = nil }

  /// The process that has the turn, as text for people; nil if nobody has it or the system does not tell.
  package func holder() -> String? { Self.lock(in: store.files.journalDirectory).holder()?.text }

  /// Waits for the turn, also in a store that no process has mirrored yet. `folder`: the journal's.
  static func take(in folder: Directory, _ waitPolicy: LockWaitPolicy) throws -> HeldLock {
    try makeFiles(in: folder)
    return try lock(in: folder).acquire(.exclusive, waitPolicy)
  }

  /// Makes the lock's files, if they are lacking. `folder`: the journal's.
  static func makeFiles(in folder: Directory) throws {
    for name in [StoreFolder.mirroringLock, StoreFolder.mirroringGate] { _ = try folder.createFile(name) }
  }

  private func openLock() throws -> FairLock {
    if let lock { return lock }
    if store.isReadOnly { throw ObjectStoreError.readOnly(path: store.path) }
    try Self.makeFiles(in: store.files.journalDirectory)
    let lock = Self.lock(in: store.files.journalDirectory)
    self.lock = lock
    return lock
  }

  private static func lock(in folder: Directory) -> FairLock {
    FairLock(folder, StoreFolder.mirroringLock, gate: (folder, StoreFolder.mirroringGate))
  }
}
