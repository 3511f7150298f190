import LocalCloudPlatform
import LocalCloudStorage

/// Opens a store, or makes one.
///
/// Another process may be making, migrating, replacing or removing the store concurrently. A result counts only if the
/// folder that was examined still has the store's name; otherwise the opening starts again ([store-28]).
struct StoreOpener {
  private let path: String
  private let options: ObjectStore.Options
  private let fileSystem: FileSystem
  private let parentPath: String
  private let name: String

  /// The entry with the store's name. While its folder is open, no other folder has the same identity.
  private struct Found {
    var kind: Directory.Kind?
    var directory: Directory?
    var identity: FileIdentity?
  }

  init(_ path: String, _ options: ObjectStore.Options, _ fileSystem: FileSystem) {
    self.path = path
    self.options = options
    self.fileSystem = fileSystem
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    var isAbsolute = path.hasPrefix("/")
    // A store is opened by its name in the parent folder. These two path components don't contain it.
    if [".", ".."].contains(parts.last), let resolved = UserFile.resolved(path) {
      parts = resolved.split(separator: "/").map(String.init)
      isAbsolute = true
    }
    name = parts.popLast() ?? ""
    parentPath = (isAbsolute ? "/" : "./") + parts.joined(separator: "/")
  }

  func open(_ schema: StoreSchema) throws(ObjectStoreError) -> (files: StoreFolder, folder: JournaledFolder) {
    do { return try openOrMake(schema) } catch { throw ObjectStoreError(error, path: path) }
  }

  /// Reads `store.json`.
  func storedDescription() throws(ObjectStoreError) -> StoreDescription {
    do {
      let parent = try namedParent()
      return try lookingAgain(in: parent) { found in
        if try builder(in: parent).finish() { return nil }
        guard let kind = found.kind else { throw ObjectStoreError.missing(path: path) }
        guard kind == .directory, let bytes = try found.directory?.contents(StoreDescription.fileName) else {
          // A store that was destroyed may have left an empty folder.
          if try found.directory?.entries().isEmpty == true { throw ObjectStoreError.missing(path: path) }
          throw ObjectStoreError.notAStore(path: path)
        }
        return try StoreDescription(bytes, path: path)
      }
    } catch {
      switch error {
      case let error as SystemError where error.isMissing: throw .missing(path: path)
      case let error as SystemError where error.isForeign: throw .notAStore(path: path)
      default: throw ObjectStoreError(error, path: path)
      }
    }
  }

  /// Like ``storedDescription()``, after the last commit, whose entry may only be in the journal.
  func presentDescription() throws(ObjectStoreError) -> StoreDescription {
    let stored = try storedDescription()
    do {
      let parent = try Directory.open(path: parentPath, in: fileSystem)
      guard let directory = try parent.directoryIfPresent(name, isPrivate: true),
        try directory.directoryIfPresent(JournaledFolder.journalFolder) != nil,
        case let folder = try open(directory, in: parent, stored, stored.schema).folder, try !folder.isClean(),
        let bytes = try folder.read(waitPolicy, { try $0.file(StoreFolder.document) })
      else { return stored }
      return try StoreDescription(bytes, path: path)
    } catch let error as SystemError where error.isStopped {
      throw ObjectStoreError(error, path: path)
    } catch {
      // The store can't be read at the moment, or is damaged. The description on disk still identifies it.
      return stored
    }
  }

  /// The folder of the store's name; nil if there is none.
  func directoryIfPresent() throws -> Directory? {
    let parent = try namedParent()
    return try parent.kind(of: name) == .directory ? parent.directoryIfPresent(name, isPrivate: true) : nil
  }

  private func openOrMake(_ schema: StoreSchema) throws -> (files: StoreFolder, folder: JournaledFolder) {
    let parent = try openParent()
    return try lookingAgain(in: parent) { found in
      if let opened = try openIfPresent(found, in: parent, schema) { return opened }
      if try builder(in: parent).finish() { return nil }
      if options.isReadOnly { throw ObjectStoreError.missing(path: path) }
      let identifier = randomUUID(of: HostProcess.randomBytes(16)).uppercased()
      var description = StoreDescription(identifier: identifier, schema: schema)
      description.metadata = options.newMetadata
      try builder(in: parent).make(description)
      return nil
    }
  }

