import LocalCloudPlatform

/// Group commit: one sync makes the commits of several writers of a folder durable.
///
/// While another caller waits for the folder, a small commit ends with its frame in the journal, unsynced: it is
/// *left*. The next writer plans on top of it (``PendingCommits``), without waiting for the disk, and may leave its
/// own. The commit lock is separate from the folder's lock. The writer that gets it syncs the frames that have
/// accumulated: this is the commit point of all of them. It applies them to the files in one step and marks them as
/// applied. The other writers then find their commits complete. No ``JournaledFolder/write(_:_:)`` returns, or throws
/// because of data that it read, before the commits that it relied on are durable.
///
/// Failures: a writer killed after leaving a frame has reported nothing; the next process finds the frame, syncs it and
/// applies it. A power cut may lose some of the unsynced frames and keep later ones that were planned on top of them.
/// Each frame has the number of bytes before it that need not have been durable (`joined`), so that recovery
/// invalidates exactly those. A failed sync withdraws the frame of the writer that requested it; frames left by others
/// stay, as uncertain as before.
///
/// The gain justifies the complexity: without group commit, 8 processes save little more than half as much in one
/// folder.
struct GroupCommit {
  let folder: JournaledFolder

  private var journal: Journal { folder.journal }
  private var observer: any FolderObserver { folder.observer }
  private var limits: StorageLimits { folder.limits }

  /// Whether a commit may be left unsynced. A caller with little time must not leave one, because it can't be
  /// withdrawn.
  func mayDeferSync(
    _ entry: JournalEntry, _ payload: [UInt8], in view: FolderView, _ waitPolicy: LockWaitPolicy
  ) -> Bool {
    if waitPolicy.seconds < 1 { return false }
    let (count, size) = (view.pending?.entries.count ?? 0, view.pending?.frames.bytes.count ?? 0)
    guard entry.isJoinable(observer), count + 1 < limits.commitsTogether, size + payload.count < Journal.mostLeft,
      let end = view.journalEnd, end.offset < limits.checkpointBytes
    else { return false }
    return count > 0 || folder.isAwaited()
  }

  /// The frames now in the journal among those that the view relies on, and the position of the next frame. Frames that
  /// can't be committed together with the next one are applied to the files first.
  func joined(
    _ view: FolderView, _ isJoinable: Bool, _ waitPolicy: LockWaitPolicy
  ) throws -> (start: Journal.Position, unsynced: Journal.Frames?) {
    if view.pending == nil, let end = view.journalEnd { return (end, nil) }
    let joined: (start: Journal.Position, unsynced: Journal.Frames?)
    switch try journal.state() {
    case .clean(let end): joined = (end, nil)
    case .unsynced(let frames) where isJoinable: joined = (frames.end, frames)
    case .unsynced, .unapplied: joined = (try folder.replayJournal(waitPolicy), nil)
    }
    // A failed sync may have lost pages, and with them the frames that this commit was planned on.
    if let pending = view.pending, !pending.frames.end.isReached(by: joined.start) {
      throw StorageError.unapplied(path: journal.path, reason: "entries that were left in it are not there any more")
    }
    return joined
  }

  /// The journal's end, and the commits to join that are not applied to the files, if any. Commits that can't be joined
  /// are applied to the files first.
  func prepare(
    joining: Bool, _ waitPolicy: LockWaitPolicy
  ) throws -> (end: Journal.Position, pending: PendingCommits?) {
    switch try journal.state() {
    case .clean(let end):
      return (end, nil)
    case .unsynced(let frames) where joining && journal.isWritable:
      if let pending = PendingCommits(frames, observer) { return (frames.end, pending) }
    case .unsynced where !journal.isWritable:
      try awaitCompletion(waitPolicy)
    case .unsynced, .unapplied:
      break
    }
    let held = try folder.commitLock.acquire(.exclusive, waitPolicy)
    defer { held.release() }
    return (try folder.replayJournal(waitPolicy), nil)
  }

