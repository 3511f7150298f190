import LocalCloudPlatform

/// Reading: with the journal applied to the files, or through the journal if the files can't be written.
extension JournaledFolder {
  /// Runs `body` with the folder's shared lock. `body` may run more than once.
  ///
  /// Applies the journal to the files first, and rebuilds an index that can't be used. If the disk is full or fails, or
  /// the process may not write, `body` reads through the journal, with an index in memory; see
  /// ``FolderObserver/readsByView``.
  package func read<Result>(_ waitPolicy: LockWaitPolicy, _ body: (FolderView) throws -> Result) throws -> Result {
    var canMakeKeys = true
    var isBehind = false
    for attempt in 0..<8 {
      // If the index is rebuilt again and again, the read continues without making keys.
      let canMakeNow = canMakeKeys && attempt < 4
      do {
        if isBehind { return try recoverAndRead(waitPolicy, canMakeKeys: canMakeNow, body) }
        let held = try acquire(.shared, waitPolicy)
        defer { held.release() }
        if try journal.isClean() { return try body(FolderView(self, canMakeKeys: canMakeNow)) }
        // Other writers may leave unsynced commits again before the shared lock is granted.
        isBehind = true
      } catch let error as KeysUnmade {
        canMakeKeys = try error.make(waitPolicy)
      } catch  where error is IndexUnusable || error is IndexDamage {
        do { try exclusively(waitPolicy) { _ in try rebuildIndex() } } catch let error as SystemError
          where error.isUnwritable
        {
          return try readUnapplied(waitPolicy, after: error, body)
        }
      }
    }
    throw StorageError.unapplied(path: directory.path, reason: "it kept changing while it was recovered")
  }

  private func recoverAndRead<Result>(
    _ waitPolicy: LockWaitPolicy, canMakeKeys: Bool, _ body: (FolderView) throws -> Result
  ) throws -> Result {
    var isRecovered = false
    do {
      // Without permission to write, there is nothing to recover. Other clients wait for their writers to do so.
      if observer.readsByView { try journal.requireWritable() }
      return try exclusively(waitPolicy) { _ in
        isRecovered = true
        return try body(FolderView(self, canMakeKeys: canMakeKeys))
      }
    } catch let error as SystemError where !isRecovered && observer.readsByView && error.isUnwritable {
      return try readUnapplied(waitPolicy, after: error, body)
    }
  }

  /// The contents of a file that a commit moves to its path (``JournalEntry/Effect/move(_:from:)``), even if the
  /// commit is not applied to the files yet; nil if there is none. Takes no lock, because these files never change.
  package func movedContents(_ path: StorePath) throws -> [UInt8]? {
    for look in 0... {
      if let bytes = try observer.contents(path) { return bytes }
      do {
        let unapplied = UnappliedFiles(try journal.findUnapplied().entries)
        if let file = try unapplied.file(path, in: self) { return try file?.readAll() }
        break
      } catch StorageError.damaged where look < Self.mostLooks {
        // Another process may change the journal while this one reads it without a lock.
        pause(microseconds: 1_000)
      }
    }
    // Another process may have applied the commit since the last look.
    return try observer.contents(path)
  }

  /// Concurrent changes can make a journal look damaged this many times.
  private static let mostLooks = 20

  // MARK: Without writing

  /// Runs `body` with the folder's shared lock, and with the commit lock, so that no process applies entries to the
  /// files. Each of these reads parses the whole journal.
  ///
  /// - Parameter failure: the reason why the files or the index can't be written.
  private func readUnapplied<Result>(
    _ waitPolicy: LockWaitPolicy, after failure: SystemError, _ body: (FolderView) throws -> Result
  ) throws -> Result {
    for _ in 0..<8 {
      let held = try acquire(.shared, waitPolicy)
      defer { held.release() }
      if let result = try readIfSecured(waitPolicy, after: failure, body) { return result }
      let commit = try commitLock.acquire(.exclusive, waitPolicy)
      defer { commit.release() }
      let found = try journal.findUnapplied()
      try journal.secureForReading(found)
      knownSecured.withLock { $0 = found.end }
    }
    throw StorageError.unapplied(path: directory.path, reason: "it kept changing while it was read")
  }

