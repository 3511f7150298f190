import LocalCloudPlatform
import Synchronization

/// The only commit path.
extension JournaledFolder {
  /// Commits an entry. The order is: stage the files, `willCommit`, write and sync the journal (the commit point),
  /// `didCommit`, apply to the files. Call within ``write(_:_:)``, or with the commit lock; once for a view.
  ///
  /// While other processes wait for the folder, a small commit ends with an unsynced frame in the journal
  /// (``GroupCommit``). The holder of the commit lock syncs the entries that have accumulated and applies them to the
  /// files, before ``write(_:_:)`` returns.
  ///
  /// - Parameters:
  ///   - stager: the files that were staged early; nil if none were.
  ///   - meanwhile: a large commit calls it while the disk is busy.
  /// - Throws: an error means that nothing was committed, except for ``StorageError/uncertain(path:reason:)``.
  package func commit(
    _ entry: JournalEntry, in view: FolderView, staged stager: ParallelStager? = nil, _ waitPolicy: LockWaitPolicy,
    meanwhile: () -> Void = {}
  ) throws {
    // A child that was forked since then does not have the lock, and the parent may have committed since then.
    guard view.process.isCurrent else { throw SystemError.inherited(directory.path(of: Self.lockName)) }
    view.unsyncedEnd = try committing(entry, in: view, staged: stager, waitPolicy, meanwhile: meanwhile)
    view.isCommitted = true
  }

  /// Returns the end of the entry in the journal if it was left unsynced: the caller must then call
  /// ``GroupCommit/awaitDurable(_:_:)``.
  private func committing(
    _ entry: JournalEntry, in view: FolderView, staged stager: ParallelStager?, _ waitPolicy: LockWaitPolicy,
    meanwhile: () -> Void
  ) throws -> Journal.Position? {
    observer.tidy(journal)
    var written = entry
    written.joined = view.pending?.frames.bytes.count ?? 0
    let payload = written.payload(observer.format)
    if stager == nil, groupCommit.mayDeferSync(entry, payload, in: view, waitPolicy), let start = view.journalEnd,
      let end = try journal.appendUnsynced(payload, sequence: entry.sequence, at: start)
    {
      syncAhead(from: start, to: end, limits.checkpointBytes)
      return end
    }
    let held = view.hasCommitLock ? nil : try commitLock.acquire(.exclusive, waitPolicy)
    defer { held?.release() }
    let (start, unsynced) = try groupCommit.joined(view, stager == nil && entry.isJoinable(observer), waitPolicy)
    let whole = unsynced.map { JournalEntry(merging: $0.entries + [entry], observer) } ?? entry
    let end: Journal.Position
    do {
      try stage(whole, but: stager?.indexes ?? [])
      try observer.willCommit(whole, .first, waitPolicy)
      try stager?.files?.requireSuccess()
      if stager == nil {
        end = try journal.append(payload, sequence: entry.sequence, at: start, after: unsynced)
      } else {
        end = try SerialWorker.run(
          { [journal, start] in try journal.append(payload, sequence: entry.sequence, at: start) }, beside: meanwhile)
      }
    } catch {
      unstage(whole)
      throw error
    }
    do {
      // This precedes applying the entry: removing a folder removes its journal. A process that is notified waits for
      // the folder's lock.
      for earlier in unsynced?.entries ?? [] { try observer.didCommit(earlier, .again, waitPolicy) }
      try observer.didCommit(entry, .first, waitPolicy)
      if let stager {
        try applyBeside(entry, stager)
      } else {
        try apply(whole, staged: true)
        // The folder is removed, and its journal with it.
        if entry.effects.last == .removeFolder { return nil }
        try applyToIndex([whole])
      }
      try journal.markApplied(end)
      let due = limits.checkpointBytes * (stager == nil ? 1 : limits.largeCommitFactor)
      syncAhead(from: start, to: end, due)
      if end.offset > due { try checkpoint() }
    } catch let error as SystemError where error.isStopped {
      throw error
    } catch {
      // The entry is committed. The next process to take the lock finds the journal ahead of the files and applies it.
    }
    return nil
  }

  private func stage(_ entry: JournalEntry, but done: Set<Int>) throws {
    for (index, effect) in entry.effects.enumerated() where !done.contains(index) {
      if case .replace(_, let bytes) = effect { try staged.writeStaged(String(index), bytes) }
    }
  }

  /// Removes an entry's staged files: a full disk needs the space at once.
  func unstage(_ entry: JournalEntry) {
    for index in entry.effects.indices { _ = try? staged.remove(String(index)) }
  }

