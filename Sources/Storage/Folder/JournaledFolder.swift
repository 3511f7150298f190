import Platform
import Synchronization

/// A folder of documents and logs that changes by commits alone. All reading and writing goes through ``read(_:_:)`` and
/// ``write(_:_:)``, which hold its lock and bring it up to its journal first.
///
/// The files: `lock`, `.journal/` with `log`, `gate` and `staged/`, `.index/index`; the rest is the client's.
///
/// Threads: immutable but for the lock's queue; the disk is guarded by the lock.
package final class JournaledFolder: Sendable {
  package let directory: Directory
  package let journalDirectory: Directory
  package let staged: Directory
  package let journal: Journal
  package let limits: StorageLimits
  package let client: any FolderClient
  /// In which the folder lies, and as what.
  let parent: Directory
  let name: String
  private let identity: FileIdentity
  private let lock: FairLock
  /// The turn to commit: whoever has it syncs the journal and brings the files up to it, while others may plan upon
  /// what it holds and append to it with ``lock``. That one comes first where both are held.
  let commitLock: FairLock
  let openedIndex = Mutex<IndexFile?>(nil)
  let isCompacting = Atomic(false)
  /// Called when a commit was left in the journal, before it is completed. Tests set it: every small commit is left
  /// then, as if others waited.
  package let whenLeft = Mutex<(@Sendable () -> Void)?>(nil)
  /// Shared while anything is written; who resets or copies the whole store has it alone.
  package let rootLock: RootLock

  package static let journalName = "log"
  package static let lockName = "lock"
  package static let gateName = "gate"
  package static let indexName = "index"
  package static let journalFolder = ".journal"
  package static let indexFolder = ".index"
  package static let stagedFolder = "staged"

  package init(
    _ directory: Directory, journalDirectory: Directory, in parent: Directory, as name: String, rootLock: RootLock,
    limits: StorageLimits, client: any FolderClient
  ) throws {
    self.directory = directory
    self.journalDirectory = journalDirectory
    self.parent = parent
    self.name = name
    self.rootLock = rootLock
    self.limits = limits
    self.client = client
    identity = try directory.identity()
    staged = try journalDirectory.directory(Self.stagedFolder)
    journal = try Journal(in: journalDirectory, name: Self.journalName, client.format)
    lock = FairLock(directory, Self.lockName, gate: (journalDirectory, Self.gateName))
    commitLock = FairLock(journalDirectory, Self.journalName)
  }

  /// What a new folder has before anything is committed in it, under whatever name it is made. `first`: an entry whose
  /// doings elsewhere are to be done by whoever looks at it first.
  package static func make(
    in directory: Directory, client: JournalFormat, owner: UInt64, sequence: Int64, first: JournalEntry? = nil
  ) throws {
    let journalDirectory = try makeFolders(in: directory)
    let header = JournalHeader(boot: JournalHeader.noBoot)
    var bytes = header.bytes
    if let first {
      bytes += JournalFrame.bytes(first.payload(client), sequence: first.sequence, generation: header.generation)
    }
    try journalDirectory.writeStaged(journalName, bytes)
    try journalDirectory.writeStaged(gateName, [])
    try directory.writeStaged(lockName, LockHolder.blank(LockHolder.block))
    _ = try IndexFile.build(
      in: try directory.directory(indexFolder), name: indexName, of: owner, sortedKeys: [], sequence: sequence)
  }

  /// Answers the journal's.
  private static func makeFolders(in directory: Directory) throws -> Directory {
    for folder in [indexFolder, journalFolder] { try directory.makeDirectory(folder) }
    let journalDirectory = try directory.directory(journalFolder)
    try journalDirectory.makeDirectory(stagedFolder)
    return journalDirectory
  }

  /// Folders and empty files that it can't be opened without, where copies or people lost them.
  package static func restore(in directory: Directory) throws {
    let journalDirectory = try makeFolders(in: directory)
    if !(try journalDirectory.exists(journalName)) {
      try journalDirectory.writeStaged(journalName, JournalHeader(boot: JournalHeader.noBoot).bytes)
    }
    _ = try journalDirectory.createFile(gateName)
    _ = try directory.createFile(lockName)
  }

  // MARK: Access

  /// Runs `body` with the folder's shared lock. `body` may run more than once.
  package func read<Result>(_ patience: LockWaitPolicy, _ body: (FolderView) throws -> Result) throws -> Result {
    var canMakeKeys = true
    var isBehind = false
    for turn in 0..<8 {
      // Where the index is made anew time after time, it is done without.
      let canMakeNow = canMakeKeys && turn < 4
      do {
        if isBehind {
          return try exclusively(patience) { _ in try body(FolderView(self, canMakeKeys: canMakeNow)) }
        }
        let held = try acquire(.shared, patience)
        defer { held.release() }
        if try journal.isClean() { return try body(FolderView(self, canMakeKeys: canMakeNow)) }
        // Others may leave commits again before a shared lock is to be had.
        isBehind = true
      } catch let error as KeysUnmade {
        canMakeKeys = try error.make(patience)
      } catch  where error is IndexUnusable || error is IndexDamage {
        try exclusively(patience) { _ in try rebuildIndex() }
      }
    }
    throw StorageError.unapplied(path: directory.path, reason: "it kept changing while it was recovered")
  }

  /// Runs `body` with the folder's exclusive lock, for it to commit by ``commit(_:in:staged:_:meanwhile:)`` at most once.
  /// `body` may run more than once, if the index turns out to be unusable; it must have no effect before it commits. What
  /// it commits is durable when this returns.
  package func write<Result>(_ patience: LockWaitPolicy, _ body: (FolderView) throws -> Result) throws -> Result {
    try writing(patience) {
      do {
        return try completing(patience) { try withTransaction(&$0, patience, joining: true, body) }
      } catch  where error is IndexUnusable || error is IndexDamage || error is FolderView.PendingUnread {
        return try completing(patience) { try withTransaction(&$0, patience, joining: false, body) }
      }
    }
  }

  /// Nobody is told anything that goes by commits that are not durable yet, not a refusal either.
  private func completing<Result>(_ patience: LockWaitPolicy, _ body: (inout UnsyncedCommits?) throws -> Result) throws
    -> Result
  {
    var left: UnsyncedCommits?
    do {
      let result = try body(&left)
      if let left { try groupCommit.awaitDurable(left, patience) }
      return result
    } catch {
      if let left, !Self.isUnknowable(error) { try groupCommit.awaitDurable(left, patience) }
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
  private func withTransaction<Result>(
    _ left: inout UnsyncedCommits?, _ patience: LockWaitPolicy, joining: Bool, _ body: (FolderView) throws -> Result
  ) throws -> Result {
    try withExclusiveLock(patience, joining: joining) { view in
      try journal.requireWritable()
      var view = view
      defer { left = UnsyncedCommits(view) }
      do { return try body(view) } catch  where error is IndexUnusable || error is IndexDamage {
        // Somebody may be at work on it.
        if view.pending != nil { throw error }
        try rebuildIndex()
        view = FolderView(self, at: view.journalEnd)
        return try body(view)
      }
    }
  }

  /// Runs `body` with the root's lock and the folder's exclusive one, and the files up to the journal.
  package func exclusively<Result>(_ patience: LockWaitPolicy, _ body: (FolderView) throws -> Result) throws -> Result {
    try writing(patience) { try withExclusiveLock(patience, body) }
  }

  /// Brings the files up to the journal, if they are not.
  package func recover(_ patience: LockWaitPolicy) throws {
    try exclusively(patience) { _ in }
  }

  private func writing<Result>(_ patience: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    try rootLock.withShared(patience, body)
  }

  /// Writers leave a note in the file, where they may.
  private func access(_ mode: File.LockMode) -> Directory.Access {
    mode == .exclusive && journal.isWritable ? .readWrite : .read
  }

  private func acquire(_ mode: File.LockMode, _ patience: LockWaitPolicy) throws -> HeldLock {
    let held: HeldLock
    do { held = try lock.acquire(mode, access: access(mode), patience) } catch let error as SystemError
      where error.isMissing
    {
      guard try isCurrent() else { throw client.missing() }
      throw StorageError.damaged(path: error.path, reason: "it is missing")
    }
    guard try isCurrent() else {
      held.release()
      throw client.missing()
    }
    return held
  }

  /// Whether the folder is still the one under this name: it may have been deleted, and even made anew.
  package func isCurrent() throws -> Bool {
    do {
      // The journal's, too: what is written to one that was replaced would be lost.
      return try parent.identity(of: name) == identity && journal.isCurrent()
    } catch let error as SystemError where error.isMissing {
      return false
    }
  }

  /// Current, and not opened for reading alone while it could be written to by now.
  package func isUsable() throws -> Bool { try isCurrent() && !journal.becameWritable() }

  /// Of a folder whose name is durable by now, so that nobody has to make sure of it.
  package func markNew(_ patience: LockWaitPolicy) throws {
    try withCommitLock(patience) { try journal.markNew() }
    if try !journal.isClean() { try recover(patience) }
  }

  /// The root's and the folder's lock and the turn to commit, and nothing brought up to date: for repair.
  package func withCommitLock<Result>(_ patience: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    try writing(patience) {
      let held = try acquire(.exclusive, patience)
      defer { held.release() }
      try journal.requireWritable()
      let commit = try commitLock.acquire(.exclusive, patience)
      defer { commit.release() }
      return try body()
    }
  }

  /// Replaces a file of the folder that no commit writes, durably. `contents` is called with the files up to the journal.
  package func replace(
    _ name: String, _ patience: LockWaitPolicy, with contents: (FolderView) throws -> [UInt8]
  ) throws {
    try exclusively(patience) { view in
      let held = try commitLock.acquire(.exclusive, patience)
      defer { held.release() }
      let bytes = try contents(view)
      // What is replayed must not bring the old one back.
      try journal.checkpoint()
      try put(bytes, as: name)
      try directory.sync()
    }
  }

  /// Puts a file that no commit writes in its place, its contents durable. Call with the turn to commit; a checkpoint or a
  /// sync of the folder makes its name so.
  package func put(_ bytes: [UInt8], as name: String) throws {
    try stageDurably(bytes, as: name)
    try staged.rename(name, to: directory, as: name)
  }

  /// `joining`: commits that others left may stay in the journal, for `body` to go by them.
  private func withExclusiveLock<Result>(
    _ patience: LockWaitPolicy, joining: Bool = false, _ body: (FolderView) throws -> Result
  ) throws -> Result {
    let held = try acquire(.exclusive, patience)
    defer { held.release() }
    let (end, pending) = try groupCommit.prepare(joining: joining, patience)
    let note = LockHolder(
      user: patience.user, command: patience.command, since: Timestamp.text(milliseconds: systemTimeMilliseconds())
    ).bytes
    // A killed process may have left a longer one.
    if (try? held.file.size()) ?? 0 > note.count { try? held.file.truncate(to: 0) }
    try? held.file.write(note, at: 0)
    defer { try? held.file.write(LockHolder.blank(note.count), at: 0) }
    return try body(FolderView(self, at: end, over: pending))
  }

  var groupCommit: GroupCommit { GroupCommit(folder: self) }

  /// Whether somebody waits for the folder.
  func isAwaited() -> Bool { whenLeft.withLock { $0 != nil } || lock.isAwaited() }
}
