import Platform
import Storage

/// Opens a store, or makes one.
struct StoreOpening {
  private let path: String
  private let options: ObjectStore.Options
  private let fileSystem: FileSystem
  private let parentPath: String
  private let name: String

  init(_ path: String, _ options: ObjectStore.Options, _ fileSystem: FileSystem) {
    self.path = path
    self.options = options
    self.fileSystem = fileSystem
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    name = parts.popLast() ?? ""
    parentPath = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
  }

  func open(_ schema: StoreSchema) throws(ObjectStoreError) -> (files: StoreFolder, folder: JournaledFolder) {
    do { return try openOrMake(schema) } catch { throw ObjectStoreError(error, path: path) }
  }

  /// What `store.json` has.
  func storedDescription() throws(ObjectStoreError) -> StoreDescription {
    do {
      let parent = try Directory.open(path: parentPath, in: fileSystem)
      try making(in: parent).finish()
      guard let kind = try parent.kind(of: name) else { throw ObjectStoreError.missing(path: path) }
      guard kind == .directory, let bytes = try parent.contents(at: [name, StoreDescription.fileName]) else {
        throw ObjectStoreError.notAStore(path: path)
      }
      return try StoreDescription(bytes, path: path)
    } catch {
      throw (error as? SystemError)?.isMissing == true ? .missing(path: path) : ObjectStoreError(error, path: path)
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

  private func openOrMake(_ schema: StoreSchema) throws -> (files: StoreFolder, folder: JournaledFolder) {
    guard !name.isEmpty, name != ".", name != ".." else { throw ObjectStoreError.notAStore(path: path) }
    let parent = try openParent()
    // Another process may be making or removing the store.
    for _ in 0..<100 {
      if let found = try openIfPresent(in: parent, schema) { return found }
      if try making(in: parent).finish() { continue }
      if options.isReadOnly { throw ObjectStoreError.missing(path: path) }
      let identifier = randomUUID(of: HostProcess.randomBytes(16)).uppercased()
      var description = StoreDescription(identifier: identifier, schema: schema)
      description.metadata = options.newMetadata
      try making(in: parent).make(description)
    }
    throw ObjectStoreError.storage(path: path, reason: "it comes and goes", isTransient: true)
  }

  private func making(in parent: Directory) -> StoreMaking { StoreMaking(parent, name, waitPolicy) }

  private var waitPolicy: LockWaitPolicy { LockWaitPolicy(seconds: options.lockTimeout) }

  private func openParent() throws -> Directory {
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
    in parent: Directory, _ schema: StoreSchema
  ) throws -> (files: StoreFolder, folder: JournaledFolder)? {
    guard let kind = try parent.kind(of: name) else { return nil }
    guard kind == .directory, let directory = try parent.directoryIfPresent(name, isPrivate: true) else {
      throw ObjectStoreError.notAStore(path: path)
    }
    guard let bytes = try directory.contents(StoreDescription.fileName) else {
      if try directory.entries().isEmpty { return nil }
      throw ObjectStoreError.notAStore(path: path)
    }
    let description = try StoreDescription(bytes, path: path)
    try requireSameModel(description.schema, schema)
    // If files can't be removed or closed to other users now, another process that opens the store does so.
    if !options.isReadOnly {
      do { try making(in: parent).tidy() } catch let error as SystemError where !error.isStopped {}
      do { try parent.makePrivate(name) } catch  where !error.isStopped {}
    }
    if try directory.directoryIfPresent(JournaledFolder.journalFolder) == nil {
      // A copy may lack what is hidden; all of it follows from the rest.
      try JournaledFolder.restore(in: directory)
    }
    return try open(directory, in: parent, description, schema)
  }

  private func open(
    _ directory: Directory, in parent: Directory, _ description: StoreDescription, _ schema: StoreSchema
  ) throws -> (files: StoreFolder, folder: JournaledFolder) {
    let files = try StoreFolder(directory, description, schema, options.segmentLimits)
    let rootLock = RootLock(files.journalDirectory, StoreFolder.rootLock, gate: StoreFolder.rootGate)
    let folder = try JournaledFolder(
      directory, journalDirectory: files.journalDirectory, in: parent, as: name, rootLock: rootLock,
      limits: options.limits, client: files)
    return (files, folder)
  }

  /// Equal hashes mean that equal values are stored. Indexes may differ, which the index is made anew for.
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

  /// `isForced`: whether a store is removed that other processes don't let go, or that is damaged.
  func destroy(isForced: Bool) throws(ObjectStoreError) {
    do { try removeIfPresent(isForced) } catch { throw ObjectStoreError(error, path: path) }
  }

  private func removeIfPresent(_ isForced: Bool) throws {
    guard let parent = try presentParent() else { return }
    guard let kind = try parent.kind(of: name) else { return try making(in: parent).forget() }
    guard kind == .directory else { throw ObjectStoreError.notAStore(path: path) }
    guard let directory = try parent.directoryIfPresent(name, isPrivate: true) else { return }
    try making(in: parent).tidy()
    do { try remove(directory, in: parent, isForced) } catch {
      // Another process may have been faster: then the files are gone, and the locks with them.
      let isMissing = (error as? SystemError)?.isMissing ?? (error is ObjectStoreError)
      if isMissing, try parent.identity(of: name) != directory.identity() { return }
      throw error
    }
  }

  private func presentParent() throws(SystemError) -> Directory? {
    do { return try Directory.open(path: parentPath, in: fileSystem) } catch  where error.isMissing { return nil }
  }

  /// Removes the store, which first gets a hidden name: no process sees half of one.
  private func remove(_ directory: Directory, in parent: Directory, _ isForced: Bool) throws {
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
      try parent.sync()
      try parent.removeTree(aside)
    }
    // Whoever writes to it sees that it is gone.
    if isForced { return try remove() }
    // Not while another process writes.
    try withoutWriters(journal, remove)
  }

  private func withoutWriters(_ journal: Directory?, _ body: () throws -> Void) throws {
    guard let journal else { return try body() }
    try RootLock(journal, StoreFolder.rootLock, gate: StoreFolder.rootGate).withExclusive(waitPolicy, body)
  }

  /// Puts a store that `fill` makes, durably, in the place of one that is open.
  func replace(_ store: ObjectStore, with fill: (Directory) throws -> Void) throws {
    let parent = try openParent()
    // Its own lock, so that it can be read meanwhile, after what a killed process left in its journal was applied.
    try store.folder.rootLock.withExclusive(waitPolicy) {
      guard try store.folder.isCurrent() else { throw ObjectStoreError.missing(path: path) }
      try making(in: parent).replace(with: fill)
    }
  }

  /// Puts a store that `fill` makes, durably, in the place of the one that is there, or where there is none. `fill` is
  /// called while no process writes to the store that is there.
  func replace(with fill: (Directory) throws -> Void) throws {
    guard !name.isEmpty, name != ".", name != ".." else { throw ObjectStoreError.notAStore(path: path) }
    let parent = try openParent()
    let making = making(in: parent)
    try making.finish()
    let kind = try parent.kind(of: name)
    let present = kind == .directory ? try parent.directoryIfPresent(name, isPrivate: true) : nil
    if kind != nil {
      guard let present, try present.exists(StoreDescription.fileName) || present.entries().isEmpty else {
        throw ObjectStoreError.notAStore(path: path)
      }
    }
    try withoutWriters(present?.directoryIfPresent(JournaledFolder.journalFolder)) {
      // It may have been replaced, or removed, before the lock was had.
      guard try parent.identity(of: name) == present?.identity() else {
        throw ObjectStoreError.storage(path: path, reason: "another process replaced it meanwhile", isTransient: true)
      }
      try making.replace(with: fill)
    }
  }
}
