import Platform

/// A folder under its lock, as the last commit left it.
package final class FolderView {
  package let folder: JournaledFolder
  private var openedIndex: IndexFile?
  /// Whether a reader who finds keys missing that only readers ask for has them made.
  package let canMakeKeys: Bool
  /// Whether the turn to commit is taken already.
  let hasCommitLock: Bool
  /// Where the journal ends; for a writer.
  let journalEnd: Journal.Position?
  /// Commits that are not in the files yet; for a writer who plans upon them.
  let pending: PendingCommits?
  /// Whether what was planned here is committed, and `pending` with it.
  var isCommitted = false
  /// Where the commit ends in the journal, if it was left to others.
  var left: Journal.Position?

  /// What is asked can't be answered with commits pending: bring them into the files and start over.
  struct PendingUnread: Error {}

  /// `hasCommitLock`: for repair, within ``JournaledFolder/withCommitLock(_:_:)``.
  package convenience init(_ folder: JournaledFolder, hasCommitLock: Bool = false) {
    self.init(folder, canMakeKeys: false, hasCommitLock: hasCommitLock, at: nil, over: nil)
  }

  init(
    _ folder: JournaledFolder, canMakeKeys: Bool = false, hasCommitLock: Bool = false,
    at journalEnd: Journal.Position? = nil,
    over pending: PendingCommits? = nil
  ) {
    self.folder = folder
    self.canMakeKeys = canMakeKeys
    self.hasCommitLock = hasCommitLock
    self.journalEnd = journalEnd
    self.pending = pending
  }

  // MARK: Main log

  /// The sequence of the folder's last change.
  package func head() throws -> Int64 { try end.get().sequence }

  /// How many of the main log's lines ever became worthless.
  package func superseded() throws -> Int64 { try end.get().superseded }

  /// Where the main log ends.
  package func logEnd() throws -> Int { try end.get().offset }

  private lazy var end = Result { try readEnd() }

  private func readEnd() throws -> (sequence: Int64, superseded: Int64, offset: Int) {
    if let pending { return pending.head }
    guard let log = try folder.client.log(folder.client.mainLog) else {
      throw StorageError.damaged(path: folder.directory.path(of: folder.client.mainLog.name), reason: "it is missing")
    }
    let tail = try log.tail()
    // Commits and recovery leave whole lines only, so somebody else cut it, and going on from what is left would use
    // sequences twice.
    guard tail.isWhole else { throw StorageError.damaged(path: log.file.path, reason: "it ends within a line") }
    if let last = tail.last {
      let superseded = last.value["superseded"]?.integer ?? 0
      return (last.sequence, LogFile.sequences.contains(superseded) ? superseded : 0, tail.end)
    }
    let header = try log.header()
    return try (max(folder.client.base(), header.horizon), header.superseded, tail.end)
  }

  // MARK: Files

  /// Nil where commits that are not in the files yet leave the file alone; else its bytes, if it is there.
  package func pendingContents(_ path: StorePath) -> [UInt8]?? { pending?.contents(path) }

  package func file(_ path: StorePath) throws -> [UInt8]? {
    try pending?.contents(path) ?? folder.client.contents(path)
  }

  /// Where the next line of a log goes.
  package func end(ofLog path: StorePath) throws -> Int {
    try pending?.end(of: path) ?? folder.client.log(path)?.end() ?? 0
  }

  /// For what reads the files alone.
  package func requireFiles() throws {
    if pending != nil { throw PendingUnread() }
  }

  /// Calls `body` with each line of a log above a sequence, until it answers false.
  package func forEachLine(
    of path: StorePath, after sequence: Int64, _ body: (LogFile.Line, LogFile) throws -> Bool
  ) throws {
    try requireFiles()
    guard let log = try folder.client.log(path) else {
      throw StorageError.damaged(path: folder.directory.path(of: path.name), reason: "it is missing")
    }
    try log.forEach(after: sequence) { try body($0, log) }
  }

  // MARK: Index

  /// As the files have it.
  package func index() throws -> IndexFile {
    if let openedIndex { return openedIndex }
    // Pending commits may be on their way into it.
    guard let index = try folder.openIndex(), try ((pending?.start ?? head())...head()).contains(index.sequence) else {
      throw IndexUnusable()
    }
    openedIndex = index
    return index
  }

  /// Hands out the keys that begin with `prefix` and do not precede `from`, in order, until `body` answers false.
  package func scan(prefix: [UInt8], from: [UInt8]? = nil, _ body: ([UInt8]) throws -> Bool) throws {
    guard let pending else { return try index().scan(prefix: prefix, from: from, body) }
    try pending.scan(index(), prefix: prefix, from: from, body)
  }
}
