import Platform
import Storage

/// Copies a store to another place, as it is after its last commit.
///
/// Writers of the store wait meanwhile; readers don't. The copy has the same UUID, history and metadata. What is derived
/// is copied, too, so that the copy can be used at once.
struct StoreCopying {
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
    try source.folder.read(waitPolicy) { _ in
      let from = source.files.directory
      // The read may run more than once.
      for entry in try folder.entries() where entry.name != JournaledFolder.journalFolder {
        try folder.remove(entry)
      }
      for name in StoreTable.Kind.allCases.map(\.folder) + [StoreFolder.binaries, JournaledFolder.indexFolder] {
        try folder.makeDirectory(name)
        if let part = try from.directoryIfPresent(name) { try Self.copy(part, to: folder.directory(name)) }
      }
      try Self.copy(StoreFolder.history.name, from, folder)
      try JournaledFolder.restore(in: folder)
      try StoreMaking.furnishJournal(of: folder)
      // With it, the folder is a store.
      try Self.copy(StoreDescription.fileName, from, folder)
    }
    try folder.file(StoreDescription.fileName, .readWrite).syncFileSystem()
  }

  private static func copy(_ from: Directory, to folder: Directory) throws {
    for entry in try from.entries() {
      switch entry.kind {
      case .file: try copy(entry.name, from, folder)
      case .directory:
        try folder.makeDirectory(entry.name)
        try copy(from.directory(entry.name), to: folder.directory(entry.name))
      default: break
      }
    }
  }

  private static func copy(_ name: String, _ from: Directory, _ folder: Directory) throws {
    let (source, target) = (try from.file(name), try folder.createFile(name))
    var offset = 0
    while case let bytes = try source.read(at: offset, count: piece), !bytes.isEmpty {
      try target.write(bytes, at: offset)
      offset += bytes.count
    }
  }
}

extension ObjectStore {
  /// Puts a copy of this store in the place of the one at a path, or where there is none. Whoever has that one open is
  /// told at the next access.
  ///
  /// Throws ``ObjectStoreError``.
  package func copy(to path: String, in fileSystem: FileSystem = FileSystem()) throws(ObjectStoreError) {
    do { try copying(to: path, in: fileSystem) } catch { throw ObjectStoreError(error, path: path) }
  }

  /// Like ``copy(to:in:)``, with the errors of the floors below.
  package func copying(to path: String, in fileSystem: FileSystem = FileSystem()) throws {
    let copying = StoreCopying(self)
    try StoreOpening(path, Options(), fileSystem).replace { try copying.fill($0) }
  }
}
