import Platform

/// Commits of writers that wait for one folder, made durable by one sync.
///
/// While somebody waits for the folder, a small commit ends with its frame in the journal, unsynced: it is *left*. The next
/// writer plans upon it (``PendingCommits``), without waiting for the disk, and may leave its own. Whoever gets the turn to
/// commit, a lock of its own, syncs what has come together, which is the commit point of all, brings it into the files in
/// one step and marks it as applied; the others find it done. Nobody's ``JournaledFolder/write(_:_:)`` returns, or throws on
/// account of what it read, before the commits that it went by are durable.
///
/// What dies: a writer killed after leaving was never told anything; whoever comes next finds its frame, syncs it and
/// applies it. A power cut may take some of the frames that were not synced and keep later ones written upon them: each
/// frame says how many bytes before it need not have been durable (`joined`), so that recovery spoils just those. A sync
/// that fails withdraws the frame of who asked for it; those left by others stay, as uncertain as before.
///
/// It is worth its rules: without it 8 processes save little more than half as much in one folder.
struct GroupCommit {
  let folder: JournaledFolder

  private var journal: Journal { folder.journal }
  private var client: any FolderClient { folder.client }
  private var limits: StorageLimits { folder.limits }

  /// Not who can hardly wait: there is no way back from there.
  func mayLeave(
    _ entry: JournalEntry, _ payload: [UInt8], in view: FolderView, _ patience: LockWaitPolicy
  ) -> Bool {
    if patience.seconds < 1 { return false }
    let (count, size) = (view.pending?.entries.count ?? 0, view.pending?.frames.bytes.count ?? 0)
    guard entry.isJoinable(client), count + 1 < limits.commitsTogether, size + payload.count < Journal.mostLeft,
      let end = view.journalEnd, end.offset < limits.checkpointBytes
    else { return false }
    return count > 0 || folder.isAwaited()
  }

  /// What stands in the journal by now of the commits that the view goes by, and where the next one belongs. Those that
  /// can't be committed together with the next are brought into the files.
  func joined(
    _ view: FolderView, _ isJoinable: Bool, _ patience: LockWaitPolicy
  ) throws -> (start: Journal.Position, left: Journal.Frames?) {
    if view.pending == nil, let end = view.journalEnd { return (end, nil) }
    let joined: (start: Journal.Position, left: Journal.Frames?)
    switch try journal.state() {
    case .clean(let end): joined = (end, nil)
    case .left(let frames) where isJoinable: joined = (frames.end, frames)
    case .left, .unapplied: joined = (try folder.replayJournal(patience), nil)
    }
    // Pages that a failed sync lost may be gone by now, and with them what this one was planned upon.
    if let pending = view.pending, !pending.frames.end.isReached(by: joined.start) {
      throw StorageError.unapplied(path: journal.path, reason: "entries that were left in it are not there any more")
    }
    return joined
  }

  /// Where the journal ends, and which commits in it are not in the files: those to join, if any.
  func prepare(
    joining: Bool, _ patience: LockWaitPolicy
  ) throws -> (end: Journal.Position, pending: PendingCommits?) {
    switch try journal.state() {
    case .clean(let end):
      return (end, nil)
    case .left(let frames) where joining && journal.isWritable:
      if let pending = PendingCommits(frames, client) { return (frames.end, pending) }
    case .left where !journal.isWritable:
      try awaitCompletion(patience)
    case .left, .unapplied:
      break
    }
    let held = try folder.commitLock.acquire(.exclusive, patience)
    defer { held.release() }
    return (try folder.replayJournal(patience), nil)
  }

  /// Who may only read waits for those who left commits and are about to complete them, unless they were killed.
  private func awaitCompletion(_ patience: LockWaitPolicy) throws {
    let wait = LockWait(LockWaitPolicy(seconds: min(patience.seconds, 2)))
    while wait.remaining > 0, case .left = try journal.state() { pause(microseconds: 700) }
  }

  /// Waits until they are durable and in the files, or sees to it, when it is this one's turn. The writer's own commit is
  /// with others by now: no error means that it is not saved.
  func awaitDurable(_ left: UnsyncedCommits, _ patience: LockWaitPolicy) throws {
    if left.holdsOwn, let whenLeft = folder.whenLeft.withLock({ $0 }) { whenLeft() }
    var failures = 0
    while true {
      do { return try awaitDurable(left.end, patience) } catch let error as SystemError where error.isStopped {
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

  private func awaitDurable(_ end: Journal.Position, _ patience: LockWaitPolicy) throws {
    let wait = LockWait(patience)
    // Who waits for the folder comes next, and what comes together costs least.
    if folder.isAwaited() { pause(microseconds: 1500) }
    while try !journal.includes(end) {
      if let held = try lockIfFree(for: end) {
        defer { held.release() }
        if try journal.includes(end) || commitLeft(upTo: end, patience) { return }
        held.release()
        try folder.recover(patience)
        if try journal.includes(end) { return }
        throw StorageError.unapplied(path: journal.path, reason: "its entries are not there any more")
      }
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: journal.path, holder: folder.commitLock.holder(), waited: patience.seconds)
      }
      if wait.untilNotice <= 0 { wait.giveNotice(folder.commitLock.holder()?.text ?? "another process", journal.path) }
      pause(microseconds: 700)
    }
  }

  private func lockIfFree(for end: Journal.Position) throws -> HeldLock? {
    do { return try folder.commitLock.acquireIfFree() } catch let error as SystemError where error.isMissing {
      // Who deleted the folder committed everything before.
      if try journal.includes(end) { return nil }
      throw client.missing()
    }
  }

  /// Answers false for what has to be recovered. Call with the turn.
  private func commitLeft(upTo end: Journal.Position, _ patience: LockWaitPolicy) throws -> Bool {
    guard let secured = try journal.secureLeft(upTo: end) else { return false }
    do { try folder.replay((secured.entries, secured.end, false), patience) } catch let error as SystemError
      where error.isStopped
    {
      throw error
    } catch {
      // It is committed; whoever comes next finds the journal ahead of the files and brings them up to it.
    }
    return true
  }
}

/// What has to be durable before a writer is answered.
struct UnsyncedCommits {
  /// Where the last of them ends in the journal.
  var end: Journal.Position
  /// Whether the writer's own commit is among them.
  var holdsOwn: Bool

  /// Nil for a writer who went by none, or committed them with its own.
  init?(_ view: FolderView) {
    guard let end = view.left ?? (view.isCommitted ? nil : view.pending?.frames.end) else { return nil }
    self.end = end
    holdsOwn = view.left != nil
  }
}
