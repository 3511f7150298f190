import LocalCloudPlatform
import LocalCloudStorage

extension ObjectStore {
  /// Makes a damaged store usable ([store-30]). Lines and files that can't be part of the store are moved to `aside/`
  /// in it, and everything that can be derived from the other files is made anew. The remaining problems need a person.
  ///
  /// Holds the store's lock exclusively during the repair, and first takes the mirroring lock. A repair that ends early
  /// can be run again.
  ///
  /// - Parameter milliseconds: the time after which the folder in `aside/` is named.
  /// - Throws: ``ObjectStoreError``; `missing` and `notAStore` if there is no store at the path.
  package static func repair(
    _ path: String, options: Options = Options(), at milliseconds: Int64 = systemTimeMilliseconds(),
    in fileSystem: FileSystem = FileSystem()
  ) throws(ObjectStoreError) -> RepairReport {
    do { return try repairing(path, options, milliseconds, fileSystem) } catch {
      throw ObjectStoreError(error, path: path)
    }
  }

  /// Like ``repair(_:options:at:in:)``, with the errors of the lower layers.
  package static func repairing(
    _ path: String, _ options: Options, _ milliseconds: Int64, _ fileSystem: FileSystem
  ) throws -> RepairReport {
    let opener = StoreOpener(path, options, fileSystem)
    if let problem = try opener.documentProblem() { return RepairReport(done: [], left: [problem]) }
    var done = try opener.furnish(at: milliseconds)
    let store = try ObjectStore.stored(path, isReadOnly: false, options: options, in: fileSystem)
    var repair = StoreRepair(store, Quarantine(store.files.directory, at: milliseconds))
    do {
      let lease = try MirroringLease.acquire(in: store.files.journalDirectory, store.waitPolicy)
      defer { lease.release() }
      try store.folder.withCommitLock(store.waitPolicy) { try repair.run() }
    } catch let error as SystemError where error.leavesUnread && !error.isWrite {
      // A part that can't be read stays as it is, with all that may depend on it. The check reports it.
    } catch let error as StorageError where !done.isEmpty {
      guard case .busy(let file, let holder, _) = error else { throw error }
      let text = "it is locked by \(holder?.text ?? "another process"): run the repair again when that has ended"
      return RepairReport(done: done, left: [Problem(path: file, text: text)])
    }
    done += repair.done
    return RepairReport(done: done, left: try store.report().problems)
  }

  /// The damage of the description of the store at a path, `store.json`; nil if there is none. Without the description
  /// no other file can be read or repaired.
  ///
  /// Throws ``ObjectStoreError``; `notAStore` for a folder that has nothing of a store, either.
  package static func documentProblem(
    _ path: String, in fileSystem: FileSystem = FileSystem()
  ) throws(ObjectStoreError) -> Problem? {
    do { return try StoreOpener(path, Options(), fileSystem).documentProblem() } catch {
      throw ObjectStoreError(error, path: path)
    }
  }
}
