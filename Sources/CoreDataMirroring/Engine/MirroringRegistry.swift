import Synchronization

/// The mirrorings of this process.
///
/// Each store is mirrored once. Mirrorings of one device notify each other, because a device gets no push for its own
/// changes.
package final class MirroringRegistry: Sendable {
  private struct Entry {
    weak var worker: MirroringWorker?
  }

  /// The mirrorings of this process. Tests create other registries, each like another process.
  package static let process = MirroringRegistry()

  /// By the stores' identifiers.
  private let entries = Mutex<[String: Entry]>([:])

  /// Returns false if the store is mirrored already.
  func add(_ worker: MirroringWorker) -> Bool {
    entries.withLock { entries in
      let store = worker.mirrored.store.identifier
      if let known = entries[store]?.worker, known !== worker { return false }
      entries[store] = Entry(worker: worker)
      return true
    }
  }

  func remove(_ worker: MirroringWorker) {
    entries.withLock { entries in
      let store = worker.mirrored.store.identifier
      if entries[store]?.worker === worker || entries[store]?.worker == nil { entries[store] = nil }
    }
  }

  /// Requests an import from the device's other mirrorings of the container.
  func notifyOthers(than worker: MirroringWorker) {
    let workers = entries.withLock { $0.values.compactMap(\.worker) }
    // Changes in a private or shared database do not affect the public one, nor the reverse.
    func isPublic(_ worker: MirroringWorker) -> Bool { worker.mirrored.scope == .public }
    for other in workers
    where other !== worker && other.container == worker.container && other.acting == worker.acting
      && isPublic(other) == isPublic(worker)
    { other.importSoon() }
  }
}
