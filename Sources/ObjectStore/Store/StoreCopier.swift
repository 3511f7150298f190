import LocalCloudPlatform
import LocalCloudStorage

/// Copies a store to another path, as it is after its last commit.
///
/// Writers of the store wait during the copy; readers don't. The copy has the same UUID, history and metadata. Derived
/// files are copied, too, so that the copy can be used at once.
struct StoreCopier {
  private let source: ObjectStore
  private let waitPolicy: LockWaitPolicy

  /// Files are read in pieces of this size.
  private static let piece = 1 << 20

  init(_ source: ObjectStore) {
    self.source = source
    waitPolicy = source.waitPolicy
  }

  /// Copies to a folder that has nothing in it but the journal's folder, with a lock file.
  func fill(_ folder: Directory) throws {
    try source.folder.read(waitPolicy) { view in
      let from = source.files.directory
      // The read may run more than once.
      for entry in try folder.entries() where entry.name != JournaledFolder.journalFolder {
        try folder.remove(entry)
      }
      for name in StoreTable.Kind.allCases.map(\.folder) + [StoreFolder.binaries] {
        try folder.makeDirectory(name)
        try copy([name], in: view, from.directoryIfPresent(name), to: folder.directory(name))
      }
      try copyIndex(of: view, to: folder)
      try copy(StoreFolder.history, in: view, to: folder)
      try JournaledFolder.restore(in: folder)
      try StoreBuilder.furnishJournal(of: folder)
      // With it, the folder is a store.
      try copy(StoreFolder.document, in: view, to: folder)
    }
    try folder.file(StoreDescription.fileName, .readWrite).syncFileSystem()
  }

  /// Without an index that can be used, the copy has none: it is made when the copy is read.
  private func copyIndex(of view: FolderView, to folder: Directory) throws {
    try folder.makeDirectory(JournaledFolder.indexFolder)
    let index: IndexFile
    do { index = try view.index() } catch is IndexUnusable { return } catch StorageError.damaged { return }
    let target = try folder.directory(JournaledFolder.indexFolder).createFile(JournaledFolder.indexName)
    try index.copy { try target.write($0, at: $1) }
  }

  /// Copies the files of a folder and of those below it. `from`: the folder on disk; nil if there is none.
  private func copy(_ path: [String], in view: FolderView, _ from: Directory?, to folder: Directory) throws {
    let entries = try from?.entries() ?? []
    let files = entries.filter { $0.kind == .file }.map(\.name)
    for name in view.names(files, in: .store, path) { try copy(StorePath(.store, path + [name]), in: view, to: folder) }
    var folders = Set(entries.lazy.filter { $0.kind == .directory }.map(\.name))
    folders.formUnion(view.folders(in: .store, path))
    for name in folders.sorted() {
      try folder.makeDirectory(name)
      try copy(path + [name], in: view, from?.directoryIfPresent(name), to: folder.directory(name))
    }
  }

  private func copy(_ path: StorePath, in view: FolderView, to folder: Directory) throws {
    guard let file = try view.openFile(path) else { throw source.files.missing(path) }
    try copy(file, to: folder, as: path.name)
  }

  private func copy(_ file: File, to folder: Directory, as name: String) throws {
    let target = try folder.createFile(name)
    var offset = 0
    while case let bytes = try file.read(at: offset, count: Self.piece), !bytes.isEmpty {
      try target.write(bytes, at: offset)
      offset += bytes.count
    }
  }
}

extension ObjectStore {
  /// Copies this store to a path. If a store is at the path, the copy replaces it, and a process that has that store
  /// open gets an error at its next access.
  ///
  /// - Throws: ``ObjectStoreError``.
  package func copy(to path: String, in fileSystem: FileSystem = FileSystem()) throws(ObjectStoreError) {
    do { try copying(to: path, in: fileSystem) } catch { throw ObjectStoreError(error, path: path) }
  }

  /// Like ``copy(to:in:)``, with the errors of the lower layers.
  package func copying(to path: String, in fileSystem: FileSystem = FileSystem()) throws {
    let copier = StoreCopier(self)
    try StoreOpener(path, Options(), fileSystem).replace { try copier.fill($0) }
  }
}
