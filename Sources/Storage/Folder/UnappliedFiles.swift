import LocalCloudPlatform

/// The files of a folder after commits that have entries in the journal. The entries may be applied to the files
/// already, wholly or in part.
///
/// Writers plan on top of it (``PendingCommits``), and readers use it if the entries can't be applied to the files.
struct UnappliedFiles: Sendable {
  private enum Content {
    /// As on disk.
    case present
    case bytes([UInt8])
    /// The contents of the file that the observer synced under this name; those on disk if it was moved to its path.
    case source(String)
    case compaction(JournalEntry.Compaction)
    case removed
  }

  private struct Change {
    var content = Content.present
    /// The bytes from an offset on. They replace those of the content.
    var tail: (offset: Int, bytes: [UInt8])?
  }

  private var changes: [StorePath: Change] = [:]

  init(_ entries: [JournalEntry]) {
    for effect in entries.withoutSuperseded().lazy.flatMap(\.effects) {
      switch effect {
      case .replace(let path, let bytes): changes[path] = Change(content: .bytes(bytes))
      case .remove(let path): changes[path] = Change(content: .removed)
      case .move(let path, let source): changes[path] = Change(content: .source(source))
      case .compact(let compaction): changes[compaction.path] = Change(content: .compaction(compaction))
      case .append(let path, let offset, let bytes): append(bytes, at: offset, to: path)
      case .removeFolder: break
      }
    }
  }

  private mutating func append(_ bytes: [UInt8], at offset: Int, to path: StorePath) {
    var change = changes.removeValue(forKey: path) ?? Change()
    if let tail = change.tail, (tail.offset...(tail.offset + tail.bytes.count)).contains(offset) {
      change.tail?.bytes.removeLast(tail.offset + tail.bytes.count - offset)
      change.tail?.bytes += bytes
    } else {
      change.tail = (offset, bytes)
    }
    changes[path] = change
  }

  // MARK: Reading

  /// The contents of a file that is replaced or removed. The outer value is nil for any other file, the inner one if
  /// the file is removed.
  func contents(_ path: StorePath) -> [UInt8]?? {
    guard let change = changes[path], change.tail == nil else { return nil }
    switch change.content {
    case .bytes(let bytes): return .some(bytes)
    case .removed: return .some(nil)
    case .present, .source, .compaction: return nil
    }
  }

  /// The end of a log; nil if nothing is appended to it.
  func end(of log: StorePath) -> Int? { changes[log]?.tail.map { $0.offset + $0.bytes.count } }

  /// Opens a file that is changed, for reading. The outer value is nil for any other file, the inner one if there is no
  /// such file.
  func file(_ path: StorePath, in folder: JournaledFolder) throws -> File?? {
    guard let change = changes[path] else { return nil }
    let base = try file(change.content, path, in: folder)
    guard let (offset, bytes) = change.tail else { return .some(base) }
    let file = try base?.inMemory() ?? File.inMemory(path: path.text, in: folder.directory.fileSystem)
    guard try file.size() >= offset else {
      throw StorageError.damaged(
        path: file.path, reason: "it ends before byte \(offset), where its next line belongs")
    }
    try file.truncate(to: offset)
    try file.write(bytes, at: offset)
    return .some(file)
  }

  private func file(_ content: Content, _ path: StorePath, in folder: JournaledFolder) throws -> File? {
    switch content {
    case .present: return try folder.observer.log(path)?.file
    case .removed: return nil
    case .bytes(let bytes): return try memoryFile(bytes, path, in: folder)
    case .source(let name): return try folder.observer.source(name) ?? folder.observer.log(path)?.file
    case .compaction(let compaction):
      guard let log = try folder.observer.log(path) else { return nil }
      return try folder.bytes(of: compaction, from: log).map { try memoryFile($0, path, in: folder) } ?? log.file
    }
  }

  private func memoryFile(_ bytes: [UInt8], _ path: StorePath, in folder: JournaledFolder) throws -> File {
    let file = try File.inMemory(path: path.text, in: folder.directory.fileSystem)
    try file.write(bytes, at: 0)
    return file
  }

  /// The names of the files in a folder, given those on disk.
  func names(_ names: [String], in base: StorePath.Base, _ folder: [String]) -> [String] {
    var result = Set(names)
    for (path, change) in changes where path.base == base && path.components.dropLast().elementsEqual(folder) {
      if case .removed = change.content, change.tail == nil {
        result.remove(path.name)
      } else {
        result.insert(path.name)
      }
    }
    return result.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The names of the folders in a folder that hold changed files.
  func folders(in base: StorePath.Base, _ folder: [String]) -> Set<String> {
    var result: Set<String> = []
    for (path, change) in changes
    where path.base == base && path.components.count > folder.count + 1 && path.components.starts(with: folder) {
      if case .removed = change.content, change.tail == nil { continue }
      result.insert(path.components[folder.count])
    }
    return result
  }
}
