import Platform

/// A zone's folder, opened. All reading and writing of a zone goes through ``read(_:_:)`` and ``write(_:_:)``, which hold
/// its lock and bring it up to its journal first.
///
/// Threads: immutable but for the lock's queue; the disk is guarded by the lock.
package final class ZoneStore: Sendable {
  /// The index is missing, behind or broken: rebuild it and start over.
  struct IndexUnusable: Error {}

  package let path: ZonePath
  let container: Directory
  let zones: Directory
  package let directory: Directory
  let records: Directory
  let shares: Directory
  let journalDirectory: Directory
  let staged: Directory
  let journal: Journal
  private let lock: FairLock

  static let journalName = "log"
  static let lockName = "lock"
  static let gateName = "gate"
  static let indexName = "index"

  init?(_ path: ZonePath, container: Directory, zones: Directory) throws {
    guard let directory = try zones.directoryIfPresent(path.fileName) else { return nil }
    self.path = path
    self.container = container
    self.zones = zones
    self.directory = directory
    do {
      records = try directory.directory("records")
      shares = try directory.directory("shares")
      journalDirectory = try directory.directory(".journal")
      staged = try journalDirectory.directory("staged")
      journal = try Journal(in: journalDirectory, name: Self.journalName)
    } catch let error as SystemError where error.isMissing {
      // Gone while we looked, or a folder that somebody made by hand.
      if try zones.directoryIfPresent(path.fileName) == nil { return nil }
      throw StoreError.damaged(path: directory.path, reason: "not a zone: \(error.path) is missing")
    }
    lock = FairLock(directory, Self.lockName, gate: (journalDirectory, Self.gateName))
  }

  // MARK: Access

  /// Runs `body` with the zone's shared lock. `body` may run more than once.
  package func read<Result>(_ patience: LockPatience, _ body: (ZoneView) throws -> Result) throws -> Result {
    for _ in 0..<4 {
      let held = try acquire(.shared, patience)
      defer { held.release() }
      guard try journal.isClean() else {
        held.release()
        try exclusively(patience) { _ in }
        continue
      }
      do {
        return try body(ZoneView(self))
      } catch  where error is IndexUnusable || error is IndexDamage {
        held.release()
        try exclusively(patience) { _ in try rebuildIndex() }
      }
    }
    throw StoreError.unapplied(path: directory.path, reason: "it kept changing while it was recovered")
  }

  /// Runs `body` with the zone's exclusive lock. What `body` does not commit is dropped. `body` may run twice, if the
  /// index turns out to be unusable; it must have no effect but the transaction's before it commits.
  package func write<Result>(_ patience: LockPatience, _ body: (ZoneTransaction) throws -> Result) throws -> Result {
    try exclusively(patience) { view in
      try journal.requireWritable()
      do {
        return try body(try ZoneTransaction(view))
      } catch  where error is IndexUnusable || error is IndexDamage {
        try rebuildIndex()
        return try body(try ZoneTransaction(ZoneView(self)))
      }
    }
  }

  private func acquire(_ mode: File.LockMode, _ patience: LockPatience) throws -> HeldLock {
    let held: HeldLock
    do { held = try lock.acquire(mode, patience) } catch let error as SystemError where error.isMissing {
      throw StoreError.zoneMissing(path)
    }
    guard try isCurrent() else {
      held.release()
      throw StoreError.zoneMissing(path)
    }
    return held
  }

  /// Whether the folder is still the one under this name: it may have been deleted, and even made anew.
  func isCurrent() throws -> Bool {
    do {
      return try zones.identity(of: path.fileName) == directory.identity()
    } catch  where error.isMissing {
      return false
    }
  }

  private func exclusively<Result>(_ patience: LockPatience, _ body: (ZoneView) throws -> Result) throws -> Result {
    let held = try acquire(.exclusive, patience)
    defer { held.release() }
    if !(try journal.isClean()) { try recover() }
    let note = LockNote(
      account: patience.account, command: patience.command,
      since: Timestamp.text(milliseconds: systemTimeMilliseconds()))
    let noteFile = try? directory.file(Self.lockName, .readWrite)
    try? noteFile?.truncate(to: 0)
    try? noteFile?.write(note.bytes, at: 0)
    defer { try? noteFile?.truncate(to: 0) }
    return try body(ZoneView(self))
  }

  package func properties() throws -> ZoneProperties {
    guard let bytes = try directory.contents("zone.json") else { throw StoreError.zoneMissing(path) }
    let properties = try ZoneProperties.parse(bytes, path: directory.path(of: "zone.json"))
    guard properties.name == path.zone else {
      throw StoreError.nameCollision(path: directory.path, name: path.zone.string)
    }
    return properties
  }

  // MARK: Files

  func contents(_ path: FilePath) throws -> [UInt8]? {
    var place = path.base == .zone ? directory : container
    for component in path.components.dropLast() {
      guard let next = try place.directoryIfPresent(component) else { return nil }
      place = next
    }
    return try place.contents(path.components.last ?? "")
  }

  private func place(of path: FilePath) throws -> (Directory, String) {
    var place = path.base == .zone ? directory : container
    if path.base == .zone, path.components.count == 2, path.components[0] == "records" {
      return (records, path.components[1])
    }
    for component in path.components.dropLast() {
      if let next = try place.directoryIfPresent(component) {
        place = next
      } else {
        try place.makeDirectory(component)
        place = try place.directory(component)
      }
    }
    return (place, path.components.last ?? "")
  }

  /// An effect that appends whole lines where the log now ends.
  func append(_ bytes: [UInt8], to path: FilePath, replacing: Bool = false) throws -> JournalEntry.Effect {
    var place = directory
    for component in path.components.dropLast() { place = try place.directory(component) }
    let log = try LogFile.open(path.components.last ?? "", in: place)
    return .append(path, offset: replacing ? 0 : try log?.end() ?? 0, bytes)
  }

  // MARK: Commit

  /// The one commit path. Order: stage, mention, journal and sync (the commit point), apply.
  func commit(
    _ entry: JournalEntry, mentions: [(DatabasePath, zone: ExactName, owner: ExactName?, fields: JSONObject)],
    _ patience: LockPatience
  ) throws {
    let end: Int
    do {
      try stage(entry)
      try mention(mentions, entry.sequence, patience)
      end = try journal.append(entry)
    } catch {
      // A full disk needs the room back at once.
      for place in entry.effects.indices { _ = try? staged.remove(String(place)) }
      throw error
    }
    do {
      try apply(entry, staged: true)
      // The zone is gone, and its journal with it.
      if entry.effects.last == .removeZone { return }
      try applyToIndex([entry])
      try journal.markApplied(end)
      if end > Self.checkpointBytes { try journal.checkpoint() }
    } catch let error as SystemError where error.isStopped {
      throw error
    } catch {
      // It is committed; whoever comes next finds the journal ahead of the files and brings them up to it.
    }
  }

  /// Small enough to be read in a moment at recovery, large enough that a checkpoint's cost is spread over thousands of saves.
  static let checkpointBytes = 4 << 20

  private func stage(_ entry: JournalEntry) throws {
    for (place, effect) in entry.effects.enumerated() {
      if case .replace(_, let bytes) = effect { try staged.writeStaged(String(place), bytes) }
    }
  }

  private func mention(
    _ mentions: [(DatabasePath, zone: ExactName, owner: ExactName?, fields: JSONObject)], _ sequence: Int64,
    _ patience: LockPatience
  ) throws {
    for (database, zone, owner, fields) in mentions {
      var fields = fields
      fields["zoneSequence"] = .integer(sequence)
      let place = try DatabaseFolder(database, container: container, making: true)
      try place?.log.append([(zone, owner, fields)], all: { try place?.mentionable() ?? [] }, patience)
    }
  }

  private func apply(_ entry: JournalEntry, staged isStaged: Bool) throws {
    for (place, effect) in entry.effects.enumerated() {
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
          throw StoreError.damaged(
            path: file.path, reason: "it ends before byte \(offset), where its next line belongs")
        }
        if size > offset { try file.truncate(to: offset) }
        try file.write(bytes, at: offset)
      case .removeZone:
        try removeFolder()
      }
    }
  }

  /// The last step of a deletion. What the same commit did elsewhere is made durable before the journal goes.
  private func removeFolder() throws {
    try journal.syncFileSystem()
    let aside = ".deleted-" + (try properties().incarnation)
    try zones.rename(path.fileName, to: zones, as: aside)
    try zones.sync()
    try zones.removeTree(aside)
  }

  // MARK: Recovery

  /// Brings the files up to the journal. Call with the exclusive lock.
  private func recover() throws {
    let (entries, end) = try journal.unapplied()
    try journal.requireWritable()
    let restarts = Self.restarts(entries)
    for (place, entry) in entries.enumerated() {
      var entry = entry
      entry.effects.removeAll { effect in
        if case .append(let path, _, _) = effect, let restart = restarts[path] { return place < restart }
        return false
      }
      try apply(entry, staged: false)
      if entry.effects.last == .removeZone { throw StoreError.zoneMissing(path) }
    }
    try applyToIndex(entries)
    try journal.markApplied(end)
  }

  /// The last entry that removes a log or begins it anew. What was appended before it is left out of a replay: on
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

  private func applyToIndex(_ entries: [JournalEntry]) throws {
    for entry in entries {
      do {
        guard let index = try openIndex(), try index.sequence == entry.previous || index.sequence >= entry.sequence
        else {
          return try rebuildIndex()
        }
        if try index.sequence >= entry.sequence { continue }
        try index.apply(insert: entry.indexInsertions, remove: entry.indexRemovals, sequence: entry.sequence)
      } catch is IndexDamage {
        return try rebuildIndex()
      }
    }
  }
}
