import Synchronization

/// Work of this process that uses a folder until it is stopped: a listener, or the mirroring of a store.
package protocol FolderUser: AnyObject, Sendable {
  /// Requests the end. Does not wait.
  func stop()

  /// Waits after ``stop()`` until nothing more is written to the folder, at most `seconds`.
  func waitForWrites(seconds: Double)
}

/// The work of this process by the folders that it uses. A temporary cloud ends this work before its folder is removed.
///
/// Threads: safe to use from any.
package enum FolderUsers {
  private struct Entry {
    weak var user: (any FolderUser)?
    var paths: [String]
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Records the folders that the work uses from now on, instead of those that were recorded before.
  package static func add(_ user: any FolderUser, in paths: [String]) {
    entries.withLock { $0[ObjectIdentifier(user)] = Entry(user: user, paths: paths) }
  }

  package static func remove(_ user: any FolderUser) {
    entries.withLock { $0[ObjectIdentifier(user)] = nil }
  }

  /// The work in a folder and in the folders below it.
  package static func users(below folder: String) -> [any FolderUser] {
    entries.withLock { entries in
      entries.values.filter { entry in
        entry.paths.contains { $0 == folder || $0.hasPrefix(folder + "/") }
      }.compactMap(\.user)
    }
  }

  /// Ends the work in a folder and in the folders below it. Waits for it, at most 30 seconds, as
  /// `NSPersistentStoreCoordinator` waits for a mirroring.
  static func end(below folder: String) {
    var ended: Set<ObjectIdentifier> = []
    // The mirroring may start a listener until its thread has ended.
    for _ in 0..<2 {
      let users = users(below: folder).filter { ended.insert(ObjectIdentifier($0)).inserted }
      for user in users { user.stop() }
      for user in users { user.waitForWrites(seconds: 30) }
    }
  }
}
