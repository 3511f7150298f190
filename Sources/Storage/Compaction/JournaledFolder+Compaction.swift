import LocalCloudPlatform

/// Compaction of a folder's logs: retains the lines that are still needed, and the latest changes unchanged.
///
/// A large log is read, compacted and synced without the folder's lock, because other processes would wait for it. Only
/// the lines appended since then are copied with the lock. A small log, and one that has not been compacted for long,
/// is compacted at once.
extension JournaledFolder {
  /// Checkpoints the journal and, when enough lines are superseded, compacts the folder's logs. After the checkpoint
  /// the journal is empty and the logs are durable, so that a compaction can be repeated from them.
  func checkpoint() throws {
    guard let plan = try CompactionPlan(FolderView(self)) else { return try journal.checkpoint() }
    if plan.canWait {
      try journal.checkpoint()
      return compactSoon()
    }
    var mainLog: CompactedLog?
    // Other processes wait for this, so the main log is compacted while the disk is busy.
    let others = try SerialWorker.run { [self] in
      try journal.checkpoint()
      return try observer.otherLogs().compactMap { try CompactedLog(of: $0, in: observer, plan) }
    } beside: {
      mainLog = try CompactedLog(of: observer.mainLog, in: observer, plan)
    }
    let logs = [mainLog].compactMap(\.self) + others
    try put(logs.map(\.effect), plan, head: plan.head) { index, name in try stageDurably(logs[index].bytes, as: name) }
  }

  /// Removes the main log's lines up to `horizon`, if no line of it replaces another one (``LogSchema/events``). The
  /// folder's sequence does not change.
  package func forgetLines(through horizon: Int64, _ waitPolicy: LockWaitPolicy) throws {
    try exclusively(waitPolicy) { view in
      let held = try commitLock.acquire(.exclusive, waitPolicy)
      defer { held.release() }
      let plan = try CompactionPlan(view, horizon: horizon)
      guard let log = try observer.log(observer.mainLog), try log.header().horizon < plan.horizon else { return }
      // The old log is durable then, so that the compaction can be repeated from it.
      try journal.checkpoint()
      guard let compacted = try CompactedLog(of: observer.mainLog, in: observer, plan) else { return }
      try put([compacted.effect], plan, head: plan.head) { _, name in try stageDurably(compacted.bytes, as: name) }
    }
  }

  // MARK: Concurrently with commits

  /// Starts to sync most of the data of the next checkpoint, while other processes continue. Does so once, when a
  /// commit grows the journal past seven eighths of `due`, the size at which a checkpoint is due.
  func syncAhead(from start: Journal.Position, to end: Journal.Position, _ due: Int) {
    let point = due - due / 8
    guard start.offset < point, end.offset >= point, end.offset <= due else { return }
    _ = startThreadIfPossible { [self] in try? syncFileSystemApart() }
  }

  /// Syncs the file system without a lock, through another descriptor: the kernel reports an error once to each
  /// descriptor, and a checkpoint that runs in this process must get it. Descriptors opened later get no report, so the
  /// error is recorded in the journal for all processes.
  package func syncFileSystemApart() throws {
    do { try journalDirectory.file(Self.journalName).syncFileSystem() } catch {
      try? withCommitLock(LockWaitPolicy()) { try journal.distrust() }
      throw error
    }
  }

  /// Compacts on another thread. If the process ends before, the next checkpoint tries again.
  private func compactSoon() {
    guard !isCompacting.exchange(true, ordering: .relaxed) else { return }
    let isStarted = startThreadIfPossible { [self] in
      defer { isCompacting.store(false, ordering: .relaxed) }
      // No commit depends on the compaction, and the next checkpoint tries it again.
      try? compactBesideOthers(LockWaitPolicy())
    }
    if !isStarted { isCompacting.store(false, ordering: .relaxed) }
  }

  /// Compacts the logs in their present state if a compaction is due, then copies the lines that other processes
  /// appended since then.
  ///
  /// - Parameter whenStaged: called without a lock, when only these lines are missing.
  package func compactBesideOthers(_ waitPolicy: LockWaitPolicy, whenStaged: () throws -> Void = {}) throws {
    guard let (plan, logs) = try read(waitPolicy, { try dueLogs($0) }) else { return }
    // A process that resets or copies the whole store must not see half of a compaction.
    guard var staged = try rootLock.withShared(waitPolicy, { try StagedCompaction(of: logs, in: self, plan) }) else {
      return
    }
    defer { staged.discard() }
    try whenStaged()
    // An error is found again with the lock.
    try? syncFileSystemApart()
    try exclusively(waitPolicy) { view in
      let held = try commitLock.acquire(.exclusive, waitPolicy)
      defer { held.release() }
      try staged.takeOverTails()
      // The checkpoint makes the copied lines durable, too.
      try journal.checkpoint()
      let logs = staged.take()
      if logs.isEmpty { return }
      try put(logs.map(\.effect), plan, head: view.head()) { index, name in
        try self.staged.rename(logs[index].name, to: self.staged, as: name)
      }
    }
  }

