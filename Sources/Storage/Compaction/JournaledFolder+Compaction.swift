import Platform

/// Logs grow with every change; compaction leaves what still matters, and the latest changes as they are.
///
/// Everybody would wait while a large log is read, worked out and synced, so that is done beside them, and only the lines
/// that came meanwhile are copied with the folder's lock. A small log, and one that nobody came to compact for long, is
/// compacted at once.
extension JournaledFolder {
  /// A checkpoint of the journal, and a compaction of the folder's logs when enough has come together: then the journal is
  /// empty, and the logs are durable, so that a compaction can be repeated from them.
  func checkpoint() throws {
    guard let plan = try CompactionPlan(FolderView(self)) else { return try journal.checkpoint() }
    if plan.canWait {
      try journal.checkpoint()
      return compactSoon()
    }
    var mainLog: CompactedLog?
    // Everybody waits meanwhile, for the disk and for this.
    let others = try SerialWorker.run { [self] in
      try journal.checkpoint()
      return try client.otherLogs().compactMap { try CompactedLog(of: $0, in: client, plan) }
    } beside: {
      mainLog = try CompactedLog(of: client.mainLog, in: client, plan)
    }
    let logs = [mainLog].compactMap(\.self) + others
    try put(logs.map(\.effect), plan, head: plan.head) { place, name in try stageDurably(logs[place].bytes, as: name) }
  }

  // MARK: Beside others

  /// Has most of what the next checkpoint has to sync be on its way to the disk before, while others go on: once, when a
  /// commit takes the journal near the end where a checkpoint is due.
  func syncAhead(from start: Journal.Position, to end: Journal.Position, _ due: Int) {
    let point = due - due / 8
    guard start.offset < point, end.offset >= point, end.offset <= due else { return }
    _ = startThreadIfPossible { [self] in try? syncFileSystemApart() }
  }

  /// Without a lock, and so by a descriptor of its own: each is told of an error once, and a checkpoint that goes on in
  /// this process must hear of it. Files that are opened later are told nothing, so the journal says it to everybody.
  package func syncFileSystemApart() throws {
    do { try journalDirectory.file(Self.journalName).syncFileSystem() } catch {
      try? withCommitLock(LockWaitPolicy()) { try journal.distrust() }
      throw error
    }
  }

  /// On a thread of its own; a process that ends before leaves it to the next checkpoint.
  private func compactSoon() {
    guard !isCompacting.exchange(true, ordering: .relaxed) else { return }
    let isStarted = startThreadIfPossible { [self] in
      defer { isCompacting.store(false, ordering: .relaxed) }
      // No commit depends on it, and the next checkpoint tries it again.
      try? compactBesideOthers(LockWaitPolicy())
    }
    if !isStarted { isCompacting.store(false, ordering: .relaxed) }
  }

  /// Compacts the logs as they are now if they are due, and takes over what others append meanwhile. `whenStaged`: called
  /// without a lock, when only that is missing.
  package func compactBesideOthers(_ patience: LockWaitPolicy, whenStaged: () throws -> Void = {}) throws {
    guard let (plan, logs) = try read(patience, { try dueLogs($0) }) else { return }
    // Who resets or copies the whole store must not meet half of it.
    guard var staged = try rootLock.withShared(patience, { try StagedCompaction(of: logs, in: self, plan) }) else {
      return
    }
    defer { staged.discard() }
    try whenStaged()
    // What is wrong is met again with the lock.
    try? syncFileSystemApart()
    try exclusively(patience) { view in
      let held = try commitLock.acquire(.exclusive, patience)
      defer { held.release() }
      try staged.takeOverTails()
      // What was taken over becomes durable with it.
      try journal.checkpoint()
      let logs = staged.take()
      if logs.isEmpty { return }
      try put(logs.map(\.effect), plan, head: view.head()) { place, name in
        try self.staged.rename(logs[place].name, to: self.staged, as: name)
      }
    }
  }

  /// Nil where nothing is due.
  private func dueLogs(_ view: FolderView) throws -> (CompactionPlan, [StagedCompaction.Source])? {
    guard let plan = try CompactionPlan(view) else { return nil }
    return (
      plan, try ([client.mainLog] + client.otherLogs()).compactMap { try StagedCompaction.Source($0, in: client) }
    )
  }

  // MARK: Putting in place

  /// `staging`: sees to it that an effect's log is staged under a name, and durable. Call right after a checkpoint.
  private func put(
    _ effects: [JournalEntry.Compaction], _ plan: CompactionPlan, head: Int64, _ staging: (Int, String) throws -> Void
  ) throws {
    let entry = JournalEntry(previous: head, sequence: head, effects: effects.map { .compact($0) })
    do {
      for place in effects.indices { try staging(place, String(place)) }
      let end = try journal.append(entry)
      try apply(entry, staged: true)
      try forgetRemovals(through: plan.horizon, head: head)
      try journal.markApplied(end)
    } catch {
      unstage(entry)
      throw error
    }
  }

  /// For a replay: makes the compaction anew from the old log, unless the log is the new one already.
  func stage(_ compaction: JournalEntry.Compaction, as name: String) throws {
    guard let log = try client.log(compaction.path) else { return }
    let size = try log.file.size()
    let present = try log.file.read(at: 0, count: min(compaction.size, size))
    if Digest.hex64(present) == compaction.digest {
      // A staged copy may be left; it must not take the place of a log that has grown since.
      _ = try staged.remove(name)
      return
    }
    let compacted = try LogCompaction(
      of: LogFile(log.file, limit: compaction.from), horizon: compaction.horizon, superseded: compaction.superseded,
      client.logSchema)
    let tail = try log.file.read(at: compaction.from, count: min(compaction.tail, size))
    guard Digest.hex64(compacted.bytes) == compaction.digest, tail.count == compaction.tail else {
      throw StorageError.damaged(path: log.file.path, reason: "it is neither what was compacted nor what became of it")
    }
    try stageDurably(compacted.bytes + tail, as: name)
  }

  private func forgetRemovals(through horizon: Int64, head: Int64) throws {
    guard let index = try openIndex(writing: true) else { return }
    let keys = try client.keysForgotten(through: horizon, in: index)
    if !keys.isEmpty { try index.apply(insert: [], remove: keys, sequence: head) }
  }
}
