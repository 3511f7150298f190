import Platform

extension JournaledFolder {
  /// Applies the journal to the files; returns where the journal ends. Call with the folder's exclusive lock and the
  /// commit lock.
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
    // that a power cut takes are lost.
    if isOtherBoot { try parent.sync() }
    // Entries that were left for others to sync.
    let areJoinable = !isOtherBoot && !entries.isEmpty && entries.allSatisfy { $0.isJoinable(client) }
    let steps = areJoinable ? [JournalEntry(merging: entries, client)] : entries
    // A writer that leaves an entry leaves this step, too. What is recorded outside the folder is never synced: a power
    // cut may have lost it for every entry that is still here.
    for step in steps { try client.willCommit(step, isOtherBoot ? .againAfterBoot : .again, waitPolicy) }
    for entry in entries { try client.didCommit(entry, .again, waitPolicy) }
    try replay(steps, isOtherBoot)
    try journal.markApplied(end)
  }

  private func replay(_ entries: [JournalEntry], _ isOtherBoot: Bool) throws {
    let restarts = Self.restarts(entries)
    let fates = Self.fates(entries)
    for (place, entry) in entries.enumerated() {
      var entry = entry
      entry.effects.removeAll { effect in
        switch effect {
        case .append(let path, _, _): restarts[path].map { place < $0 } ?? false
        case .compact(let compaction): restarts[compaction.path].map { place < $0 } ?? false
        case .place(let path, _): place < fates[path, default: place]
        case .remove(let path): fates[path].map { place < $0 } ?? false
        default: false
        }
      }
      try apply(entry, staged: false)
      if entry.effects.last == .removeFolder { throw client.missing() }
    }
    do {
      if entries.contains(where: \.isCompaction) {
        // What a compaction forgot has no sequence by which the index could be updated.
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

  /// For each path, the last entry that puts a synced file there, or removes one that another entry puts there. Earlier
  /// effects are left out of a replay: on another boot the file may be in its later state already, and what was put in
  /// place exists nowhere else.
  private static func fates(_ entries: [JournalEntry]) -> [StorePath: Int] {
    var placed: Set<StorePath> = []
    for case .place(let path, _) in entries.lazy.flatMap(\.effects) { placed.insert(path) }
    if placed.isEmpty { return [:] }
    var result: [StorePath: Int] = [:]
    for (place, entry) in entries.enumerated() {
      for effect in entry.effects {
        switch effect {
        case .place(let path, _): result[path] = place
        case .remove(let path) where placed.contains(path): result[path] = place
        default: break
        }
      }
    }
    return result
  }

  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case StorageError.damaged, StorageError.nameCollision: true
    case let error as SystemError: error.isForeign || error.isMissing || error.isDenied
    default: false
    }
  }

  /// For each path, the last entry that removes the log or begins it anew. Earlier appends and compactions are left out
  /// of a replay: on another boot the log may be in its later state already, and the bytes before the append are lost.
  private static func restarts(_ entries: [JournalEntry]) -> [StorePath: Int] {
    var result: [StorePath: Int] = [:]
    for (place, entry) in entries.enumerated() {
      for effect in entry.effects {
        switch effect {
        case .remove(let path), .append(let path, offset: 0, _): result[path] = place
        default: break
        }
      }
    }
    return result
  }
}