  /// Runs `body` with the entry that has the store's name, until it returns a result. A result or an error is discarded
  /// if the entry no longer has the name.
  private func lookingAgain<Result>(in parent: Directory, _ body: (Found) throws -> Result?) throws -> Result {
    for _ in 0..<Self.mostLooks {
      let kind = try parent.kind(of: name)
      var found = Found(kind: kind)
      do {
        if kind == .directory {
          guard let directory = try parent.directoryIfPresent(name, isPrivate: true) else { continue }
          found.directory = directory
          found.identity = try directory.identity()
        }
        guard let result = try body(found) else { continue }
        if try isCurrent(found, in: parent) { return result }
      } catch {
        if (error as? SystemError)?.isStopped == true { throw error }
        if try isCurrent(found, in: parent) { throw error }
      }
    }
    throw ObjectStoreError.storage(
      path: path, reason: "other processes make, replace or remove it again and again", isTransient: true)
  }

  private static let mostLooks = 100

  private func isCurrent(_ found: Found, in parent: Directory) throws -> Bool {
    guard try parent.kind(of: name) == found.kind else { return false }
    return try found.directory == nil || parent.identity(of: name) == found.identity
  }

  func builder(in parent: Directory) -> StoreBuilder { StoreBuilder(parent, name, waitPolicy) }

  private var waitPolicy: LockWaitPolicy { LockWaitPolicy(seconds: options.lockTimeout) }

  private func requireName() throws(ObjectStoreError) {
    guard !name.isEmpty else { throw .notAStore(path: path) }
    // Where this is left, the path could not be resolved.
    if name == "." || name == ".." { throw .missing(path: path) }
  }

  func namedParent() throws -> Directory {
    try requireName()
    return try Directory.open(path: parentPath, in: fileSystem)
  }

  private func openParent() throws -> Directory {
    try requireName()
    do {
      // Core Data makes the folders, too: it calls that its recovery.
      if !options.isReadOnly { try Directory.make(path: parentPath, in: fileSystem) }
      return try Directory.open(path: parentPath, in: fileSystem)
    } catch  where error.isMissing {
      throw ObjectStoreError.missing(path: path)
    }
  }

  /// Nil if there is nothing, or an empty folder.
  private func openIfPresent(
    _ found: Found, in parent: Directory, _ schema: StoreSchema
  ) throws -> (files: StoreFolder, folder: JournaledFolder)? {
    guard let kind = found.kind else { return nil }
    guard kind == .directory, let directory = found.directory else { throw ObjectStoreError.notAStore(path: path) }
    guard let bytes = try directory.contents(StoreDescription.fileName) else {
      if try directory.entries().isEmpty { return nil }
      throw ObjectStoreError.notAStore(path: path)
    }
    let description = try StoreDescription(bytes, path: path)
    try requireSameModel(description.schema, schema)
    // If files can't be removed or closed to other users now, another process that opens the store does so.
    if !options.isReadOnly {
      do { try builder(in: parent).tidy() } catch let error as SystemError where !error.isStopped {}
      do { try parent.makePrivate(name) } catch  where !error.isStopped {}
    }
    if try directory.directoryIfPresent(JournaledFolder.journalFolder) == nil {
      // A store that is being removed loses its files one by one.
      guard try isCurrent(found, in: parent) else { return nil }
      // A copy may lack hidden files; they all can be derived from the others.
      try JournaledFolder.restore(in: directory)
    }
    return try open(directory, in: parent, description, schema)
  }

  private func open(
    _ directory: Directory, in parent: Directory, _ description: StoreDescription, _ schema: StoreSchema
  ) throws -> (files: StoreFolder, folder: JournaledFolder) {
    let files = try StoreFolder(
      directory, description, schema, options.segmentLimits, cachedBytes: options.cachedBytes)
    let rootLock = RootLock(files.journalDirectory, StoreFolder.rootLock, gate: StoreFolder.rootGate)
    let folder = try JournaledFolder(
      directory, journalDirectory: files.journalDirectory, in: parent, as: name, rootLock: rootLock,
      limits: options.limits, observer: files)
    if !options.isReadOnly, description.schema != schema {
      // A store that can't be written is opened without that.
      do { try files.describe(in: folder, waitPolicy) { _ in } } catch let error as SystemError where error.isUnwritable
      {}
    }
    return (files, folder)
  }

