import LocalCloudEmulator
import Synchronization

/// The schedules of this process's engines, by the folder of their cloud. Tests hold them, and run them by hand.
///
/// Threads: safe to use from any.
package enum SyncSchedules {
  private struct Entry {
    weak var work: SyncWork?
    var root: String
    /// Engines do their work in the order of their creation.
    var number: Int
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var heldRoots: Set<String> = []
    var last = 0

    func works(in root: String) -> [SyncWork] {
      entries.values.filter { $0.root == root }.sorted { $0.number < $1.number }.compactMap(\.work)
    }
  }

  private static let state = Mutex(State())

  /// The engines of this cloud do no scheduled work until ``release(acting:)``. Holds for later engines, too.
  package static func hold(acting: ActingIdentity? = ActingIdentity.current) {
    setHeld(true, root(of: acting))
  }

  /// The engines of this cloud do their scheduled work again.
  package static func release(acting: ActingIdentity? = ActingIdentity.current) {
    setHeld(false, root(of: acting))
  }

  /// Does the scheduled work of this cloud's engines now, one engine after another, until none has any. An engine also
  /// fetches if the cloud has changes for it, although their push has not arrived.
  ///
  /// Work that fails and is to be tried again is done once, whatever its time, and so are pending changes and unfetched
  /// zones without scheduled work. Errors are not thrown: they are part of the engines' events.
  package static func runUntilIdle(acting: ActingIdentity? = ActingIdentity.current) async {
    SyncWork.checkNotInCallback()
    let root = root(of: acting)
    var isFirstRound = true
    var isIdle = false
    while !isIdle {
      isIdle = true
      for work in state.withLock({ $0.works(in: root) }) {
        if await work.runScheduled(isFirstRound: isFirstRound) { isIdle = false }
      }
      isFirstRound = false
    }
  }

  static func add(_ work: SyncWork) {
    let root = root(of: work.acting)
    state.withLock { state in
      state.last += 1
      state.entries[ObjectIdentifier(work)] = Entry(work: work, root: root, number: state.last)
      work.schedule.hold(state.heldRoots.contains(root))
    }
  }

  static func remove(_ work: SyncWork) {
    state.withLock { $0.entries[ObjectIdentifier(work)] = nil }
  }

  /// Stores and applies the mark under one lock, so that an engine that is created at the same time has the last mark.
  private static func setHeld(_ isHeld: Bool, _ root: String) {
    // The engines are released after the lock.
    _ = state.withLock { state in
      if isHeld { state.heldRoots.insert(root) } else { state.heldRoots.remove(root) }
      let works = state.works(in: root)
      for work in works { work.schedule.hold(isHeld) }
      return works
    }
  }

  private static func root(of acting: ActingIdentity?) -> String {
    (try? Settings(acting ?? ActingIdentity()).root.value) ?? ""
  }
}
