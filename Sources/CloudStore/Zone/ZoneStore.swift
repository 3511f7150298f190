import Platform
import Storage
import Synchronization

/// A zone's folder, opened. All reading and writing of a zone goes through ``read(_:_:)`` and ``write(_:_:)``, which hold
/// its lock and bring it up to its journal first.
///
/// Threads: immutable but for the lock's queue; the disk is guarded by the lock.
package final class ZoneStore: Sendable {
  /// The index is missing, behind or broken: rebuild it and start over.
  struct IndexUnusable: Error {}
  /// The index lacks a field that a reader asks for: make its keys and start over.
  struct FieldUnindexed: Error { var field: IndexedField }

  package let path: ZonePath
  let root: Directory
  let container: Directory
  let zones: Directory
  let folders: KeptFolders
  package let directory: Directory
  private let identity: FileIdentity
  let records: Directory
  let shares: Directory
  let journalDirectory: Directory
  let staged: Directory
  let journal: Journal
  package let limits: StorageLimits
  let fieldEncoding: FieldEncoding
  private let lock: FairLock
  /// The turn to commit: whoever has it syncs the journal and brings the files up to it, while others may plan upon
  /// what it holds and append to it with ``lock``. That one comes first where both are held.
  let turn: FairLock
  let openedIndex = Mutex<IndexFile?>(nil)
  let isCompacting = Atomic(false)
  private let knownProperties = Mutex<(version: FileVersion, properties: ZoneProperties)?>(nil)
  /// Called when a commit was left in the journal, before it is completed. Tests set it: every small commit is left
  /// then, as if others waited.
  package let whenLeft = Mutex<(@Sendable () -> Void)?>(nil)
  /// Shared while anything is written; who resets or copies the whole cloud has it alone.
  let rootLock: RootLock

  /// What it has open as long as it lives, but for lock files, which have room of their own.
  static let descriptors = 10
  private let room: DescriptorRoom?

  static let journalName = "log"
  static let lockName = "lock"
  static let gateName = "gate"
  static let indexName = "index"

  init?(
    _ path: ZonePath, root: Directory, container: Directory, zones: Directory, folders: KeptFolders,
    rootLock: RootLock, limits: StorageLimits, fieldEncoding: FieldEncoding, room: DescriptorRoom? = nil
  ) throws {
    guard let directory = try zones.directoryIfPresent(path.fileName) else { return nil }
    self.path = path
    self.root = root
    self.container = container
    self.zones = zones
    self.folders = folders
    self.directory = directory
    identity = try directory.identity()
    self.rootLock = rootLock
    self.limits = limits
    self.fieldEncoding = fieldEncoding
    self.room = room
    let parts: Parts
    do { parts = try Parts(directory) } catch let missing as SystemError where missing.isMissing {
      // Gone while we looked, or a folder that somebody made by hand.
      if try zones.directoryIfPresent(path.fileName) == nil { return nil }
      do {
        guard try directory.exists("zone.json"), !rootLock.isHeld else { throw missing }
        // Empty folders, and what follows from the rest.
        try rootLock.alone(LockPatience()) { try Self.restoreFolders(in: directory) }
        parts = try Parts(directory)
      } catch let error as SystemError where !error.isStopped {
        throw StorageError.damaged(path: directory.path, reason: "not a zone: \(missing.path) is missing")
      }
    }
    (records, shares, staged) = (parts.records, parts.shares, parts.staged)
    (journalDirectory, journal) = (parts.journalDirectory, parts.journal)
    lock = FairLock(directory, Self.lockName, gate: (journalDirectory, Self.gateName))
    turn = FairLock(journalDirectory, Self.journalName)
  }

  private struct Parts {
    let records: Directory
    let shares: Directory
    let journalDirectory: Directory
    let staged: Directory
    let journal: Journal

    init(_ directory: Directory) throws {
      records = try directory.directory("records")
      shares = try directory.directory("shares")
      journalDirectory = try directory.directory(".journal")
      staged = try journalDirectory.directory("staged")
      journal = try Journal(in: journalDirectory, name: ZoneStore.journalName)
    }
  }

  // MARK: Access

  /// Runs `body` with the zone's shared lock. `body` may run more than once.
  package func read<Result>(_ patience: LockPatience, _ body: (ZoneView) throws -> Result) throws -> Result {
    var canIndex = true
    var isBehind = false
    for turn in 0..<8 {
      // Where the index is made anew time after time, it is done without.
      let canIndexNow = canIndex && turn < 4
      do {
        if isBehind { return try exclusively(patience) { _ in try body(ZoneView(self, canIndex: canIndexNow)) } }
        let held = try acquire(.shared, patience)
        defer { held.release() }
        if try journal.isClean() { return try body(ZoneView(self, canIndex: canIndexNow)) }
        // Others may leave commits again before a shared lock is to be had.
        isBehind = true
      } catch let error as FieldUnindexed {
        canIndex = try makeKeys(of: error.field, patience)
      } catch  where error is IndexUnusable || error is IndexDamage {
        try exclusively(patience) { _ in try rebuildIndex() }
      }
    }
    throw StorageError.unapplied(path: directory.path, reason: "it kept changing while it was recovered")
  }

  /// Runs `body` with the zone's exclusive lock. What `body` does not commit is dropped. `body` may run more than once,
  /// if the index turns out to be unusable; it must have no effect but the transaction's before it commits. What it
  /// commits is durable when this returns.
  package func write<Result>(_ patience: LockPatience, _ body: (ZoneTransaction) throws -> Result) throws -> Result {
    try writing(patience) {
      do {
        return try completing(patience) { try planning(&$0, patience, joining: true, body) }
      } catch  where error is IndexUnusable || error is IndexDamage || error is ZoneView.PendingUnread {
        return try completing(patience) { try planning(&$0, patience, joining: false, body) }
      }
    }
  }

  /// Nobody is told anything that goes by commits that are not durable yet, not a refusal either.
  private func completing<Result>(_ patience: LockPatience, _ body: (inout LeftCommits?) throws -> Result) throws
    -> Result
  {
    var left: LeftCommits?
    do {
      let result = try body(&left)
      if let left { try complete(left, patience) }
      return result
    } catch {
      if let left, !Self.isUnknowable(error) { try complete(left, patience) }
      throw error
    }
  }

  private static func isUnknowable(_ error: any Error) -> Bool {
    switch error {
    case StorageError.uncertain, StorageError.pending: true
    default: (error as? SystemError)?.isStopped ?? false
    }
  }

  /// Its commit, and those that it goes by, may be left to be completed: then `left` says where they end.
  func planning<Result>(
    _ left: inout LeftCommits?, _ patience: LockPatience, joining: Bool,
    _ body: (ZoneTransaction) throws -> Result
  ) throws -> Result {
    try holding(patience, joining: joining) { view in
      try journal.requireWritable()
      var view = view
      defer { left = LeftCommits(view) }
      do { return try transacting(view, body) } catch  where error is IndexUnusable || error is IndexDamage {
        // Somebody may be at work on it.
        if view.pending != nil { throw error }
        try rebuildIndex()
        view = ZoneView(self, remembering: true, at: view.journalEnd)
        return try transacting(view, body)
      }
    }
  }

  private func transacting<Result>(_ view: ZoneView, _ body: (ZoneTransaction) throws -> Result) throws -> Result {
    let transaction = try ZoneTransaction(view)
    defer { transaction.end() }
    return try body(transaction)
  }

  /// Runs `body` with the root's lock and the zone's exclusive one, and the files up to the journal.
  func exclusively<Result>(_ patience: LockPatience, _ body: (ZoneView) throws -> Result) throws -> Result {
    try writing(patience) { try holding(patience, body) }
  }

  /// Brings the files up to the journal, if they are not.
  func recover(_ patience: LockPatience) throws {
    try exclusively(patience) { _ in }
  }

  private func writing<Result>(_ patience: LockPatience, _ body: () throws -> Result) throws -> Result {
    try rootLock.together(patience, body)
  }

  /// Writers leave a note in the file, where they may.
  private func access(_ mode: File.LockMode) -> Directory.Access {
    mode == .exclusive && journal.isWritable ? .readWrite : .read
  }

  private func acquire(_ mode: File.LockMode, _ patience: LockPatience) throws -> HeldLock {
    let held: HeldLock
    do { held = try lock.acquire(mode, access: access(mode), patience) } catch let error as SystemError
      where error.isMissing
    {
      guard try isCurrent() else { throw StoreError.zoneMissing(path) }
      throw StorageError.damaged(path: error.path, reason: "it is missing")
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
      // The journal's, too: what is written to one that was replaced would be lost.
      return try zones.identity(of: path.fileName) == identity && journal.isCurrent()
    } catch let error as SystemError where error.isMissing {
      return false
    }
  }

  /// Current, and not opened for reading alone while it could be written to by now.
  func isUsable() throws -> Bool { try isCurrent() && !journal.becameWritable() }

  /// Of a zone whose name is durable by now, so that nobody has to make sure of it.
  func markNew(_ patience: LockPatience) throws {
    try alone(patience) { try journal.markNew() }
    if try !journal.isClean() { try recover(patience) }
  }

  /// The root's and the zone's lock and the turn to commit, and nothing brought up to date: for repair.
  func alone<Result>(_ patience: LockPatience, _ body: () throws -> Result) throws -> Result {
    try writing(patience) {
      let held = try acquire(.exclusive, patience)
      defer { held.release() }
      try journal.requireWritable()
      let turn = try turn.acquire(.exclusive, patience)
      defer { turn.release() }
      return try body()
    }
  }

  /// `joining`: commits that others left may stay in the journal, for `body` to go by them.
  private func holding<Result>(
    _ patience: LockPatience, joining: Bool = false, _ body: (ZoneView) throws -> Result
  ) throws -> Result {
    let held = try acquire(.exclusive, patience)
    defer { held.release() }
    let (end, pending) = try standing(joining: joining, patience)
    let note = LockNote(
      account: patience.account, command: patience.command,
      since: Timestamp.text(milliseconds: systemTimeMilliseconds())
    ).bytes
    // A killed process may have left a longer one.
    if (try? held.file.size()) ?? 0 > note.count { try? held.file.truncate(to: 0) }
    try? held.file.write(note, at: 0)
    defer { try? held.file.write(LockNote.blank(note.count), at: 0) }
    return try body(ZoneView(self, remembering: true, at: end, over: pending))
  }

  /// Where the journal ends, and which commits in it are not in the files: those to join, if any.
  private func standing(
    joining: Bool, _ patience: LockPatience
  ) throws -> (end: Journal.Position, pending: PendingCommits?) {
    switch try journal.state() {
    case .clean(let end):
      return (end, nil)
    case .left(let frames) where joining && journal.isWritable:
      if let pending = PendingCommits(frames) { return (frames.end, pending) }
    case .left where !journal.isWritable:
      try awaitCompletion(patience)
    case .left, .unapplied:
      break
    }
    let turn = try turn.acquire(.exclusive, patience)
    defer { turn.release() }
    return (try replayJournal(patience), nil)
  }

  /// Who may only read waits for those who left commits and are about to complete them, unless they were killed.
  private func awaitCompletion(_ patience: LockPatience) throws {
    let wait = LockWait(LockPatience(seconds: min(patience.seconds, 2)))
    while wait.remaining > 0, case .left = try journal.state() { pause(microseconds: 700) }
  }

  /// Whether somebody waits for the zone.
  func isAwaited() -> Bool { whenLeft.withLock { $0 != nil } || lock.isAwaited() }

  /// Whether anything in it was ever encrypted.
  package func hasKeys() throws -> Bool { try directory.exists(FilePath.keys) }

  /// Read again only when the file is another one.
  package func properties() throws -> ZoneProperties {
    guard let version = try directory.version(of: "zone.json") else {
      guard try isCurrent() else { throw StoreError.zoneMissing(path) }
      throw StorageError.damaged(path: directory.path(of: "zone.json"), reason: "it is missing")
    }
    if let known = knownProperties.withLock({ $0 }), known.version == version { return known.properties }
    guard let bytes = try directory.contents("zone.json") else { throw StoreError.zoneMissing(path) }
    let properties = try ZoneProperties.parse(bytes, path: directory.path(of: "zone.json"))
    guard properties.name == path.zone else {
      throw StorageError.nameCollision(path: directory.path(of: "zone.json"), name: path.zone.string)
    }
    knownProperties.withLock { $0 = (version, properties) }
    return properties
  }
}

extension ZoneStore {
  /// The files that hold its keys.
  package func keyFiles() throws -> [FilePath] {
    guard let folder = try directory.directoryIfPresent(FilePath.keys) else { return [] }
    return try files(in: folder, [FilePath.keys])
  }

  /// Nil where there is none.
  package func keyFile(_ path: FilePath) throws -> [UInt8]? { try contents(path) }

  private func files(in folder: Directory, _ path: [String]) throws -> [FilePath] {
    var result: [FilePath] = []
    for entry in try folder.entries() where !entry.name.hasPrefix(".") {
      if entry.kind == .file {
        result.append(FilePath(.zone, path + [entry.name]))
      } else if entry.kind == .directory, path.count == 1 {
        result += try files(in: folder.directory(entry.name), path + [entry.name])
      }
    }
    return result
  }
}
