import LocalCloudPlatform
import LocalCloudStorage

/// An open zone. All reads and writes of a zone go through ``read(_:_:)`` and ``write(_:_:)``, which hold its lock and
/// first apply its journal to the files.
///
/// Threads: safe to use from any. The lock guards the files.
package final class ZoneStore: Sendable {
  package let files: ZoneFolder
  package let folder: JournaledFolder
  let fieldEncoding: FieldEncoding
  private let room: DescriptorBudget?

  /// The number of descriptors that an open zone holds, except for lock files, which have a budget of their own.
  static let descriptors = 10

  package var path: ZonePath { files.path }
  package var directory: Directory { files.directory }
  package var limits: StorageLimits { folder.limits }
  var journal: Journal { folder.journal }
  var records: Directory { files.records }
  var shares: Directory { files.shares }

  /// Nil if there is no such zone.
  init?(
    _ path: ZonePath, root: Directory, container: Directory, zones: Directory, folders: DirectoryCache,
    rootLock: RootLock, limits: StorageLimits, fieldEncoding: FieldEncoding, observer: any CloudObserver,
    room: DescriptorBudget? = nil
  ) throws {
    guard let directory = try zones.directoryIfPresent(path.fileName) else { return nil }
    func parts() throws -> (ZoneFolder, JournaledFolder) {
      let files = try ZoneFolder(
        path, directory, root: root, container: container, zones: zones, folders: folders, limits: limits,
        observer: observer)
      let folder = try JournaledFolder(
        directory, journalDirectory: files.journalDirectory, in: zones, as: path.fileName, rootLock: rootLock,
        limits: limits, observer: files)
      return (files, folder)
    }
    let opened: (ZoneFolder, JournaledFolder)
    do { opened = try parts() } catch let missing as SystemError where missing.isMissing {
      // The zone was deleted since then, or the folder was made by hand.
      if try zones.directoryIfPresent(path.fileName) == nil { return nil }
      do {
        guard try directory.exists("zone.json"), !rootLock.isHeld else { throw missing }
        // Restores empty folders and files that can be derived from the rest.
        try rootLock.withExclusive(LockWaitPolicy()) { try Self.restoreFolders(in: directory) }
        opened = try parts()
      } catch let error as SystemError where !error.isStopped {
        throw StorageError.damaged(path: directory.path, reason: "not a zone: \(missing.path) is missing")
      }
    }
    (files, folder) = opened
    self.fieldEncoding = fieldEncoding
    self.room = room
  }

  // MARK: Access

  /// Runs `body` with the zone's shared lock, on the caller's thread. `body` may run more than once.
  ///
  /// - Throws: ``StoreError/zoneMissing(_:)`` if the zone was deleted, ``StorageError/busy(path:holder:waited:)``,
  ///   ``StorageError/damaged(path:reason:)`` for a damaged journal, or the error of `body`.
  package func read<Result>(_ waitPolicy: LockWaitPolicy, _ body: (ZoneView) throws -> Result) throws -> Result {
    try folder.read(waitPolicy) { try body(ZoneView(self, $0)) }
  }

  /// Runs `body` with the zone's exclusive lock, on the caller's thread. Changes that `body` does not commit are
  /// dropped. It may run more than once, if the index turns out to be unusable or pending commits must be applied
  /// first; before it commits, its only effect must be the transaction's. The commit is durable when this returns.
  ///
  /// - Throws: as ``read(_:_:)``, and errors of ``ZoneTransaction/commit(_:meanwhile:)``. After
  ///   ``StorageError/uncertain(path:reason:)`` or ``StorageError/pending(path:holder:waited:)`` the commit may be
  ///   saved; after any other error of the commit it is not.
  package func write<Result>(_ waitPolicy: LockWaitPolicy, _ body: (ZoneTransaction) throws -> Result) throws -> Result
  {
    try folder.write(waitPolicy) { view in
      let transaction = try ZoneTransaction(ZoneView(self, view, remembering: true))
      defer { transaction.end() }
      return try body(transaction)
    }
  }

  /// Runs `body`, once, with the zone's exclusive lock, after applying its journal to the files: for files outside the
  /// zone that must not outlive it.
  package func locked<Result>(_ waitPolicy: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    try folder.exclusively(waitPolicy) { _ in try body() }
  }

  /// A view for repair, within ``JournaledFolder/withCommitLock(_:_:)``.
  func repairView() -> ZoneView { ZoneView(self, FolderView(folder, hasCommitLock: true)) }

  package func properties() throws -> ZoneProperties { try files.properties() }

  package func recordPath(_ name: ExactName) -> String { files.recordPath(name) }

  /// A database's folder, nil if there is none: for lookups in each commit.
  package func database(_ path: DatabasePath) throws -> DatabaseFolder? { try files.database(path) }

  /// Runs `body`. If a file is missing because the zone was deleted since then, throws ``StoreError/zoneMissing(_:)``.
  func whileCurrent<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SystemError where error.isMissing {
      guard try folder.isCurrent() else { throw StoreError.zoneMissing(path) }
      throw error
    }
  }
}

// MARK: Keys

extension ZoneStore {
  /// Whether any value in the zone was ever encrypted.
  package func hasKeys() throws -> Bool { try directory.exists(StorePath.keys) }

  /// The files that hold the zone's keys.
  package func keyFiles() throws -> [StorePath] {
    guard let folder = try directory.directoryIfPresent(StorePath.keys) else { return [] }
    return try files(in: folder, [StorePath.keys])
  }

  /// The contents of a key's file; nil if there is none.
  package func keyFile(_ path: StorePath) throws -> [UInt8]? { try files.contents(path) }

  private func files(in folder: Directory, _ path: [String]) throws -> [StorePath] {
    var result: [StorePath] = []
    for entry in try folder.entries() where !entry.name.hasPrefix(".") {
      if entry.kind == .file {
        result.append(StorePath(.zone, path + [entry.name]))
      } else if entry.kind == .directory, path.count == 1 {
        result += try files(in: folder.directory(entry.name), path + [entry.name])
      }
    }
    return result
  }
}
