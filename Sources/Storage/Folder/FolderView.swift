import LocalCloudPlatform

/// The state of a folder after its last commit, while its lock is held.
package final class FolderView {
  package let folder: JournaledFolder
  private var openedIndex: IndexFile?
  /// The state to read instead of the last one.
  private let pin: FolderPin?
  /// Whether a reader may request missing index keys that only readers use.
  package let canMakeKeys: Bool
  /// Whether the commit lock is held already.
  let hasCommitLock: Bool
  /// The process that holds the lock.
  let process = ProcessMark()
  /// The end of the journal; set for a writer.
  let journalEnd: Journal.Position?
  /// Commits that are not applied to the files yet; set for a writer that plans on top of them.
  let pending: PendingCommits?
  /// Commits that can't be applied to the files; set for a reader in that case, or if the index can't be written.
  private let unapplied: UnappliedCommits?
  /// Whether the entry planned here is committed, and `pending` with it.
  var isCommitted = false
  /// The end of the commit in the journal, if it was left unsynced for other writers to sync.
  var unsyncedEnd: Journal.Position?

  /// Thrown by a read that can't be answered while commits are pending. The caller applies them to the files and starts
  /// over.
  struct PendingUnread: Error {}

  /// `hasCommitLock`: true for repair, within ``JournaledFolder/withCommitLock(_:_:)``.
  package convenience init(_ folder: JournaledFolder, hasCommitLock: Bool = false) {
    self.init(folder, canMakeKeys: false, hasCommitLock: hasCommitLock, at: nil, over: nil)
  }

  /// - Parameters:
  ///   - unapplied: the commits of a folder that can't be written.
  ///   - pin: an earlier state of the index. Files that the index refers to are read with it; files that commits
  ///     replace are read in their present state.
  init(
    _ folder: JournaledFolder, canMakeKeys: Bool = false, hasCommitLock: Bool = false,
    at journalEnd: Journal.Position? = nil, over pending: PendingCommits? = nil,
    with unapplied: UnappliedCommits? = nil, pin: FolderPin? = nil
  ) {
    self.folder = folder
    self.canMakeKeys = canMakeKeys
    self.hasCommitLock = hasCommitLock
    self.journalEnd = journalEnd
    self.pending = pending
    self.unapplied = unapplied
    self.pin = pin
    openedIndex = pin?.index
  }

  // MARK: Main log

  /// The sequence of the folder's last change.
  package func head() throws -> Int64 { try pin?.head ?? end.get().sequence }

  /// The number of the main log's lines that were ever superseded.
  package func superseded() throws -> Int64 { try end.get().superseded }

  /// The end of the main log.
  package func logEnd() throws -> Int { try end.get().offset }

  private lazy var end = Result { try readEnd() }

  private func readEnd() throws -> (sequence: Int64, superseded: Int64, offset: Int) {
    if let pending { return pending.head }
    if unapplied != nil, let end = try findEnd() { return (end.sequence, end.superseded, end.offset) }
    // The last line may be long, and every read needs it.
    let log = folder.observer.mainLog
    guard let version = try folder.directory.version(of: log.name),
      let end = try folder.knownEnd.value(log, version, read: { try findEnd() })
    else {
      throw StorageError.damaged(path: folder.directory.path(of: log.name), reason: "it is missing")
    }
    return (end.sequence, end.superseded, end.offset)
  }

  /// Nil if there is no log.
  private func findEnd() throws -> JournaledFolder.LogEnd? {
    guard let log = try log(folder.observer.mainLog) else { return nil }
    let tail = try log.tail()
    // Commits and recovery leave only whole lines, so another program truncated the file. Continuing after its
    // remaining lines would assign sequences twice.
    guard tail.isWhole else { throw StorageError.damaged(path: log.file.path, reason: "it ends within a line") }
    if let last = tail.last {
      let superseded = last.value["superseded"]?.integer ?? 0
      return JournaledFolder.LogEnd(
        sequence: last.sequence, superseded: LogFile.sequences.contains(superseded) ? superseded : 0, offset: tail.end)
    }
    let header = try log.header()
    return JournaledFolder.LogEnd(
      sequence: max(try folder.observer.base(), header.horizon), superseded: header.superseded, offset: tail.end)
  }

  // MARK: Files

  /// The file's contents after the pending commits. The outer value is nil if none of them changes the file, the inner
  /// one if they remove it.
  package func pendingContents(_ path: StorePath) -> [UInt8]?? { pending?.contents(path) }

  package func file(_ path: StorePath) throws -> [UInt8]? {
    if let contents = pending?.contents(path) { return contents }
    if let file = try unappliedFile(path) { return try file?.readAll() }
    return try folder.observer.contents(path)
  }

  /// The offset of a log's next line.
  package func end(ofLog path: StorePath) throws -> Int { try pending?.end(of: path) ?? log(path)?.end() ?? 0 }

  /// Opens a file for reading; nil if there is no such file. Not for a writer that plans on top of pending commits.
  package func openFile(_ path: StorePath) throws -> File? {
    if let file = try unappliedFile(path) { return file }
    return try folder.observer.log(path)?.file
  }

  /// Like ``openFile(_:)``, for a log.
  package func log(_ path: StorePath) throws -> LogFile? { try openFile(path).map { LogFile($0) } }

  /// Whether the folder is read without permission or space to write it.
  var isWithoutWriting: Bool { unapplied != nil }

  /// Opens a file that differs from the one on disk, because a commit can't be applied to it. The outer value is nil
  /// for any other file, the inner one if there is no such file.
  package func unappliedFile(_ path: @autoclosure () -> StorePath) throws -> File?? {
    try unapplied?.files.file(path(), in: folder)
  }

  /// The names of the files in a folder, given those on disk.
  package func names(_ names: [String], in base: StorePath.Base, _ folder: [String]) -> [String] {
    unapplied?.files.names(names, in: base, folder) ?? names
  }

  /// Throws ``PendingUnread`` if commits are pending: for reads that use only the files.
  package func requireFiles() throws {
    if pending != nil { throw PendingUnread() }
  }

  /// Calls `body` with each line of a log with a sequence above `sequence`, until it returns false.
  package func forEachLine(
    of path: StorePath, after sequence: Int64, _ body: (LogFile.Line, LogFile) throws -> Bool
  ) throws {
    try requireFiles()
    guard let log = try log(path) else {
      throw StorageError.damaged(path: folder.directory.path(of: path.name), reason: "it is missing")
    }
    try log.forEach(after: sequence) { try body($0, log) }
  }

  /// The names of the folders in a folder that only hold files of commits that can't be applied.
  package func folders(in base: StorePath.Base, _ folder: [String]) -> Set<String> {
    unapplied?.files.folders(in: base, folder) ?? []
  }

  // MARK: Index

  /// The open index. Throws ``IndexUnusable`` unless its sequence is that of the files, or lies within the pending
  /// commits.
  package func index() throws -> IndexFile {
    if let openedIndex { return openedIndex }
    if let unapplied {
      let index = try folder.memoryIndex(of: self, unapplied)
      openedIndex = index
      return index
    }
    // Another process may be applying the pending commits to the index.
    guard let index = try folder.openIndex(), try ((pending?.start ?? head())...head()).contains(index.sequence) else {
      throw IndexUnusable()
    }
    openedIndex = index
    return index
  }

  /// The number of keys with a prefix.
  package func count(prefix: [UInt8]) throws -> Int {
    guard pending != nil else { return try index().count(prefix: prefix) }
    var count = 0
    try scan(prefix: prefix) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Calls `body` with the keys that begin with `prefix` and do not precede `from`, in order, until it returns false.
  /// The first `skipped` keys are skipped.
  package func scan(
    prefix: [UInt8], from: [UInt8]? = nil, skipping skipped: Int = 0, _ body: ([UInt8]) throws -> Bool
  ) throws {
    guard let pending else { return try index().scan(prefix: prefix, from: from, skipping: skipped, body) }
    var left = skipped
    try pending.scan(index(), prefix: prefix, from: from) { key in
      left -= 1
      return try left >= 0 || body(key)
    }
  }

  /// Calls `body` with the keys that begin with `prefix` and precede `bound`, from the last one on, until it returns
  /// false. No key without the prefix may be between those with it and the bound.
  package func scanBackward(prefix: [UInt8], before bound: [UInt8], _ body: ([UInt8]) throws -> Bool) throws {
    try requireFiles()
    try index().scanBackward(prefix: prefix, before: bound, body)
  }
}
