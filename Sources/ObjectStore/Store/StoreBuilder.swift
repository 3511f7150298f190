import LocalCloudPlatform
import LocalCloudStorage

/// Makes a store under a hidden name beside its final path, and then renames it: no process sees an incomplete store.
///
/// A lock file in the journal's folder excludes other processes during this work. Files that a killed process left are
/// removed, or its work is continued.
///
/// A folder can't be renamed onto another one. So a store that is replaced first gets the hidden name
/// `.<name>.replaced`. A process that finds that name, and nothing at the store's name, completes the replacement: the
/// new store was synced before.
struct StoreBuilder {
  private let parent: Directory
  private let name: String
  private let waitPolicy: LockWaitPolicy

  private var hiddenName: String { ".\(name).making" }
  private var replacedName: String { ".\(name).replaced" }

  /// In the journal's folder.
  private static let lockName = "making"

  init(_ parent: Directory, _ name: String, _ waitPolicy: LockWaitPolicy) {
    self.parent = parent
    self.name = name
    self.waitPolicy = waitPolicy
  }

  /// Makes an empty store, unless another process has done so.
  func make(_ description: StoreDescription) throws {
    try withFolder { folder in
      if try parent.kind(of: name) != nil, try !isEmptyFolder() { return try parent.removeTree(hiddenName) }
      // Another process replaces the store.
      if try parent.exists(replacedName) { return }
      try clear(folder)
      try Self.fill(folder, description)
      try parent.rename(hiddenName, to: parent, as: name)
      try parent.sync()
    }
  }

  /// Replaces the store at the path. Call with the lock that prevents writing to that store.
  ///
  /// `fill`: makes the new store in a folder, and syncs it.
  ///
  /// Throws ``StorageError/uncertain(path:reason:)`` if it is unknown whether the old or the new store is at the path.
  func replace(with fill: (Directory) throws -> Void) throws {
    for _ in 0..<Self.mostTries {
      try finish()
      let isDone = try withFolder { folder in
        try removeReplaced()
        try clear(folder)
        do { try fill(folder) } catch {
          // A full disk needs the room.
          if (error as? SystemError)?.isStopped != true { try? parent.removeTree(hiddenName) }
          throw error
        }
        try swap()
      }
      if isDone { return }
    }
    throw StorageError.busy(path: parent.path(of: name), holder: nil, waited: waitPolicy.seconds)
  }

  /// Completes a replacement that a killed process began. Returns whether there was one.
  @discardableResult
  func finish() throws -> Bool {
    guard try parent.exists(replacedName), try parent.kind(of: name) == nil else { return false }
    try withFolder { folder in
      guard try parent.kind(of: name) == nil, try parent.exists(replacedName) else { return }
      let isWhole = try folder.exists(StoreDescription.fileName)
      try parent.rename(isWhole ? hiddenName : replacedName, to: parent, as: name)
      try parent.sync()
    }
    return true
  }

  /// Runs `body` while no other process makes, replaces or furnishes the store; does nothing if there is no store.
  func alone(_ body: () throws -> Void) throws {
    for _ in 0..<Self.mostTries {
      let isDone = try withFolder { _ in
        // The hidden folder may be a new store, without its name because its process was killed.
        if try parent.kind(of: name) == nil { return }
        try removeReplaced()
        try body()
        // The next process that opens the store removes the folder.
        do { try parent.removeTree(hiddenName) } catch let error as SystemError where !error.isStopped {}
      }
      if isDone { return }
    }
    throw StorageError.busy(path: parent.path(of: name), holder: nil, waited: waitPolicy.seconds)
  }

  private static let mostTries = 100

  /// Removes files that killed processes left beside a store. Call when the store exists.
  func tidy() throws {
    if try parent.exists(replacedName), try parent.kind(of: name) != nil {
      try parent.makeDirectory(hiddenName, isPrivate: true)
    }
    guard let folder = try hiddenFolder(), let lock = try lockFile(folder) else { return }
    // A process that makes something has the lock.
    guard try lock.tryLock(.exclusive) else { return }
    defer { lock.unlock() }
    guard try parent.identity(of: hiddenName) == folder.identity(), try parent.kind(of: name) != nil else { return }
    try removeReplaced()
    try parent.removeTree(hiddenName)
  }

  /// Removes files that killed processes left where there is no store, so that a later process does not restore one.
  func forget() throws {
    guard try parent.exists(replacedName) else { return }
    try withFolder { _ in
      try parent.removeTree(hiddenName)
      try parent.sync()
      if try parent.exists(replacedName) { try parent.removeTree(replacedName) }
    }
  }

  // MARK: Steps

