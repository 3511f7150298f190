import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// A Core Data store: a folder of objects, with one line of JSON for each version of an object.
///
/// Threads and processes: any number of either may use one store; see ``JournaledFolder``. A thread must not read or
/// write from within `body` of another read or write.
package final class ObjectStore: Sendable {
  package let path: String
  package let schema: StoreSchema
  /// The store's UUID, in capitals.
  package let identifier: String
  package let isReadOnly: Bool

  let derivations: Derivations
  let files: StoreFolder
  let folder: JournaledFolder
  let waitPolicy: LockWaitPolicy
  /// This object made all transactions after `start`, up to `end`. `log`: the version of the history's file then.
  private let own = Mutex<(start: Int64, end: Int64, log: FileVersion?)>((0, 0, nil))

  package struct Options: Sendable {
    package var isReadOnly = false
    /// Whether commits survive a power cut. False for temporary stores: nothing is synced.
    package var isDurable = true
    package var lockTimeout = 10.0
    /// Whether a store of another version of the model is accepted, if both versions store the same data.
    package var ignoresVersions = false
    /// The metadata of a newly made store.
    package var newMetadata = JSONObject()
    package var limits = StorageLimits()
    /// The sizes of segments.
    package var segmentLimits = SegmentLimits()
    /// The size of the cache of rows.
    package var cachedBytes = RowCache.mostBytes

    package init() {}
  }

  /// Opens the store at a path. Makes the store, and the folders above it, if there is none.
  ///
  /// - Parameters:
  ///   - path: the path of the store's folder.
  ///   - schema: the schema of the program's model.
  /// - Throws: ``ObjectStoreError``; `otherModel` if the store's model has other version hashes, `missing` if there is
  ///   no store and it may not be made, `notAStore` if the path has another file or folder.
  package init(
    _ path: String, schema: StoreSchema, options: Options = Options(), in fileSystem: FileSystem = FileSystem()
  ) throws(ObjectStoreError) {
    derivations = try Derivations(schema, path: path)
    let opener = StoreOpener(path, options, options.isDurable ? fileSystem : .withoutSyncs())
    let opened = try opener.open(schema)
    self.path = path
    self.schema = schema
    identifier = opened.files.description.identifier
    isReadOnly = options.isReadOnly
    files = opened.files
    folder = opened.folder
    waitPolicy = LockWaitPolicy(seconds: options.lockTimeout)
  }

  // MARK: Access

  /// Runs `body` with the store's shared lock. `body` may run more than once.
  ///
  /// - Parameter body: reads the store after its last commit. The view is valid only during the call.
  /// - Returns: the result of the last run of `body`.
  /// - Throws: the error of `body`, or ``ObjectStoreError``; `storage` with `isTransient` if the lock is not free in
  ///   time.
  package func read<Result>(_ body: (StoreView) throws -> Result) throws -> Result {
    do { return try folder.read(waitPolicy) { try body(StoreView(self, $0)) } } catch {
      throw ObjectStoreError.translated(error)
    }
  }

  /// Runs `body` with the store's exclusive lock. When `body` returns, commits the whole transaction. `body` may run
  /// more than once, and its only effects must be on the transaction. The commit is durable when this returns. Nothing
  /// is written if the transaction is empty.
  ///
  /// - Returns: the result of `body`, and the commit; nil if nothing was written.
  /// - Throws: the error of `body`; ``UniqueViolation`` and ``InvalidRow`` for objects that can't be stored;
  ///   ``ObjectStoreError``, with `readOnly` for a store that was opened for reading.
  package func write<Result>(_ body: (StoreTransaction) throws -> Result) throws -> (
    result: Result, commit: StoreCommit?
  ) {
    do { return try writing(body) } catch { throw ObjectStoreError.translated(error) }
  }

  /// Like ``write(_:)``, with the errors of the lower layers.
  package func writing<Result>(_ body: (StoreTransaction) throws -> Result) throws -> (
    result: Result, commit: StoreCommit?
  ) {
    if isReadOnly { throw ObjectStoreError.readOnly(path: path) }
    var isCommitted = false
    do {
      return try folder.write(waitPolicy) { view in
        let transaction = StoreTransaction(self, view, start: try view.head())
        do {
          let result = try body(transaction)
          let commit = try committing(transaction)
          isCommitted = commit != nil
          if commit == nil { transaction.incoming.remove() }
          return (result, commit)
        } catch {
          // Files that a commit may need are left for it.
          if case StorageError.uncertain = error { throw error }
          transaction.incoming.remove()
          throw error
        }
      }
    } catch {
      // A commit with an unknown result is read like another process's.
      if isCommitted { own.withLock { $0 = (0, 0, nil) } }
      throw error
    }
  }

  private func committing(_ transaction: StoreTransaction) throws -> StoreCommit? {
    try own.withLock { own in
      guard let commit = try transaction.commit(waitPolicy) else { return nil }
      if own.end != transaction.start { own.start = transaction.start }
      (own.end, own.log) = (commit.transaction, historyVersion())
      return commit
    }
  }

  private func historyVersion() -> FileVersion? { try? files.directory.version(of: StoreFolder.history.name) }

  /// For how many seconds a lock is waited for.
  package var lockTimeout: Double { waitPolicy.seconds }

  func translating<Result>(_ body: () throws -> Result) throws(ObjectStoreError) -> Result {
    do { return try body() } catch { throw ObjectStoreError(error, path: path) }
  }

  /// Whether this object made all transactions after `start`. Takes no lock of the store, and reads no file's contents.
  /// Like ``ownEnd(after:)``, waits for this object's commit that has begun.
  package func hasMadeAll(after start: Int64) -> Bool {
    own.withLock { $0.start <= start && $0.log != nil && $0.log == historyVersion() }
  }

  /// The last of the transactions that this object made directly after `start`; `start` if it made none, or does not
  /// know of them.
  package func ownEnd(after start: Int64) -> Int64 {
    own.withLock { $0.start <= start ? max(start, $0.end) : start }
  }

  // MARK: Removing

  /// Removes the store at a path with its contents; does nothing if there is none. A process that has the store open
  /// gets an error at its next access.
  ///
  /// Throws ``ObjectStoreError/notAStore(path:)`` if another file or folder is at the path.
  ///
  /// - Parameters:
  ///   - isForced: whether to remove the store without waiting for other processes, and even if it is damaged.
  ///   - leavesFolder: whether an empty folder has the store's name afterwards. A store can be made there.
  package static func destroy(
    _ path: String, isForced: Bool = false, leavesFolder: Bool = false, in fileSystem: FileSystem = FileSystem()
  ) throws(ObjectStoreError) {
    try StoreOpener(path, Options(), fileSystem).destroy(isForced: isForced, leavesFolder: leavesFolder)
  }

  // MARK: Others

  /// A watch that reports each commit to the store, by any process.
  package func watch() throws -> DirectoryWatch { try translating { try DirectoryWatch(files.directory) } }

  /// The bytes of a file that a row names. Takes no lock.
  package func contents(of binary: ExternalBinary) throws -> [UInt8] {
    try translating {
      let path = StoreFolder.binary(binary.digest)
      guard let bytes = try folder.movedContents(path) else { throw files.missing(path) }
      return bytes
    }
  }

  /// Removes the history up to a transaction, inclusive.
  package func purgeHistory(through transaction: Int64) throws {
    if isReadOnly { throw ObjectStoreError.readOnly(path: path) }
    try translating { try purging(through: transaction) }
  }

  /// Like ``purgeHistory(through:)``, with the errors of the lower layers.
  package func purging(through transaction: Int64) throws {
    // A transaction may have several lines: none of one that stays is forgotten.
    let horizon = try folder.read(waitPolicy) { view in
      var last: Int64 = 0
      try view.forEachLine(of: StoreFolder.history, after: 0) { line, _ in
        guard let number = line.value["transaction"]?.integer, number <= transaction else { return false }
        last = number
        return true
      }
      return last
    }
    try folder.forgetLines(through: horizon, waitPolicy)
  }

  /// Erases remains of changed and deleted rows from the store's files: obsolete lines of segments, frames of the
  /// journal, free pages of the index. Values of deleted objects that the history preserves stay ([store-23]).
  ///
  /// Reads and writes each segment with obsolete lines, one in each commit, and all free pages of the index.
  ///
  /// - Returns: false if a process reads an earlier state of the store. Then that state stays complete, and a later
  ///   call finishes the work, as it does after an error or a kill.
  package func scrub() throws -> Bool {
    do { return try scrubbing() } catch { throw ObjectStoreError.translated(error) }
  }

  /// Like ``scrub()``, with the errors of the lower layers.
  package func scrubbing() throws -> Bool {
    for (table, segment) in try folder.read(waitPolicy, { try $0.obsoleteSegments() }) {
      _ = try writing { $0.scrubbed = (table, segment) }
    }
    return try folder.eraseLeftovers(waitPolicy)
  }
}
