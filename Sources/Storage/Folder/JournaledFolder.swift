import LocalCloudPlatform
import Synchronization

/// A folder of documents and logs that is changed only by commits. All reads and writes go through ``read(_:_:)`` and
/// ``write(_:_:)``, which hold the folder's lock and first apply the journal to the files.
///
/// The files: `lock`, `.journal/` with `log`, `gate` and `staged/`, `.index/index`; the rest is the observer's.
///
/// Threads: safe to use from any. The folder's lock guards the files.
package final class JournaledFolder: Sendable {
  package let directory: Directory
  package let journalDirectory: Directory
  package let staged: Directory
  package let journal: Journal
  package let limits: StorageLimits
  package let observer: any FolderObserver
  /// The folder's parent, and its name there.
  let parent: Directory
  let name: String
  private let identity: FileIdentity
  private let lock: FairLock
  /// The commit lock: its holder syncs the journal and applies it to the files. Concurrently, other writers may plan on
  /// top of the journal's entries and append to it with ``lock``. If both locks are held, ``lock`` is acquired first.
  let commitLock: FairLock
  let openedIndex = Mutex<IndexFile?>(nil)
  let knownEnd = VersionedCache<StorePath, LogEnd>(limit: 1)
  /// The last index that was made for a ``FolderView`` because none could be written.
  let knownMemoryIndex = Mutex<MemoryIndex?>(nil)
  /// The end of the entries that this process made durable and can't apply to the files.
  let knownSecured = Mutex<Journal.Position?>(nil)
  let isCompacting = Atomic(false)
  /// The folder's new name, once this process renamed it to be removed and until its files are removed.
  let asideName = Mutex<String?>(nil)
  /// A function in a structure: a function that is itself the value of a lock is wrapped once more by each access.
  private struct Handler {
    var run: @Sendable () -> Void
  }

  private let leftHandler = Mutex<Handler?>(nil)
  /// Called when a commit was left unsynced in the journal, before it is completed. Tests set it: every small commit is
  /// then left, as if other processes waited.
  package var whenLeft: (@Sendable () -> Void)? {
    get { leftHandler.withLock { $0?.run } }
    set { leftHandler.withLock { $0 = newValue.map { Handler(run: $0) } } }
  }
  /// Held shared during every write. A process that resets or copies the whole store holds it exclusively.
  package let rootLock: RootLock

  /// The state of the folder at the end of the main log.
  struct LogEnd {
    var sequence: Int64
    var superseded: Int64
    var offset: Int
  }

  package static let journalName = "log"
  package static let lockName = "lock"
  package static let gateName = "gate"
  package static let indexName = "index"
  package static let journalFolder = ".journal"
  package static let indexFolder = ".index"
  package static let stagedFolder = "staged"

  package init(
    _ directory: Directory, journalDirectory: Directory, in parent: Directory, as name: String, rootLock: RootLock,
    limits: StorageLimits, observer: any FolderObserver
  ) throws {
    self.directory = directory
    self.journalDirectory = journalDirectory
    self.parent = parent
    self.name = name
    self.rootLock = rootLock
    self.limits = limits
    self.observer = observer
    identity = try directory.identity()
    staged = try journalDirectory.directory(Self.stagedFolder)
    journal = try Journal(in: journalDirectory, name: Self.journalName, observer.format)
    lock = FairLock(directory, Self.lockName, gate: (journalDirectory, Self.gateName))
    commitLock = FairLock(journalDirectory, Self.journalName)
  }

  /// Makes the files of a new folder before its first commit; the folder may have a temporary name. Nothing is synced.
  ///
  /// - Parameters:
  ///   - owner: see ``FolderObserver/indexOwner()``.
  ///   - sequence: the folder's sequence before its first commit.
  ///   - first: an entry for the journal. The first process that opens the folder performs its effects outside the
  ///     folder.
  package static func make(
    in directory: Directory, format: JournalFormat, owner: UInt64, sequence: Int64, first: JournalEntry? = nil
  ) throws {
    let journalDirectory = try makeFolders(in: directory)
    let header = JournalHeader(boot: JournalHeader.noBoot)
    var bytes = header.bytes
    if let first {
      bytes += JournalFrame.bytes(first.payload(format), sequence: first.sequence, generation: header.generation)
    }
    try journalDirectory.writeStaged(journalName, bytes)
    try journalDirectory.writeStaged(gateName, [])
    try directory.writeStaged(lockName, LockHolder.blank(LockHolder.block))
    _ = try IndexFile.build(
      in: try directory.directory(indexFolder), name: indexName, of: owner, sortedKeys: [], sequence: sequence)
  }

  /// Returns the journal's folder.
  private static func makeFolders(in directory: Directory) throws -> Directory {
    for folder in [indexFolder, journalFolder] { try directory.makeDirectory(folder) }
    let journalDirectory = try directory.directory(journalFolder)
    try journalDirectory.makeDirectory(stagedFolder)
    return journalDirectory
  }

  /// Restores the folders and empty files that are required to open the folder, if copying or a user lost them.
  package static func restore(in directory: Directory) throws {
    let journalDirectory = try makeFolders(in: directory)
    if !(try journalDirectory.exists(journalName)) {
      try journalDirectory.writeStaged(journalName, JournalHeader(boot: JournalHeader.noBoot).bytes)
    }
    _ = try journalDirectory.createFile(gateName)
    _ = try directory.createFile(lockName)
  }

  // MARK: Access

  /// Runs `body` with the folder's exclusive lock, on the caller's thread. `body` commits by
  /// ``commit(_:in:staged:_:meanwhile:)``, at most once. It may run more than once, if the index turns out to be
  /// unusable or pending commits must be applied first; it must have no effect before it commits. The commit is durable
  /// when this returns.
  ///
  /// - Throws: the observer's ``FolderObserver/missing()``, ``StorageError/busy(path:holder:waited:)``,
  ///   ``StorageError/damaged(path:reason:)`` for a damaged journal, `SystemError`, or the error of `body`. After
  ///   ``StorageError/uncertain(path:reason:)`` or ``StorageError/pending(path:holder:waited:)`` the commit may be
  ///   saved.
  package func write<Result>(_ waitPolicy: LockWaitPolicy, _ body: (FolderView) throws -> Result) throws -> Result {
    try writing(waitPolicy) {
      do {
        return try completing(waitPolicy) { try withTransaction(&$0, waitPolicy, joining: true, body) }
      } catch  where error is IndexUnusable || error is IndexDamage || error is FolderView.PendingUnread {
        return try completing(waitPolicy) { try withTransaction(&$0, waitPolicy, joining: false, body) }
      }
    }
  }

  /// Waits until the commits that `body` relied on are durable, before its result or its error is reported.
  private func completing<Result>(_ waitPolicy: LockWaitPolicy, _ body: (inout UnsyncedCommits?) throws -> Result)
    throws
    -> Result
  {
    var unsynced: UnsyncedCommits?
    do {
      let result = try body(&unsynced)
      if let unsynced { try groupCommit.awaitDurable(unsynced, waitPolicy) }
      return result
    } catch {
      if let unsynced, !Self.isUnknowable(error) { try groupCommit.awaitDurable(unsynced, waitPolicy) }
      throw error
    }
  }

  private static func isUnknowable(_ error: any Error) -> Bool {
    switch error {
    case StorageError.uncertain, StorageError.pending: true
    default: (error as? SystemError)?.isStopped ?? false
    }
  }

  /// Sets `unsynced` to the end of the commits, if the commit of `body`, or commits that it relied on, are not synced.
  private func withTransaction<Result>(
    _ unsynced: inout UnsyncedCommits?, _ waitPolicy: LockWaitPolicy, joining: Bool,
    _ body: (FolderView) throws -> Result
  ) throws -> Result {
    try withExclusiveLock(waitPolicy, joining: joining) { view in
      try journal.requireWritable()
      var view = view
      defer { unsynced = UnsyncedCommits(view) }
      do { return try body(view) } catch  where error is IndexUnusable || error is IndexDamage {
        // Another process may be writing to the index.
        if view.pending != nil { throw error }
        try rebuildIndex()
        view = FolderView(self, at: view.journalEnd)
        return try body(view)
      }
    }
  }

  /// Runs `body` with the root's lock and the folder's exclusive one, after applying the journal to the files.
  package func exclusively<Result>(_ waitPolicy: LockWaitPolicy, _ body: (FolderView) throws -> Result) throws -> Result
  {
    try writing(waitPolicy) { try withExclusiveLock(waitPolicy, body) }
  }

  /// Applies the journal to the files, if they are behind.
  package func recover(_ waitPolicy: LockWaitPolicy) throws {
    try exclusively(waitPolicy) { _ in }
  }

  private func writing<Result>(_ waitPolicy: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    do {
      return try rootLock.withShared(waitPolicy) {
        let result = Swift.Result { try body() }
        try removeAside()
        return try result.get()
      }
    } catch let error as SystemError where error.isMissing {
      // The removal of the folder removes its locks.
      guard try isCurrent() else { throw observer.missing() }
      throw error
    }
  }

  /// Writers leave a note in the lock file, if they may write to it.
  private func access(_ mode: File.LockMode) -> Directory.Access {
    mode == .exclusive && journal.isWritable ? .readWrite : .read
  }

  func acquire(_ mode: File.LockMode, _ waitPolicy: LockWaitPolicy) throws -> HeldLock {
    let held: HeldLock
    do { held = try lock.acquire(mode, access: access(mode), waitPolicy) } catch let error as SystemError
      where error.isMissing
    {
      guard try isCurrent() else { throw observer.missing() }
      throw StorageError.damaged(path: error.path, reason: "it is missing")
    }
    guard try isCurrent() else {
      held.release()
      throw observer.missing()
    }
    try journal.reopenIfInherited()
    return held
  }

  /// Whether the folder is still the one under this name: it may have been deleted, and even recreated.
  package func isCurrent() throws -> Bool {
    do {
      // The journal must be current, too: data written to a replaced one would be lost.
      return try parent.identity(of: name) == identity && journal.isCurrent()
    } catch let error as SystemError where error.isMissing {
      return false
    }
  }

  /// Whether all commits are in the files. Needs no lock, and may be outdated when it returns.
  package func isClean() throws -> Bool { try journal.isClean() }

  /// Whether the folder is current, and was not opened read-only although it is writable by now.
  package func isUsable() throws -> Bool { try isCurrent() && !journal.becameWritable() }

  /// Records that the name of a new folder is durable, so that no process has to sync it again.
  package func markNew(_ waitPolicy: LockWaitPolicy) throws {
    try withCommitLock(waitPolicy) { try journal.markNew() }
    if try !journal.isClean() { try recover(waitPolicy) }
  }

  /// Runs `body` with the root's lock, the folder's lock and the commit lock, without applying the journal: for repair.
  package func withCommitLock<Result>(_ waitPolicy: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    try writing(waitPolicy) {
      let held = try acquire(.exclusive, waitPolicy)
      defer { held.release() }
      try journal.requireWritable()
      let commit = try commitLock.acquire(.exclusive, waitPolicy)
      defer { commit.release() }
      return try body()
    }
  }

  /// Durably replaces a file of the folder that no commit writes. `contents` is called after the journal is applied to
  /// the files.
  package func replace(
    _ name: String, _ waitPolicy: LockWaitPolicy, with contents: (FolderView) throws -> [UInt8]
  ) throws {
    try exclusively(waitPolicy) { view in
      let held = try commitLock.acquire(.exclusive, waitPolicy)
      defer { held.release() }
      let bytes = try contents(view)
      // A replay must not restore the old file.
      try journal.checkpoint()
      try put(bytes, as: name)
      try directory.sync()
    }
  }

  /// Writes a file that no commit writes, with durable contents, to its path. Call with the commit lock. A checkpoint
  /// or a sync of the folder makes its name durable, too.
  package func put(_ bytes: [UInt8], as name: String) throws {
    try stageDurably(bytes, as: name)
    try staged.rename(name, to: directory, as: name)
  }

  /// `joining`: commits that other writers left unsynced may stay in the journal, for `body` to plan on top of them.
  private func withExclusiveLock<Result>(
    _ waitPolicy: LockWaitPolicy, joining: Bool = false, _ body: (FolderView) throws -> Result
  ) throws -> Result {
    let held = try acquire(.exclusive, waitPolicy)
    defer { held.release() }
    let (end, pending) = try groupCommit.prepare(joining: joining, waitPolicy)
    let note = LockHolder(
      user: waitPolicy.user, command: waitPolicy.command, since: Timestamp.text(milliseconds: systemTimeMilliseconds())
    ).bytes
    // A killed process may have left a longer note.
    if (try? held.file.size()) ?? 0 > note.count { try? held.file.truncate(to: 0) }
    try? held.file.write(note, at: 0)
    defer { try? held.file.write(LockHolder.blank(note.count), at: 0) }
    return try body(FolderView(self, at: end, over: pending))
  }

  var groupCommit: GroupCommit { GroupCommit(folder: self) }

  /// Whether another caller waits for the folder's lock.
  func isAwaited() -> Bool { leftHandler.withLock { $0 != nil } || lock.isAwaited() }
}