  /// Nil if the journal holds entries that may not be durable yet.
  private func readIfSecured<Result>(
    _ waitPolicy: LockWaitPolicy, after failure: SystemError, _ body: (FolderView) throws -> Result
  ) throws -> Result? {
    let commit = try commitLock.acquire(.shared, waitPolicy)
    defer { commit.release() }
    let found = try journal.findUnapplied()
    if !found.entries.isEmpty {
      if !observer.readsByView || found.entries.contains(where: { $0.effects.last == .removeFolder }) { throw failure }
      if knownSecured.withLock({ $0 != found.end }) { return nil }
    }
    let unapplied = UnappliedCommits(found)
    do { return try body(FolderView(self, with: unapplied)) } catch
      where error is IndexUnusable || error is IndexDamage
    {
      return try body(FolderView(self, with: unapplied.withoutIndex))
    }
  }

  /// An index in memory, and the folder's state that it describes. A withdrawn commit was never read, so a sequence
  /// identifies one state as long as the journal's generation only increases.
  struct MemoryIndex {
    fileprivate var generation: UInt64
    fileprivate var index: IndexFile
    /// Whether it was built from the files.
    fileprivate var isBuilt: Bool
  }

  /// The index of a view that reads without writing: a copy of the one on disk with the journal's entries, or one that
  /// is built from the files.
  func memoryIndex(of view: FolderView, _ unapplied: UnappliedCommits) throws -> IndexFile {
    let (generation, head) = (unapplied.generation, try view.head())
    if let known = knownMemoryIndex.withLock({ $0 }), known.generation == generation, try known.index.sequence == head,
      known.isBuilt || unapplied.mayUseIndex
    {
      return known.index
    }
    let following = try followingIndex(of: view, unapplied)
    let index = try following ?? builtIndex(of: view)
    knownMemoryIndex.withLock { $0 = MemoryIndex(generation: generation, index: index, isBuilt: following == nil) }
    return index
  }

  /// Nil if the index on disk can't be used.
  private func followingIndex(of view: FolderView, _ unapplied: UnappliedCommits) throws -> IndexFile? {
    guard unapplied.mayUseIndex else { return nil }
    do {
      guard let index = try openIndex()?.inMemory() else { return nil }
      for entry in unapplied.entries where try entry.sequence > index.sequence {
        guard try index.sequence == entry.previous else { return nil }
        try index.apply(insert: entry.indexInsertions, remove: entry.indexRemovals, sequence: entry.sequence)
      }
      return try index.sequence == view.head() ? index : nil
    } catch is IndexDamage { return nil } catch let error as SystemError where error.isUnreadable { return nil }
  }

  private func builtIndex(of view: FolderView) throws -> IndexFile {
    let keys = try observer.indexKeys(view).sorted { ByteOrder.compare($0, $1) < 0 }
    return try IndexFile.buildInMemory(
      in: directory, name: Self.indexFolder + "/" + Self.indexName, of: observer.indexOwner(), sortedKeys: keys,
      sequence: view.head())
  }
}

/// Commits that are only in the journal, for readers.
struct UnappliedCommits {
  let entries: [JournalEntry]
  let files: UnappliedFiles
  /// The journal's.
  let generation: UInt64
  /// Whether the index in memory may be made from the one on disk.
  private(set) var mayUseIndex: Bool

  init(_ found: Journal.Unapplied) {
    entries = found.entries
    files = UnappliedFiles(found.entries)
    generation = found.end.generation
    // The keys of lines that a compaction removed have no sequence, so they can't be removed from the index.
    mayUseIndex = !entries.contains(where: \.isCompaction)
  }

  /// The same commits, for a view that builds its index from the files.
  var withoutIndex: UnappliedCommits {
    var commits = self
    commits.mayUseIndex = false
    return commits
  }
}
