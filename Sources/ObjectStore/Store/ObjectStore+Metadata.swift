import LocalCloudPlatform
import LocalCloudStorage

extension ObjectStore {
  /// Reads the description of the store at a path.
  ///
  /// - Throws: ``ObjectStoreError``.
  package static func summary(
    _ path: String, in fileSystem: FileSystem = FileSystem()
  ) throws(ObjectStoreError) -> StoreDescription {
    try StoreOpener(path, Options(), fileSystem).presentDescription()
  }

  /// The metadata that programs store (`NSPersistentStore.metadata`), as JSON.
  package func metadata() throws -> JSONObject { try translating { try description().metadata } }

  /// Replaces the metadata in a commit of its own. The change is not in the history.
  package func setMetadata(_ metadata: JSONObject) throws {
    _ = try write { $0.metadata = metadata }
  }

  /// Gives the store another UUID. Other instances and processes must not have it open: they would continue with the
  /// former UUID.
  package func setIdentifier(_ identifier: String) throws {
    if isReadOnly { throw ObjectStoreError.readOnly(path: path) }
    try translating { try files.describe(in: folder, waitPolicy) { $0.identifier = identifier } }
  }

  /// The store's description with this metadata.
  func description(_ metadata: JSONObject, in view: FolderView) throws -> StoreDescription {
    var description = try description(view)
    description.metadata = metadata
    return description
  }

  /// The present description. If the store can be written, it has this program's schema. `view`: the store's, if the
  /// caller has the store's lock.
  private func description(_ view: FolderView? = nil) throws -> StoreDescription {
    var description = try files.description(
      view?.file(StoreFolder.document) ?? presentFile(StoreFolder.document))
    if !isReadOnly { description.schema = schema }
    return description
  }

  /// A file that a commit may replace, without a lock unless a commit is not in the files yet.
  func presentFile(_ path: StorePath) throws -> [UInt8]? {
    if try folder.isClean() { return try files.contents(path) }
    return try folder.read(waitPolicy) { try $0.file(path) }
  }
}

extension StoreFolder {
  /// Parses `store.json`. `bytes`: its contents; nil if there is no such file.
  func description(_ bytes: [UInt8]?) throws -> StoreDescription {
    guard let bytes else { throw ObjectStoreError.notAStore(path: directory.path) }
    return try StoreDescription(bytes, path: directory.path)
  }

  /// Replaces `store.json`, with the schema of this program. It may differ from the stored schema in properties that
  /// the version hashes leave out.
  func describe(
    in folder: JournaledFolder, _ waitPolicy: LockWaitPolicy, _ change: (inout StoreDescription) -> Void
  ) throws {
    try folder.replace(StoreDescription.fileName, waitPolicy) { view in
      var description = try description(view.file(Self.document))
      description.schema = schema
      change(&description)
      return description.bytes
    }
  }
}