  /// Equal hashes mean that equal values are stored. Indexes may differ; then the store's index is rebuilt.
  private func requireSameModel(_ stored: StoreSchema, _ schema: StoreSchema) throws(ObjectStoreError) {
    if options.ignoresVersions, stored.layout == schema.layout { return }
    let hashes = { (schema: StoreSchema) in
      Dictionary(schema.entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (hashes(stored), hashes(schema))
    let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    if !differing.isEmpty { throw .otherModel(path: path, entities: differing.sorted()) }
  }

  // MARK: Removing and replacing

  /// - Parameters:
  ///   - isForced: whether a store is removed that other processes don't let go, or that is damaged.
  ///   - leavesFolder: whether the store's name is then that of an empty folder.
  func destroy(isForced: Bool, leavesFolder: Bool) throws(ObjectStoreError) {
    do { try removeIfPresent(isForced, leavesFolder) } catch { throw ObjectStoreError(error, path: path) }
  }

  private func removeIfPresent(_ isForced: Bool, _ leavesFolder: Bool) throws {
    guard let parent = try presentParent() else { return }
    guard let kind = try parent.kind(of: name) else {
      try builder(in: parent).forget()
      if leavesFolder { try parent.makeDirectory(name, isPrivate: true) }
      return
    }
    guard kind == .directory else { throw ObjectStoreError.notAStore(path: path) }
    guard let directory = try parent.directoryIfPresent(name, isPrivate: true) else { return }
    try builder(in: parent).tidy()
    if leavesFolder, try directory.entries().isEmpty { return }
    do { try remove(directory, in: parent, isForced, leavesFolder) } catch {
      // Another process may have removed the store first. Then the files and the locks no longer exist.
      let isMissing = (error as? SystemError)?.isMissing ?? (error is ObjectStoreError)
      if isMissing, try parent.identity(of: name) != directory.identity() { return }
      throw error
    }
  }

  private func presentParent() throws -> Directory? {
    try requireName()
    do { return try Directory.open(path: parentPath, in: fileSystem) } catch  where error.isMissing { return nil }
  }

  /// Removes the store. It first gets a hidden name, so that no process sees an incomplete store.
  private func remove(
    _ directory: Directory, in parent: Directory, _ isForced: Bool, _ leavesFolder: Bool
  ) throws {
    let journal = try directory.directoryIfPresent(JournaledFolder.journalFolder)
    guard let bytes = try directory.contents(StoreDescription.fileName) else {
      throw ObjectStoreError.notAStore(path: path)
    }
    let aside: String
    do { aside = try StoreDescription(bytes, path: path).nameOfRemoved } catch {
      // A damaged store is one by its journal.
      guard isForced, journal != nil else { throw error }
      aside = ".removed-" + randomUUID(of: HostProcess.randomBytes(16)).uppercased()
    }
    let remove = {
      // The name may be another store's by now.
      guard try parent.identity(of: name) == directory.identity() else { return }
      try parent.rename(name, to: parent, as: aside)
      if leavesFolder { try parent.makeDirectory(name, isPrivate: true) }
      try parent.sync()
      try parent.removeTree(aside)
    }
    // A process that writes to the store gets an error at its next access.
    if isForced { return try remove() }
    // Not while another process writes.
    try withoutWriters(journal, remove)
  }

  private func withoutWriters(_ journal: Directory?, _ body: () throws -> Void) throws {
    guard let journal else { return try body() }
    try RootLock(journal, StoreFolder.rootLock, gate: StoreFolder.rootGate).withExclusive(waitPolicy, body)
  }

  /// Replaces an open store by a store that `fill` makes durably. The new store gets the quarantine of the old one.
  func replace(_ store: ObjectStore, with fill: (Directory) throws -> Void) throws {
    let parent = try openParent()
    do {
      // Takes the store's own lock, so that others can read the store during the replacement. Taking it first applies
      // entries that a killed process left in the journal.
      try store.folder.rootLock.withExclusive(waitPolicy) {
        guard try store.folder.isCurrent() else { throw ObjectStoreError.missing(path: path) }
        try builder(in: parent).replace { folder in
          try fill(folder)
          // StoreBuilder moves the quarantine's entries there.
          if try store.files.directory.kind(of: Quarantine.folder) == .directory {
            try folder.makeDirectory(Quarantine.folder)
            try folder.sync()
          }
        }
      }
    } catch let error as SystemError where error.isMissing {
      // If the store was removed, its locks were, too.
      guard try store.folder.isCurrent() else { throw ObjectStoreError.missing(path: path) }
      throw error
    }
  }

  /// Replaces the store at the path, if there is one, by a store that `fill` makes durably. While `fill` runs, no
  /// process writes to the present store.
  func replace(with fill: (Directory) throws -> Void) throws {
    let parent = try openParent()
    let builder = builder(in: parent)
    try builder.finish()
    let kind = try parent.kind(of: name)
    let present = kind == .directory ? try parent.directoryIfPresent(name, isPrivate: true) : nil
    if kind != nil {
      guard let present, try present.exists(StoreDescription.fileName) || present.entries().isEmpty else {
        throw ObjectStoreError.notAStore(path: path)
      }
    }
    try withoutWriters(present?.directoryIfPresent(JournaledFolder.journalFolder)) {
      // Another process may have replaced or removed the store before the lock was acquired.
      guard try parent.identity(of: name) == present?.identity() else {
        throw ObjectStoreError.storage(path: path, reason: "another process replaced it meanwhile", isTransient: true)
      }
      try builder.replace(with: fill)
    }
  }
}