  /// Runs `body` with the folder of the hidden name and its lock. Returns false if another process was faster: then all
  /// begins anew.
  @discardableResult
  private func withFolder(_ body: (Directory) throws -> Void) throws -> Bool {
    try parent.makeDirectory(hiddenName, isPrivate: true)
    guard let folder = try hiddenFolder(), let lock = try lockFile(folder) else { return false }
    let wait = LockWait(waitPolicy)
    while !(try lock.tryLock(.exclusive)) {
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: lock.path, holder: nil, waited: waitPolicy.seconds)
      }
      pause(microseconds: 1_000)
    }
    defer { lock.unlock() }
    guard try parent.identity(of: hiddenName) == folder.identity() else { return false }
    try body(folder)
    return true
  }

  private func hiddenFolder() throws -> Directory? {
    // An earlier version of this library may have left the folder open to other users.
    try parent.makePrivate(hiddenName)
    return try parent.directoryIfPresent(hiddenName, isPrivate: true)
  }

  /// Nil if another process removed the folder since.
  private func lockFile(_ folder: Directory) throws(SystemError) -> File? {
    do {
      try folder.makeDirectory(JournaledFolder.journalFolder)
      return try folder.directory(JournaledFolder.journalFolder).createFile(Self.lockName)
    } catch  where error.isMissing { return nil }
  }

  private func isEmptyFolder() throws -> Bool {
    guard try parent.kind(of: name) == .directory else { return false }
    return try parent.directoryIfPresent(name)?.entries().isEmpty ?? false
  }

  private func clear(_ folder: Directory) throws {
    for entry in try folder.entries() {
      if entry.name == JournaledFolder.journalFolder {
        let journal = try folder.directory(entry.name)
        for entry in try journal.entries() where entry.name != Self.lockName { try journal.remove(entry) }
      } else {
        try folder.remove(entry)
      }
    }
  }

  /// Removes a store that was replaced, once the new one's name is durable. Call with the lock.
  private func removeReplaced() throws {
    guard try parent.exists(replacedName), try parent.kind(of: name) != nil else { return }
    try parent.sync()
    try moveAside()
    try parent.removeTree(replacedName)
  }

  /// Moves the entries of the replaced store's quarantine to the new store, if this has a folder for them.
  private func moveAside() throws {
    guard let folder = try parent.directoryIfPresent(name, isPrivate: true)?.directoryIfPresent(Quarantine.folder),
      let replaced = try parent.directoryIfPresent(replacedName, isPrivate: true),
      try replaced.kind(of: Quarantine.folder) == .directory
    else { return }
    try Quarantine.move(replaced.directory(Quarantine.folder), to: folder)
  }

  private func swap() throws {
    guard try parent.kind(of: name) != nil else {
      try parent.rename(hiddenName, to: parent, as: name)
      return try syncName()
    }
    try parent.rename(name, to: parent, as: replacedName)
    do {
      // The old name must not be there when only the new store's is durable, nor the other way round.
      try parent.sync()
      try parent.rename(hiddenName, to: parent, as: name)
    } catch {
      try rename(back: error)
      throw error
    }
    try syncName()
    do { try removeReplaced() } catch let error as SystemError where !error.isStopped {
      // The next process that opens the store removes it.
    }
  }

  private func rename(back error: any Error) throws {
    if let error = error as? SystemError, error.isStopped { throw error }
    do {
      try parent.rename(replacedName, to: parent, as: name)
      try parent.sync()
    } catch {
      throw StorageError.uncertain(path: parent.path(of: name), reason: "\(error)")
    }
    try? parent.removeTree(hiddenName)
  }

  /// Makes the new store's name durable.
  private func syncName() throws {
    do { try parent.sync() } catch  where !error.isStopped {
      throw StorageError.uncertain(path: parent.path(of: name), reason: error.reason)
    }
  }

  // MARK: Contents

  /// Writes the files of a store without rows, durably. `history`: writes the history; `sequence` is its last sequence
  /// number.
  static func fill(
    _ folder: Directory, _ description: StoreDescription, sequence: Int64 = 0, history: (File) throws -> Void = { _ in }
  ) throws {
    try JournaledFolder.make(
      in: folder, format: StoreFolder.format, owner: description.indexOwner(for: description.schema),
      sequence: sequence)
    try furnishJournal(of: folder)
    for kind in StoreTable.Kind.allCases { try folder.makeDirectory(kind.folder) }
    try folder.makeDirectory(StoreFolder.binaries)
    try history(folder.createFile(StoreFolder.history.name))
    try folder.writeStaged(StoreDescription.fileName, description.bytes)
    try folder.file(StoreDescription.fileName, .readWrite).syncFileSystem()
  }

  /// Makes the entries of the journal's folder that only stores have, in addition to those of any journaled folder.
  static func furnishJournal(of folder: Directory) throws {
    let journal = try folder.directory(JournaledFolder.journalFolder)
    for file in [StoreFolder.rootLock, StoreFolder.rootGate] { _ = try journal.createFile(file) }
    try journal.makeDirectory(StoreFolder.incoming)
  }
}

extension Directory {
  /// Removes a file, or a folder with all that is in it.
  func remove(_ entry: Entry) throws(SystemError) {
    if entry.kind == .directory { try removeTree(entry.name) } else { try remove(entry.name) }
  }
}
