import LocalCloudEmulator
import Synchronization

/// The mirrorings of this process.
///
/// Each store is mirrored once. Mirrorings of one device notify each other, because a device gets no push for its own
/// changes.
final class MirroringRegistry: Sendable {
  private struct Entry {
    weak var worker: MirroringWorker?
    var container: String
    var acting: ActingIdentity?
  }

  /// The mirrorings of this process. Tests create other registries, each like another process.
  static let process = MirroringRegistry()

  private let entries = Mutex<[String: Entry]>([:])

  /// Returns false if the store is mirrored already.
  func add(_ worker: MirroringWorker, store: String, container: String, acting: ActingIdentity?) -> Bool {
    entries.withLock { entries in
      if let known = entries[store]?.worker, known !== worker { return false }
      entries[store] = Entry(worker: worker, container: container, acting: acting)
      return true
    }
  }

  func remove(_ worker: MirroringWorker, store: String) {
    entries.withLock { entries in
      if entries[store]?.worker === worker || entries[store]?.worker == nil { entries[store] = nil }
    }
  }

  /// Requests an import from the device's other mirrorings of the container.
  func notifyOthers(than worker: MirroringWorker, container: String, acting: ActingIdentity?) {
    let others = entries.withLock { entries in
      entries.values.filter { $0.container == container && $0.acting == acting }.compactMap(\.worker)
    }
    // Changes in a private or shared database do not affect the public one, nor the reverse.
    func isPublic(_ worker: MirroringWorker) -> Bool { worker.mirrored.scope == .public }
    for other in others where other !== worker && isPublic(other) == isPublic(worker) { other.importSoon() }
  }
}
