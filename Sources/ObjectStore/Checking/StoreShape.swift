import LocalCloudPlatform
import LocalCloudStorage

/// The entries of a store's folder by name: those of a store, and others.
struct StoreShape {
  private let folder: StoreFolder

  init(_ folder: StoreFolder) { self.folder = folder }

  /// Throws ``SystemError`` for a folder that can't be read.
  func strays() throws -> [Stray] {
    let directory = folder.directory
    let known = Set(
      [
        JournaledFolder.indexFolder, JournaledFolder.journalFolder, JournaledFolder.lockName, StoreFolder.binaries,
        StoreFolder.history.name, StoreDescription.fileName, Quarantine.folder,
      ] + StoreTable.Kind.allCases.map(\.folder))
    var strays = try directory.entries().filter { !known.contains($0.name) }
      .map { Stray(folder: directory, name: $0.name, text: "nothing of a store's") }
    let tables = Set(StoreTable.all(folder.schema).map { $0.folder(folder.schema) })
    for kind in StoreTable.Kind.allCases {
      guard let folder = try directory.directoryIfPresent(kind.folder) else { continue }
      for entry in try folder.entries() {
        guard entry.kind == .directory, tables.contains([kind.folder, entry.name]) else {
          strays.append(Stray(folder: folder, name: entry.name, text: "no table of this store"))
          continue
        }
        let table = try folder.directory(entry.name)
        strays += try table.entries()
          .filter { $0.kind != .file || StoreTable.segment(named: $0.name) == nil }
          .map { Stray(folder: table, name: $0.name, text: "no segment of this table") }
      }
    }
    return strays
  }

  /// The paths of the folders that a store has, and of the files with fixed names.
  private static let folders =
    [
      [JournaledFolder.indexFolder], [JournaledFolder.journalFolder],
      [JournaledFolder.journalFolder, JournaledFolder.stagedFolder],
      [JournaledFolder.journalFolder, StoreFolder.incoming], [StoreFolder.binaries],
    ] + StoreTable.Kind.allCases.map { [$0.folder] }
  private static let files =
    [[StoreFolder.history.name], [JournaledFolder.indexFolder, JournaledFolder.indexName]] + lockFiles
    + [StoreFolder.mirroringLock, StoreFolder.mirroringGate].map { [JournaledFolder.journalFolder, $0] }
  /// The files that are required to open and lock a store.
  private static let lockFiles =
    [[JournaledFolder.lockName]]
    + [JournaledFolder.journalName, JournaledFolder.gateName, StoreFolder.rootLock, StoreFolder.rootGate].map {
      [JournaledFolder.journalFolder, $0]
    }

  /// Whether a store's folder has all folders and files that are required to open and lock the store, and no entry of
  /// another kind under one of the names of a store.
  static func isFurnished(_ directory: Directory) throws -> Bool {
    guard try misfits(in: directory).isEmpty else { return false }
    for path in lockFiles + [[JournaledFolder.journalFolder, JournaledFolder.stagedFolder]] {
      guard let name = path.last, try directory.directory(at: path.dropLast())?.kind(of: name) != nil else {
        return false
      }
    }
    return true
  }

  /// Finds entries that have the name of one of the store's folders or files but are of another kind. They prevent
  /// opening the store.
  static func misfits(in directory: Directory) throws -> [Stray] {
    var found: [Stray] = []
    for (paths, kind) in [(folders, Directory.Kind.directory), (files, .file)] {
      for path in paths {
        guard let name = path.last,
          !found.contains(where: { path.starts(with: [$0.name]) && $0.folder === directory }),
          let folder = try directory.directory(at: path.dropLast()), let present = try folder.kind(of: name),
          present != kind
        else { continue }
        found.append(Stray(folder: folder, name: name, text: kind == .file ? "it is not a file" : "it is not a folder"))
      }
    }
    return found
  }
}
