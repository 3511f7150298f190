import LocalCloudPlatform

extension JournaledFolder {
  /// Applies the journal to the files; returns the journal's end. Call with the folder's exclusive lock and the commit
  /// lock.
  @discardableResult
  package func replayJournal(_ waitPolicy: LockWaitPolicy) throws -> Journal.Position {
    // Another process may have applied it while this one waited for the commit lock.
    let state = try journal.state()
    if case .clean(let end) = state { return end }
    let unapplied = try journal.unapplied(state)
    try replay(unapplied, waitPolicy)
    return unapplied.end
  }

  func replay(
    _ unapplied: (entries: [JournalEntry], end: Journal.Position, isOtherBoot: Bool), _ waitPolicy: LockWaitPolicy
  ) throws {
    let (entries, end, isOtherBoot) = unapplied
    try journal.requireWritable()
    // The process that made the folder may have been killed before the folder's name was durable. Commits under a name
    // are lost if a power cut removes the name.
    if isOtherBoot { try parent.sync() }
    // Entries that were left unsynced for other writers.
    let areJoinable = !isOtherBoot && !entries.isEmpty && entries.allSatisfy { $0.isJoinable(observer) }
    let steps = areJoinable ? [JournalEntry(merging: entries, observer)] : entries
    // A writer that leaves an entry unsynced leaves this step, too. Data outside the folder is never synced: a power
    // cut may have lost it for every entry that is still here.
    for step in steps { try observer.willCommit(step, isOtherBoot ? .againAfterBoot : .again, waitPolicy) }
    for entry in entries { try observer.didCommit(entry, .again, waitPolicy) }
    try replay(steps, isOtherBoot)
    try journal.markApplied(end)
  }

  private func replay(_ entries: [JournalEntry], _ isOtherBoot: Bool) throws {
    for entry in entries.withoutSuperseded() {
      try apply(entry, staged: false)
      if entry.effects.last == .removeFolder { throw observer.missing() }
    }
    do {
      if entries.contains(where: \.isCompaction) {
        // The keys of lines that a compaction removed have no sequence, so they can't be removed from the index.
        try rebuildIndex()
      } else {
        try applyToIndex(entries)
        if isOtherBoot { try verifyIndex() }
      }
    } catch  where Self.isDamage(error) {
      // One damaged document must not block access to the others. A caller that needs the index rebuilds it, or gets
      // the error.
      try dropIndex()
    }
  }

  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case StorageError.damaged, StorageError.nameCollision: true
    case let error as SystemError: error.isForeign || error.isMissing || error.isDenied
    default: false
    }
  }

  // MARK: Repair

  /// Applies the journal to the files. A damaged journal is copied to the quarantine and emptied. Before that,
  /// `salvage` is called with the entries that are whole, and performs those of their changes that the files lack.
  /// Returns the fault. Call with the commit lock.
  package func repairJournal(
    _ aside: Quarantine, _ waitPolicy: LockWaitPolicy, salvage: ([JournalEntry]) throws -> Void
  ) throws -> Problem? {
    do {
      try replayJournal(waitPolicy)
      return nil
    } catch StorageError.damaged(_, let reason) {
      let copy = try aside.copy(Self.journalName, in: journalDirectory)
      try salvage(journal.wholeEntries())
      // Syncs the copy, and the changes of the entries, before the entries are removed.
      try journal.file.syncFileSystem()
      try journal.reset()
      return Problem(path: journal.path, text: "\(reason): emptied, a copy is in \(copy)")
    }
  }
}
