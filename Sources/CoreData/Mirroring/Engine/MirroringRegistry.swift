import LocalCloudEmulator
import Synchronization

/// The mirrorings of this process.
///
/// One store is mirrored once. Mirrorings of one device hear from each other, as a device gets no push of what it
/// changed itself.
final class MirroringRegistry: Sendable {
  private struct Entry {
    weak var worker: MirroringWorker?
    var container: String
    var acting: ActingIdentity?
  }

  /// Those of this process; tests have others, which are like other processes.
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

  /// Lets the device's other mirrorings of the container import.
  func tellOthers(than worker: MirroringWorker, container: String, acting: ActingIdentity?) {
    let others = entries.withLock { entries in
      entries.values.filter { $0.container == container && $0.acting == acting }.compactMap(\.worker)
    }
    // Of the public database a private one says nothing.
    func isPublic(_ worker: MirroringWorker) -> Bool { worker.mirrored.scope == .public }
    for other in others where other !== worker && isPublic(other) == isPublic(worker) { other.importSoon() }
  }
}
