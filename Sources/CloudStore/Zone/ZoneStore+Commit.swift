import Platform
import Storage
import Synchronization

/// The one commit path.
extension ZoneStore {
  /// Order: stage, mention, journal and sync (the commit point), pushes, apply.
  ///
  /// While others wait for the zone, a small commit ends with the journal, without a sync: others may plan upon it, and
  /// whoever has the turn to commit syncs what has come together and brings it into the files. Answers where its entry
  /// ends then; it is to be ``complete(_:_:)``d.
  func commit(
    _ entry: JournalEntry, in view: ZoneView, staged ahead: StagingAhead? = nil, _ patience: LockPatience,
    meanwhile: () -> Void = {}
  ) throws -> Journal.Position? {
    removeDeadUploads()
    var written = entry
    written.joined = view.pending?.frames.bytes.count ?? 0
    let payload = written.payload()
    if ahead == nil, mayLeave(entry, payload, in: view, patience), let start = view.journalEnd,
      let end = try journal.leave(payload, sequence: entry.sequence, at: start)
    {
      syncAhead(from: start, to: end, limits.checkpointBytes)
      return end
    }
    let turn = view.hasTurn ? nil : try turn.acquire(.exclusive, patience)
    defer { turn?.release() }
    let (start, left) = try joined(view, ahead == nil && entry.isJoinable, patience)
    let end: Journal.Position
    let whole = left.map { JournalEntry(merging: $0.entries + [entry]) } ?? entry
    do {
      try stage(whole, but: ahead?.places ?? [])
      try mention(whole, patience)
      try ahead?.files?.requireSuccess()
      if ahead == nil {
        end = try journal.append(payload, sequence: entry.sequence, at: start, after: left)
      } else {
        end = try JobLine.run(
          { [journal, start] in try journal.append(payload, sequence: entry.sequence, at: start) }, beside: meanwhile)
      }
    } catch {
      unstage(whole)
      throw error
    }
    do {
      // First: a zone that goes takes its journal along. Whoever is told comes to the zone's lock, and waits.
      for earlier in left?.entries ?? [] { try deliver(earlier, isReplay: true, patience) }
      try deliver(entry, patience)
      if let ahead {
        try applyBeside(entry, ahead)
      } else {
        try apply(whole, staged: true)
        // The zone is gone, and its journal with it.
        if entry.effects.last == .removeZone { return nil }
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

  /// What stands in the journal by now of the commits that the view goes by, and where the next one belongs. Those that
  /// can't be committed together with the next are brought into the files.
  private func joined(
    _ view: ZoneView, _ isJoinable: Bool, _ patience: LockPatience
  ) throws -> (start: Journal.Position, left: Journal.Frames?) {
    if view.pending == nil, let end = view.journalEnd { return (end, nil) }
    let joined: (start: Journal.Position, left: Journal.Frames?)
    switch try journal.state() {
    case .clean(let end): joined = (end, nil)
    case .left(let frames) where isJoinable: joined = (frames.end, frames)
    case .left, .unapplied: joined = (try replayJournal(patience), nil)
    }
    // Pages that a failed sync lost may be gone by now, and with them what this one was planned upon.
    if let pending = view.pending, !pending.frames.end.isReached(by: joined.start) {
      throw StorageError.unapplied(path: journal.path, reason: "entries that were left in it are not there any more")
    }
    return joined
  }

  /// Not who can hardly wait: there is no way back from there.
  private func mayLeave(
    _ entry: JournalEntry, _ payload: [UInt8], in view: ZoneView, _ patience: LockPatience
  ) -> Bool {
    if patience.seconds < 1 { return false }
    let (count, size) = (view.pending?.entries.count ?? 0, view.pending?.frames.bytes.count ?? 0)
    guard entry.isJoinable, count + 1 < limits.commitsTogether, size + payload.count < Journal.mostLeft,
      let end = view.journalEnd, end.offset < limits.checkpointBytes
    else { return false }
    return count > 0 || isAwaited()
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

  func mention(_ entry: JournalEntry, isReplay: Bool = false, _ patience: LockPatience) throws {
    for mention in entry.mentions {
      var fields = mention.fields
      fields["zoneSequence"] = .integer(entry.sequence)
      guard let place = try folder(of: mention.database, making: true) else { continue }
      try place.log.append(
        [(mention.zone, mention.owner, fields)], isReplay: isReplay, all: { try place.mentionable() }, patience)
    }
  }

  /// A database's folder, if there is one: for what has to be looked up in each commit.
  package func database(_ path: DatabasePath) throws -> DatabaseFolder? { try folder(of: path, making: false) }

  private func folder(of database: DatabasePath, making: Bool) throws -> DatabaseFolder? {
    try folders.folder(at: database.components, making: making).map { DatabaseFolder(database, $0, limits: limits) }
  }

  // MARK: Effects

  func apply(_ entry: JournalEntry, staged isStaged: Bool) throws {
    for (place, effect) in entry.effects.enumerated() { try apply(effect, as: place, staged: isStaged) }
  }

  /// A large commit's files take their places on one thread, as they are made, while lines and keys are written on this
  /// one, which then takes a part: though both change one folder, that takes two thirds of the time.
  private func applyBeside(_ entry: JournalEntry, _ ahead: StagingAhead) throws {
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
    try JobLine.run(put) {
      for (place, effect) in entry.effects.enumerated() where effect.isAppend {
        try apply(effect, as: place, staged: true)
      }
      try applyToIndex([entry])
      // Each record has a file of its own; what else there is comes in its order.
      if others.count == places.count { try put() }
    }
  }

  /// A file that could not be made before may find room by now; else whoever comes next tries again.
  private func apply(_ effect: JournalEntry.Effect, as place: Int, _ made: FilesInTheMaking.Made?) throws {
    if case .unnamed(let file)? = made, case .replace(let path, _) = effect {
      let (folder, name) = try self.place(of: path)
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
      let (folder, name) = try self.place(of: path)
      if !isStaged { try staged.writeStaged(String(place), bytes) }
      try staged.rename(String(place), to: folder, as: name)
    case .remove(let path):
      let (folder, name) = try self.place(of: path)
      try folder.remove(name)
    case .append(let path, let offset, let bytes):
      let (folder, name) = try self.place(of: path)
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
      let (folder, name) = try self.place(of: compaction.path)
      if try staged.exists(String(place)) { try staged.rename(String(place), to: folder, as: name) }
    case .adopt(let asset, let upload):
      try adopt(asset, upload: upload, isReplay: !isStaged)
    case .removeZone:
      try removeFolder()
    }
  }

  /// The last step of a deletion. What the same commit did elsewhere is made durable before the journal goes.
  private func removeFolder() throws {
    try journal.file.syncFileSystem()
    let aside = ".deleted-" + (try properties().incarnation)
    try zones.rename(path.fileName, to: zones, as: aside)
    try zones.sync()
    try zones.removeTree(aside)
  }

  func applyToIndex(_ entries: [JournalEntry]) throws {
    for entry in entries {
      do {
        guard let index = try openIndex(writing: true) else { return try rebuildIndex() }
        let sequence = try index.sequence
        if sequence >= entry.sequence { continue }
        guard sequence == entry.previous else { return try rebuildIndex() }
        try index.apply(insert: entry.indexInsertions, remove: entry.indexRemovals, sequence: entry.sequence)
      } catch is IndexDamage {
        return try rebuildIndex()
      }
    }
  }

  // MARK: Files

  func readRecord(_ name: ExactName) throws -> StoredRecord? {
    guard let bytes = try records.contents(FileName.document(name.string)) else { return nil }
    return try .parse(bytes, path: recordPath(name), expecting: name)
  }

  package func recordPath(_ name: ExactName) -> String { records.path(of: FileName.document(name.string)) }

  func contents(_ path: FilePath) throws -> [UInt8]? {
    switch path.base {
    case .zone: try directory.contents(at: path.components)
    case .container: try folder(of: path)?.contents(path.components.last ?? "")
    }
  }

  /// In which a file of the container lies, such as a window into the zone.
  private func folder(of path: FilePath) throws -> Directory? {
    let container = ["containers", FileName.encode(self.path.database.container.string)]
    return try folders.folder(at: container + path.components.dropLast())
  }

  func place(of path: FilePath) throws -> (Directory, String) {
    let name = path.components.last ?? ""
    if path.isRecord { return (records, name) }
    if path.isShareLog { return (shares, name) }
    let base = path.base == .zone ? directory : container
    return (try base.makingDirectory(at: path.components.dropLast()), name)
  }

  /// A log of the zone; nil where there is none.
  func log(_ path: FilePath) throws -> LogFile? {
    try LogFile.open(path.components.last ?? "", in: path.isShareLog ? shares : directory)
  }
}

extension JournalEntry.Effect {
  fileprivate var isAppend: Bool { if case .append = self { true } else { false } }
}
