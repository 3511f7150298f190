import LocalCloudPlatform

/// Errors of the storage layer. Failures of the file system itself are thrown as ``SystemError``.
package enum StorageError: Error, Sendable {
  /// The lock could not be acquired in time. `waited`: in seconds.
  case busy(path: String, holder: LockHolder?, waited: Double)
  /// A file's contents are invalid. It is never repaired silently.
  case damaged(path: String, reason: String)
  /// A newer version of the program made this tree.
  case formatTooNew(path: String, found: Int64, known: Int64)
  /// Two names map to the same file: the digests of very long names collide, or the disk ignores case.
  case nameCollision(path: String, name: String)
  /// It is unknown whether the entry was committed: the disk failed, and undoing the write failed, too.
  case uncertain(path: String, reason: String)
  /// The commit was left in the journal for the holder of the commit lock, and that process did not complete it in
  /// time. It will be saved once that process continues or ends. It can't be withdrawn, because other commits may be
  /// planned on top of it.
  case pending(path: String, holder: LockHolder?, waited: Double)
  /// The journal can't be applied to the files now; the disk has to be checked.
  case unapplied(path: String, reason: String)
}

extension StorageError {
  /// Runs `body` to undo a write that may not be durable. Throws ``StorageError/uncertain(path:reason:)`` if that
  /// fails, too: the state on the disk is then unknown.
  package static func takingBack(_ path: String, after failure: any Error, _ body: () throws -> Void) throws {
    do { try body() } catch let error as SystemError where error.isStopped {
      throw error
    } catch {
      throw StorageError.uncertain(path: path, reason: "\(failure), and it could not be taken back: \(error)")
    }
  }
}

extension Directory {
  /// Makes a change of the entry `name` durable. If that fails, undoes the change: an error means that nothing was
  /// done.
  package func sync(_ name: String, orUndo undo: () throws -> Void) throws {
    do { try sync() } catch {
      try StorageError.takingBack(path(of: name), after: error) {
        try undo()
        // Otherwise a power cut could restore a change that was reported as failed.
        try sync()
      }
      throw error
    }
  }
}
