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
    do { return try openOrMake(schema) } catch { throw described(error) }
  }

  private func described(_ error: any Error) -> ObjectStoreError {
    let translated = ObjectStoreError.translated(error)
    return translated as? ObjectStoreError ?? .storage(path: path, reason: "\(translated)", isTransient: false)
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
    } catch let error as ObjectStoreError { throw error } catch let error as SystemError {
      throw error.isMissing ? .missing(path: path) : ObjectStoreError.translated(error)
    } catch { throw .storage(path: path, reason: "\(error)", isTransient: false) }
  }

  private func openOrMake(_ schema: StoreSchema) throws -> (files: StoreFolder, folder: JournaledFolder) {
    guard !name.isEmpty, name != ".", name != ".." else { throw ObjectStoreError.notAStore(path: path) }
    let parent = try openParent()
    // Another process may be making or removing the store.
    for _ in 0..<100 {
      if let found = try openIfPresent(in: parent, schema) { return found }
      if options.isReadOnly { throw ObjectStoreError.missing(path: path) }
      let making = StoreMaking(parent, name, LockWaitPolicy(seconds: options.lockTimeout))
      try making.make(StoreDescription(identifier: Self.newIdentifier(), schema: schema))
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

  /// Removes the store, which first gets a hidden name: no process sees half of one.
  func destroy() throws {
    guard let parent = try? Directory.open(path: parentPath, in: fileSystem), let kind = try parent.kind(of: name)
    else {
      return
    }
    guard kind == .directory, let directory = try parent.directoryIfPresent(name),
      let bytes = try directory.contents(StoreDescription.fileName)
    else { throw ObjectStoreError.notAStore(path: path) }
    let aside = ".removed-" + (try StoreDescription(bytes, path: path).identifier)
    let journal = try directory.directoryIfPresent(JournaledFolder.journalFolder)
    let remove = {
      try parent.rename(name, to: parent, as: aside)
      try parent.sync()
      try parent.removeTree(aside)
    }
    guard let journal else { return try remove() }
    // Not while another process writes.
    try RootLock(journal, StoreFolder.rootLock, gate: StoreFolder.rootGate)
      .withExclusive(LockWaitPolicy(seconds: options.lockTimeout), remove)
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

  private static func newIdentifier() -> String {
    var bytes = HostProcess.randomBytes(16)
    // A random UUID: version 4, variant 1.
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(hexadecimal(bytes).uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
