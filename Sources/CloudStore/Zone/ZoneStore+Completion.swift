import Platform
import Storage

/// What has to be durable before a writer is answered.
struct LeftCommits {
  /// Where the last of them ends in the journal.
  var end: Journal.Position
  /// Whether the writer's own commit is among them.
  var holdsOwn: Bool

  /// Nil for a writer who went by none, or committed them with its own.
  init?(_ view: ZoneView) {
    guard let end = view.left ?? (view.isCommitted ? nil : view.pending?.frames.end) else { return nil }
    self.end = end
    holdsOwn = view.left != nil
  }
}

/// Commits that writers left in the journal: whoever has the turn syncs what has come together.
extension ZoneStore {
  /// Waits until they are durable and in the files, or sees to it, when it is this one's turn. The writer's own commit is
  /// with others by now: no error means that it is not saved.
  func complete(_ left: LeftCommits, _ patience: LockPatience) throws {
    if left.holdsOwn, let whenLeft = whenLeft.withLock({ $0 }) { whenLeft() }
    var failures = 0
    while true {
      do { return try complete(left.end, patience) } catch let error as SystemError where error.isStopped {
        throw error
      } catch {
        failures += 1
        // One try may meet what the next one does not.
        if failures < 3, error is SystemError {
          pause(microseconds: UInt64(failures) * 10_000)
          continue
        }
        if !left.holdsOwn { throw error }
        if case StorageError.uncertain = error { throw error }
        if case StorageError.busy(let path, let holder, let waited) = error {
          throw StorageError.pending(path: path, holder: holder, waited: waited)
        }
        throw StorageError.uncertain(path: journal.path, reason: "\(error)")
      }
    }
  }

  private func complete(_ end: Journal.Position, _ patience: LockPatience) throws {
    let wait = LockWait(patience)
    // Who waits for the zone comes next, and what comes together costs least.
    if isAwaited() { pause(microseconds: 1500) }
    while try !journal.includes(end) {
      if let turn = try turnIfFree(for: end) {
        defer { turn.release() }
        if try journal.includes(end) || commitLeft(upTo: end, patience) { return }
        turn.release()
        try recover(patience)
        if try journal.includes(end) { return }
        throw StorageError.unapplied(path: journal.path, reason: "its entries are not there any more")
      }
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: journal.path, holder: turn.holder(), waited: patience.seconds)
      }
      if wait.untilNotice <= 0 { wait.giveNotice(turn.holder()?.text ?? "another process", journal.path) }
      pause(microseconds: 700)
    }
  }

  private func turnIfFree(for end: Journal.Position) throws -> HeldLock? {
    do { return try turn.acquireIfFree() } catch let error as SystemError where error.isMissing {
      // Who deleted the zone committed everything before.
      if try journal.includes(end) { return nil }
      throw StoreError.zoneMissing(path)
    }
  }

  /// Answers false for what has to be recovered. Call with the turn.
  private func commitLeft(upTo end: Journal.Position, _ patience: LockPatience) throws -> Bool {
    guard let secured = try journal.secureLeft(upTo: end) else { return false }
    do { try replay((secured.entries, secured.end, false), patience) } catch let error as SystemError
      where error.isStopped
    {
      throw error
    } catch {
      // It is committed; whoever comes next finds the journal ahead of the files and brings them up to it.
    }
    return true
  }
}
