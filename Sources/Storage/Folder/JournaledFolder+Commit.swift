import Platform
import Synchronization

/// The one commit path.
extension JournaledFolder {
  /// Order: stage, what is said elsewhere, journal and sync (the commit point), what is done elsewhere, apply. Call within
  /// ``write(_:_:)``, or with the turn to commit; once for a view. A large commit runs `meanwhile` while the disk is at work.
  ///
  /// While others wait for the folder, a small commit ends with the journal, without a sync (``GroupCommit``): whoever has
  /// the turn to commit syncs what has come together and brings it into the files, before ``write(_:_:)`` returns.
  package func commit(
    _ entry: JournalEntry, in view: FolderView, staged ahead: ParallelStager? = nil, _ patience: LockWaitPolicy,
    meanwhile: () -> Void = {}
  ) throws {
    view.left = try committing(entry, in: view, staged: ahead, patience, meanwhile: meanwhile)
    view.isCommitted = true
  }

  /// Answers where its entry ends if it was left: it is to be ``GroupCommit/awaitDurable(_:_:)``d.
  private func committing(
    _ entry: JournalEntry, in view: FolderView, staged ahead: ParallelStager?, _ patience: LockWaitPolicy,
    meanwhile: () -> Void
  ) throws -> Journal.Position? {
    client.tidy(journal)
    var written = entry
    written.joined = view.pending?.frames.bytes.count ?? 0
    let payload = written.payload(client.format)
    if ahead == nil, groupCommit.mayLeave(entry, payload, in: view, patience), let start = view.journalEnd,
      let end = try journal.appendUnsynced(payload, sequence: entry.sequence, at: start)
    {
      syncAhead(from: start, to: end, limits.checkpointBytes)
      return end
    }
    let held = view.hasCommitLock ? nil : try commitLock.acquire(.exclusive, patience)
    defer { held?.release() }
    let (start, left) = try groupCommit.joined(view, ahead == nil && entry.isJoinable(client), patience)
    let whole = left.map { JournalEntry(merging: $0.entries + [entry], client) } ?? entry
    let end: Journal.Position
    do {
      try stage(whole, but: ahead?.places ?? [])
      try client.willCommit(whole, .first, patience)
      try ahead?.files?.requireSuccess()
      if ahead == nil {
        end = try journal.append(payload, sequence: entry.sequence, at: start, after: left)
      } else {
        end = try SerialWorker.run(
          { [journal, start] in try journal.append(payload, sequence: entry.sequence, at: start) }, beside: meanwhile)
      }
    } catch {
      unstage(whole)
      throw error
    }
    do {
      // First: a folder that goes takes its journal along. Whoever is told comes to the folder's lock, and waits.
      for earlier in left?.entries ?? [] { try client.didCommit(earlier, .again, patience) }
      try client.didCommit(entry, .first, patience)
      if let ahead {
        try applyBeside(entry, ahead)
      } else {
        try apply(whole, staged: true)
        // The folder is gone, and its journal with it.
        if entry.effects.last == .removeFolder { return nil }
        try applyToIndex([whole])
      }
      try journal.markApplied(end)
      let due = limits.checkpointBytes * (ahead == nil ? 1 : limits.largeCommitFactor)
      syncAhead(from: start, to: end, due)
      if end.offset > due { try checkpoint() }
    } catch let error as SystemError where error.isStopped {
      throw error
    } catch {
      // It is committed; whoever comes next finds the journal ahead of the files and brings them up to it.
    }
    return nil
  }

  private func stage(_ entry: JournalEntry, but done: Set<Int>) throws {
    for (place, effect) in entry.effects.enumerated() where !done.contains(place) {
      if case .replace(_, let bytes) = effect { try staged.writeStaged(String(place), bytes) }
    }
  }

  /// A full disk needs the room back at once.
  func unstage(_ entry: JournalEntry) {
    for place in entry.effects.indices { _ = try? staged.remove(String(place)) }
  }

  /// Staged, and on the disk: for what takes another file's place without a journal to bring it back.
  package func stageDurably(_ bytes: [UInt8], as name: String) throws {
    try staged.writeStaged(name, bytes)
    try staged.file(name, .readWrite).sync()
  }

  // MARK: Effects

  package func apply(_ entry: JournalEntry, staged isStaged: Bool) throws {
    for (place, effect) in entry.effects.enumerated() { try apply(effect, as: place, staged: isStaged) }
  }

  /// A large commit's files take their places on one thread, as they are made, while lines and keys are written on this
  /// one, which then takes a part: though both change one folder, that takes two thirds of the time.
  private func applyBeside(_ entry: JournalEntry, _ ahead: ParallelStager) throws {
    let (places, files) = (ahead.places, ahead.files)
    // None may be written any more when the next commit stages.
    defer { files?.end() }
    let others = entry.effects.indices.filter { !entry.effects[$0].isAppend }
    let waiting = Mutex(others[...])
    let put: @Sendable () throws -> Void = { [self] in
      while let place = waiting.withLock({ $0.popFirst() }) {
        let effect = entry.effects[place]
        if places.contains(place) {
          try apply(effect, as: place, files?.take(place))
        } else {
          try apply(effect, as: place, staged: true)
        }
      }
    }
    try SerialWorker.run(put) {
      for (place, effect) in entry.effects.enumerated() where effect.isAppend {
        try apply(effect, as: place, staged: true)
      }
      try applyToIndex([entry])
      // Each document has a file of its own; what else there is comes in its order.
      if others.count == places.count { try put() }
    }
  }

  /// A file that could not be made before may find room by now; else whoever comes next tries again.
  private func apply(_ effect: JournalEntry.Effect, as place: Int, _ made: StagedFileWriter.Made?) throws {
    if case .unnamed(let file)? = made, case .replace(let path, _) = effect {
      let (folder, name) = try client.place(of: path)
      do { return try folder.link(file, as: name) } catch  where !error.isStopped {
        // Something has the name after all, or there is no way to the file without one.
      }
    }
    if case .staged? = made { return try apply(effect, as: place, staged: true) }
    try apply(effect, as: place, staged: false)
  }

  private func apply(_ effect: JournalEntry.Effect, as place: Int, staged isStaged: Bool) throws {
    switch effect {
    case .replace(let path, let bytes):
      let (folder, name) = try client.place(of: path)
      if !isStaged { try staged.writeStaged(String(place), bytes) }
      try staged.rename(String(place), to: folder, as: name)
    case .remove(let path):
      let (folder, name) = try client.place(of: path)
      try folder.remove(name)
    case .append(let path, let offset, let bytes):
      let (folder, name) = try client.place(of: path)
      let file = try folder.createFile(name)
      let size = try file.size()
      guard size >= offset else {
        throw StorageError.damaged(
          path: file.path, reason: "it ends before byte \(offset), where its next line belongs")
      }
      if size > offset { try file.truncate(to: offset) }
      try file.write(bytes, at: offset)
    case .compact(let compaction):
      if !isStaged { try stage(compaction, as: String(place)) }
      let (folder, name) = try client.place(of: compaction.path)
      if try staged.exists(String(place)) { try staged.rename(String(place), to: folder, as: name) }
    case .place(let path, let source):
      try client.put(path, from: source, isReplay: !isStaged)
    case .removeFolder:
      try removeFolder()
    }
  }

  /// The last step of a deletion. What the same commit did elsewhere is made durable before the journal goes.
  private func removeFolder() throws {
    try journal.file.syncFileSystem()
    let aside = try client.nameOfRemoved()
    try parent.rename(name, to: parent, as: aside)
    try parent.sync()
    try parent.removeTree(aside)
  }
}
