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

  /// The schema that `store.json` has.
  func storedSchema() throws(ObjectStoreError) -> StoreSchema {
    do {
      let parent = try Directory.open(path: parentPath, in: fileSystem)
      guard let kind = try parent.kind(of: name) else { throw ObjectStoreError.missing(path: path) }
      guard kind == .directory, let bytes = try parent.contents(at: [name, StoreDescription.fileName]) else {
        throw ObjectStoreError.notAStore(path: path)
      }
      return try StoreDescription(bytes, path: path).schema
    } catch {
      throw (error as? SystemError)?.isMissing == true ? .missing(path: path) : ObjectStoreError(error, path: path)
    }
  }

  private func openOrMake(_ schema: StoreSchema) throws -> (files: StoreFolder, folder: JournaledFolder) {
    guard !name.isEmpty, name != ".", name != ".." else { throw ObjectStoreError.notAStore(path: path) }
    let parent = try openParent()
    // Another process may be making or removing the store.
    for _ in 0..<100 {
      if let found = try openIfPresent(in: parent, schema) { return found }
      if options.isReadOnly { throw ObjectStoreError.missing(path: path) }
      let identifier = randomUUID(of: HostProcess.randomBytes(16)).uppercased()
      let making = StoreMaking(parent, name, LockWaitPolicy(seconds: options.lockTimeout))
      try making.make(StoreDescription(identifier: identifier, schema: schema))
    }
    throw ObjectStoreError.storage(path: path, reason: "it comes and goes", isTransient: true)
  }

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
    guard kind == .directory, let directory = try parent.directoryIfPresent(name) else {
      throw ObjectStoreError.notAStore(path: path)
    }
    guard let bytes = try directory.contents(StoreDescription.fileName) else {
      if try directory.entries().isEmpty { return nil }
      throw ObjectStoreError.notAStore(path: path)
    }
    let description = try StoreDescription(bytes, path: path)
    try requireSameModel(description.schema, schema)
    if try directory.directoryIfPresent(JournaledFolder.journalFolder) == nil {
      // A copy may lack what is hidden; all of it follows from the rest.
      try JournaledFolder.restore(in: directory)
    }
    let files = try StoreFolder(directory, description, schema, options.segmentLimits)
    let rootLock = RootLock(files.journalDirectory, StoreFolder.rootLock, gate: StoreFolder.rootGate)
    let folder = try JournaledFolder(
      directory, journalDirectory: files.journalDirectory, in: parent, as: name, rootLock: rootLock,
      limits: options.limits, client: files)
    return (files, folder)
  }

  /// Equal hashes mean that equal values are stored. Indexes may differ, which the index is made anew for.
  private func requireSameModel(_ stored: StoreSchema, _ schema: StoreSchema) throws(ObjectStoreError) {
    let hashes = { (schema: StoreSchema) in
      Dictionary(schema.entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (hashes(stored), hashes(schema))
    let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    if !differing.isEmpty { throw .otherModel(path: path, entities: differing.sorted()) }
  }

  // MARK: Removing

  func destroy() throws(ObjectStoreError) {
    do { try removeIfPresent() } catch { throw ObjectStoreError(error, path: path) }
  }

  private func removeIfPresent() throws {
    guard let parent = try presentParent(), let kind = try parent.kind(of: name) else { return }
    guard kind == .directory else { throw ObjectStoreError.notAStore(path: path) }
    guard let directory = try parent.directoryIfPresent(name) else { return }
    do { try remove(directory, in: parent) } catch {
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
  private func remove(_ directory: Directory, in parent: Directory) throws {
    guard let bytes = try directory.contents(StoreDescription.fileName) else {
      throw ObjectStoreError.notAStore(path: path)
    }
    let aside = try StoreDescription(bytes, path: path).nameOfRemoved
    let journal = try directory.directoryIfPresent(JournaledFolder.journalFolder)
    let remove = {
      // The name may be another store's by now.
      guard try parent.identity(of: name) == directory.identity() else { return }
      try parent.rename(name, to: parent, as: aside)
      try parent.sync()
      try parent.removeTree(aside)
    }
    guard let journal else { return try remove() }
    // Not while another process writes.
    try RootLock(journal, StoreFolder.rootLock, gate: StoreFolder.rootGate)
      .withExclusive(LockWaitPolicy(seconds: options.lockTimeout), remove)
  }
}
