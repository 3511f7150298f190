import Platform

/// What storing fails with; ``SystemError`` comes beside it, for the disk's own troubles.
package enum StorageError: Error, Sendable {
  /// The lock was not to be had in time.
  case busy(path: String, holder: LockHolder?, waited: Double)
  /// A file does not hold what it must. Never repaired silently.
  case damaged(path: String, reason: String)
  /// A newer program made this tree.
  case formatTooNew(path: String, found: Int64, known: Int64)
  /// Two names whose files would be one: digests of very long names that collide, or a disk that ignores case.
  case nameCollision(path: String, name: String)
  /// Whether it was committed can't be told: the disk failed, and then failed to take it back.
  case uncertain(path: String, reason: String)
  /// Left in the journal for whoever has the turn to commit, which did not come to it in time: it is saved once that
  /// process goes on or ends. It can't be taken back, as others may have planned upon it.
  case pending(path: String, holder: LockHolder?, waited: Double)
  /// Committed, but the files can't be brought up to it now; the disk has to be looked at.
  case unapplied(path: String, reason: String)
}

extension StorageError {
  /// Undoes what is not known to be durable. Where that fails, too, nobody can say what will be found.
  package static func takingBack(_ path: String, after failure: any Error, _ body: () throws -> Void) throws {
    do { try body() } catch let error as SystemError where error.isStopped {
      throw error
    } catch {
      throw StorageError.uncertain(path: path, reason: "\(failure), and it could not be taken back: \(error)")
    }
  }
}

extension Directory {
  /// Makes durable what was done with the entry `name`. Where that fails, it is undone: an error means that nothing was
  /// done.
  package func sync(_ name: String, orUndo undo: () throws -> Void) throws {
    do { try sync() } catch {
      try StorageError.takingBack(path(of: name), after: error) {
        try undo()
        // Else a power cut could bring back what was never promised.
        try sync()
      }
      throw error
    }
  }
}