  /// Nil if no compaction is due.
  private func dueLogs(_ view: FolderView) throws -> (CompactionPlan, [StagedCompaction.Source])? {
    guard let plan = try CompactionPlan(view) else { return nil }
    return (
      plan, try ([observer.mainLog] + observer.otherLogs()).compactMap { try StagedCompaction.Source($0, in: observer) }
    )
  }

  // MARK: Installing compacted logs

  /// Replaces logs with their compacted forms. `staging`: stages the log of an effect durably, under a name. Call right
  /// after a checkpoint.
  private func put(
    _ effects: [JournalEntry.Compaction], _ plan: CompactionPlan, head: Int64, _ staging: (Int, String) throws -> Void
  ) throws {
    let entry = JournalEntry(previous: head, sequence: head, effects: effects.map { .compact($0) })
    let end: Journal.Position
    do {
      for index in effects.indices { try staging(index, String(index)) }
      end = try journal.append(entry)
    } catch {
      unstage(entry)
      throw error
    }
    do {
      try apply(entry, staged: true)
      try forgetRemovals(through: plan.horizon, head: head)
      try journal.markApplied(end)
    } catch let error as SystemError where error.isStopped {
      throw error
    } catch {
      // The compaction is committed. The next process to take the lock repeats it from the old log.
      unstage(entry)
    }
  }

  /// Repeats a compaction from the old log during a replay, unless the log is the compacted one already.
  func stage(_ compaction: JournalEntry.Compaction, as name: String) throws {
    guard let log = try observer.log(compaction.path) else { return }
    guard let bytes = try bytes(of: compaction, from: log) else {
      // A staged copy may remain; it must not replace a log that has grown since.
      _ = try staged.remove(name)
      return
    }
    try stageDurably(bytes, as: name)
  }

  /// The compacted form of a log; nil if the log on disk has that form already.
  func bytes(of compaction: JournalEntry.Compaction, from log: LogFile) throws -> [UInt8]? {
    let size = try log.file.size()
    let present = try log.file.read(at: 0, count: min(compaction.size, size))
    if Digest.hex64(present) == compaction.digest { return nil }
    let compacted = try LogCompaction(
      of: LogFile(log.file, limit: compaction.from), horizon: compaction.horizon, superseded: compaction.superseded,
      observer.logSchema)
    let tail = try log.file.read(at: compaction.from, count: min(compaction.tail, size))
    guard Digest.hex64(compacted.bytes) == compaction.digest, tail.count == compaction.tail else {
      throw StorageError.damaged(path: log.file.path, reason: "it is neither what was compacted nor what became of it")
    }
    return compacted.bytes + tail
  }

  private func forgetRemovals(through horizon: Int64, head: Int64) throws {
    guard let index = try openIndex(writing: true) else { return }
    let keys = try observer.keysForgotten(through: horizon, in: index)
    if !keys.isEmpty { try index.apply(insert: [], remove: keys, sequence: head) }
  }

  // MARK: Erasing

  /// Leaves in the journal and the index only the data of the present state. Returns false if a reader uses an earlier
  /// state of the index, so that state stays; a later call finishes the work.
  ///
  /// Repeating it does no harm: a process that is killed during the call leaves the folder usable. The cost is that of
  /// a checkpoint, and of writing the journal and the index's free pages once.
  package func eraseLeftovers(_ waitPolicy: LockWaitPolicy) throws -> Bool {
    try exclusively(waitPolicy) { _ in
      let held = try commitLock.acquire(.exclusive, waitPolicy)
      defer { held.release() }
      if let index = try openIndex(writing: true) {
        if isPinned(index) { return false }
        do { try index.eraseFreePages() } catch is IndexDamage { try rebuildIndex() }
      }
      // No process stages files without the commit lock.
      for entry in try staged.entries() where entry.kind == .file { try staged.remove(entry.name) }
      // Makes the erased pages durable, too.
      try journal.checkpoint()
      try journal.eraseFrames()
      return true
    }
  }
}