  /// Waits at most 2 s, in a process that may only read, for the writers that left commits and are about to complete
  /// them, unless they were killed.
  private func awaitCompletion(_ waitPolicy: LockWaitPolicy) throws {
    let wait = LockWait(LockWaitPolicy(seconds: min(waitPolicy.seconds, 2)))
    while wait.remaining > 0, case .unsynced = try journal.state() { pause(microseconds: 700) }
  }

  /// Waits until the commits are durable and applied to the files, or completes them when the commit lock is free.
  /// Other writers may have committed the writer's own frame by now, so no error means that it is not saved.
  func awaitDurable(_ unsynced: UnsyncedCommits, _ waitPolicy: LockWaitPolicy) throws {
    if unsynced.holdsOwn { folder.whenLeft?() }
    var failures = 0
    while true {
      do { return try awaitDurable(unsynced.end, waitPolicy) } catch let error as SystemError where error.isStopped {
        throw error
      } catch {
        failures += 1
        // A failure may be temporary.
        if failures < 3, error is SystemError {
          pause(microseconds: UInt64(failures) * 10_000)
          continue
        }
        if !unsynced.holdsOwn { throw error }
        if case StorageError.uncertain = error { throw error }
        if case StorageError.busy(let path, let holder, let waited) = error {
          throw StorageError.pending(path: path, holder: holder, waited: waited)
        }
        throw StorageError.uncertain(path: journal.path, reason: "\(error)")
      }
    }
  }

  private func awaitDurable(_ end: Journal.Position, _ waitPolicy: LockWaitPolicy) throws {
    let wait = LockWait(waitPolicy)
    // A waiting writer is next, and committing together costs least.
    if folder.isAwaited() { pause(microseconds: 1500) }
    while try !journal.includes(end) {
      if let held = try lockIfFree(for: end) {
        defer { held.release() }
        if try journal.includes(end) || commitLeft(upTo: end, waitPolicy) { return }
        held.release()
        try folder.recover(waitPolicy)
        if try journal.includes(end) { return }
        throw StorageError.unapplied(path: journal.path, reason: "its entries are not there any more")
      }
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: journal.path, holder: folder.commitLock.holder(), waited: waitPolicy.seconds)
      }
      if wait.untilNotice <= 0 { wait.giveNotice(folder.commitLock.holder()?.text ?? "another process", journal.path) }
      pause(microseconds: 700)
    }
  }

  private func lockIfFree(for end: Journal.Position) throws -> HeldLock? {
    do { return try folder.commitLock.acquireIfFree() } catch let error as SystemError where error.isMissing {
      // The process that deleted the folder committed all earlier entries.
      if try journal.includes(end) { return nil }
      throw observer.missing()
    }
  }

  /// Syncs and applies the left frames up to `end`. Returns false if the journal has to be recovered instead. Call with
  /// the commit lock.
  private func commitLeft(upTo end: Journal.Position, _ waitPolicy: LockWaitPolicy) throws -> Bool {
    guard let secured = try journal.secureLeft(upTo: end) else { return false }
    do { try folder.replay((secured.entries, secured.end, false), waitPolicy) } catch let error as SystemError
      where error.isStopped
    {
      throw error
    } catch {
      // The entries are committed. The next process to take the lock finds the journal ahead of the files and applies
      // it.
    }
    return true
  }
}

/// Commits that must be durable before a writer's call returns.
struct UnsyncedCommits {
  /// The end of the last of them in the journal.
  var end: Journal.Position
  /// Whether the writer's own commit is among them.
  var holdsOwn: Bool

  /// Nil if the writer relied on no such commits, or committed them together with its own.
  init?(_ view: FolderView) {
    guard let end = view.unsyncedEnd ?? (view.isCommitted ? nil : view.pending?.frames.end) else { return nil }
    self.end = end
    holdsOwn = view.unsyncedEnd != nil
  }
}