  /// Stages a file and syncs it: for a file that replaces another one without a journal to restore it.
  package func stageDurably(_ bytes: [UInt8], as name: String) throws {
    try staged.stageDurably(bytes, as: name)
  }

  // MARK: Effects

  package func apply(_ entry: JournalEntry, staged isStaged: Bool) throws {
    for (index, effect) in entry.effects.enumerated() { try apply(effect, as: index, staged: isStaged) }
  }

  /// Applies a large commit. One thread moves the files to their paths as they are written, while this one writes lines
  /// and keys and then helps. Although both change one folder, this takes two thirds of the time.
  private func applyBeside(_ entry: JournalEntry, _ stager: ParallelStager) throws {
    let (indexes, files) = (stager.indexes, stager.files)
    // No file may still be written when the next commit stages its own.
    defer { files?.end() }
    let others = entry.effects.indices.filter { !entry.effects[$0].isAppend }
    let waiting = Mutex(others[...])
    let put: @Sendable () throws -> Void = { [self] in
      while let index = waiting.withLock({ $0.popFirst() }) {
        let effect = entry.effects[index]
        if indexes.contains(index) {
          try apply(effect, as: index, files?.take(index))
        } else {
          try apply(effect, as: index, staged: true)
        }
      }
    }
    try SerialWorker.run(put) {
      for (index, effect) in entry.effects.enumerated() where effect.isAppend {
        try apply(effect, as: index, staged: true)
      }
      try applyToIndex([entry])
      // Documents have a file each and may go in any order; other effects must keep their order.
      if others.count == indexes.count { try put() }
    }
  }

  /// Applies an effect with a file that was staged early. A file that could not be written then may fit by now; if it
  /// fails again, recovery retries it.
  private func apply(_ effect: JournalEntry.Effect, as index: Int, _ made: StagedFileWriter.Made?) throws {
    if case .unnamed(let file)? = made, case .replace(let path, _) = effect {
      let (folder, name) = try observer.location(of: path)
      do { return try folder.link(file, as: name) } catch  where !error.isStopped {
        // The name is taken after all, or the system can't link an unnamed file.
      }
    }
    if case .staged? = made { return try apply(effect, as: index, staged: true) }
    try apply(effect, as: index, staged: false)
  }

  private func apply(_ effect: JournalEntry.Effect, as index: Int, staged isStaged: Bool) throws {
    switch effect {
    case .replace(let path, let bytes):
      let (folder, name) = try observer.location(of: path)
      if !isStaged { try staged.writeStaged(String(index), bytes) }
      try staged.rename(String(index), to: folder, as: name)
    case .remove(let path):
      let (folder, name) = try observer.location(of: path)
      try folder.remove(name)
    case .append(let path, let offset, let bytes):
      let (folder, name) = try observer.location(of: path)
      let file = try folder.createFile(name)
      let size = try file.size()
      guard size >= offset else {
        throw StorageError.damaged(
          path: file.path, reason: "it ends before byte \(offset), where its next line belongs")
      }
      if size > offset { try file.truncate(to: offset) }
      try file.write(bytes, at: offset)
    case .compact(let compaction):
      if !isStaged { try stage(compaction, as: String(index)) }
      let (folder, name) = try observer.location(of: compaction.path)
      if try staged.exists(String(index)) { try staged.rename(String(index), to: folder, as: name) }
    case .move(let path, let source):
      try observer.put(path, from: source, isReplay: !isStaged)
    case .removeFolder:
      try removeFolder()
    }
  }

  /// Renames the folder to be removed: the last step of a deletion. The same commit's effects outside the folder are
  /// made durable before the journal is removed.
  private func removeFolder() throws {
    try journal.file.syncFileSystem()
    let aside = try observer.nameOfRemoved()
    try parent.rename(name, to: parent, as: aside)
    try parent.sync()
    asideName.withLock { $0 = aside }
  }

  /// Removes the files of a folder that ``removeFolder()`` renamed. Call without the folder's locks: others wait for
  /// them to learn that the folder is no longer there. A part that can't be removed is left; no process reads it.
  func removeAside() throws {
    let aside = asideName.withLock { name in
      defer { name = nil }
      return name
    }
    guard let aside else { return }
    do throws(SystemError) { try parent.removeAside(aside) } catch {
      if error.isStopped { throw error }
    }
  }
}

extension Directory {
  /// Writes a file that no process reads yet, and syncs it. Its name is durable once the folder is synced.
  package func stageDurably(_ bytes: [UInt8], as name: String) throws(SystemError) {
    try writeStaged(name, bytes)
    try file(name, .readWrite).sync()
  }
}
