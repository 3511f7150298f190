import Platform
import Storage

extension ZoneStore {
  /// Brings the files up to the journal; answers where it ends. Call with the exclusive lock.
  @discardableResult
  func replayJournal(_ patience: LockPatience) throws -> Journal.Position {
    // Somebody else may have done it while this one waited for the turn.
    let state = try journal.state()
    if case .clean(let end) = state { return end }
    let unapplied = try journal.unapplied(state)
    try replay(unapplied, patience)
    return unapplied.end
  }

  func replay(
    _ unapplied: (entries: [JournalEntry], end: Journal.Position, isOtherBoot: Bool), _ patience: LockPatience
  ) throws {
    let (entries, end, isOtherBoot) = unapplied
    try journal.requireWritable()
    // Its maker may have been killed before it was durable, and commits under a name that a power cut takes are lost.
    if isOtherBoot { try zones.sync() }
    // Such as were left for others to sync.
    let areJoinable = !isOtherBoot && !entries.isEmpty && entries.allSatisfy(\.isJoinable)
    let steps = areJoinable ? [JournalEntry(merging: entries)] : entries
    // Who leaves an entry leaves this, too. Lines in databases' logs are never synced: a power cut may have taken those of
    // every entry that is still here.
    for step in steps { try mentionAgain(step, isOtherBoot: isOtherBoot, patience) }
    for entry in entries { try deliver(entry, isReplay: true, patience) }
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
        case .adopt(let asset, _): place < fates[asset, default: place]
        case .remove(let path): path.asset.map { place < fates[$0, default: place] } ?? false
        default: false
        }
      }
      try apply(entry, staged: false)
      if entry.effects.last == .removeZone { throw StoreError.zoneMissing(path) }
    }
    do {
      if entries.contains(where: \.isCompaction) {
        // What it forgot has no sequence of its own that the index could be told by.
        try rebuildIndex()
      } else {
        try applyToIndex(entries)
        if isOtherBoot { try verifyIndex() }
      }
    } catch  where Self.isDamage(error) {
      // One bad record must not keep people from the others. Whoever needs the index makes it anew, or is told why not.
      try dropIndex()
    }
  }

  /// A log that something else lies in the place of is begun anew by repair, with a mention of every zone.
  private func mentionAgain(_ entry: JournalEntry, isOtherBoot: Bool, _ patience: LockPatience) throws {
    do { try mention(entry, isReplay: isOtherBoot, patience) } catch let error as SystemError where error.isForeign {}
  }

  /// The last entry that puts an asset in place or removes it. What came before is left out of a replay: on another boot
  /// the asset may be in its later state already, and an upload that was put in place is nowhere else.
  private static func fates(_ entries: [JournalEntry]) -> [AssetName: Int] {
    var result: [AssetName: Int] = [:]
    for (place, entry) in entries.enumerated() {
      for effect in entry.effects {
        switch effect {
        case .adopt(let asset, _): result[asset] = place
        case .remove(let path): if let asset = path.asset { result[asset] = place }
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

  /// A power cut may have taken any of the index's pages; rather now than when a query meets the gap.
  private func verifyIndex() throws {
    do { try openIndex()?.verify() } catch is IndexDamage { try rebuildIndex() }
  }

  /// The last entry that removes a log or begins it anew. What was appended before it, or compacted, is left out of a replay: on
  /// another boot the log may be in its later state already, and the bytes before the append are gone for good.
  private static func restarts(_ entries: [JournalEntry]) -> [FilePath: Int] {
    var result: [FilePath: Int] = [:]
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

extension JournalEntry {
  fileprivate var isCompaction: Bool {
    effects.contains { if case .compact = $0 { true } else { false } }
  }
}
