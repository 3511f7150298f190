import LocalCloudPlatform
import LocalCloudStorage

/// The lease to mirror a store ([store-24]). Of all processes that mirror the store, one at a time sets up, imports,
/// exports or shares. The store holds all state of the mirroring, so each holder continues from there. The lease of a
/// process that dies ends.
///
/// Not thread-safe: it belongs to the thread that mirrors.
package final class MirroringLease {
  private let store: ObjectStore
  private var lock: FairLock?
  private var ticket: HeldLock?

  package init(_ store: ObjectStore) { self.store = store }

  /// Takes the lease until the returned lock is released; nil if another process has it or asked earlier. Then the
  /// caller is in the queue, and has to ask again or call ``leave()``.
  package func acquireIfFree() throws -> HeldLock? {
    do { return try openLock().acquireIfFree(keeping: &ticket) } catch {
      leave()
      throw ObjectStoreError(error, path: store.path)
    }
  }

  /// Leaves the queue.
  package func leave() { ticket = nil }

  /// The process that holds the lease, as text for people; nil if it is free or the system does not report the holder.
  package func holder() -> String? { Self.lock(in: store.files.journalDirectory).holder()?.text }

  /// Waits for the lease, also in a store that no process has mirrored yet. `folder`: the journal's.
  static func acquire(in folder: Directory, _ waitPolicy: LockWaitPolicy) throws -> HeldLock {
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
