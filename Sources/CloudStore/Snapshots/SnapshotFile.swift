import LocalCloudPlatform
import LocalCloudStorage

/// A snapshot as one file: JSON Lines ([snapshot-5]).
///
/// The first line has the snapshot's description. A line for each part of a file follows: the path, the offset of the
/// part unless it is 0, and the bytes as `text` or, if they are not UTF-8, as `base64`. The last line has the number of
/// files, and a digest of all lines before it.
enum SnapshotFile {
  static let format = "localcloud-snapshot"
  static let version: Int64 = 1
  /// The greatest number of bytes in one line.
  static let partBytes = 1 << 20
}

extension Cloud {
  /// Calls `write` with each line of the file, its newline included.
  ///
  /// - Throws: ``StoreError/snapshotMissing(_:)``, or the error of `write`.
  package func exportSnapshot(_ name: String, _ write: ([UInt8]) throws -> Void) throws {
    try withTree(of: .snapshot(name), LockWaitPolicy()) { tree, snapshot in
      try withoutActuallyEscaping(write) { write in
        var writer = SnapshotFileWriter(write: write)
        try writer.write([
          "format": .string(SnapshotFile.format), "snapshot": try JSONValue(parsing: snapshot.bytes),
          "version": .integer(SnapshotFile.version),
        ])
        for part in Cloud.parts { try writer.writeFolder(part, of: tree, at: [part]) }
        try writer.end()
      }
    }
  }

  /// Makes a snapshot from the lines of such a file.
  ///
  /// - Parameters:
  ///   - name: nil for the name that the snapshot had.
  ///   - nextLine: returns the next line without its newline, nil at the end. No lock is held while it is called.
  /// - Throws: ``StoreError/badSnapshotFile(line:reason:)``, ``StoreError/snapshotExists(_:)``, or the error of
  ///   `nextLine`; then there is no new snapshot.
  package func importSnapshot(
    as name: String?, replacing: Bool, _ waitPolicy: LockWaitPolicy, nextLine: () throws -> [UInt8]?
  ) throws -> Snapshot {
    try root.makeDirectory(Self.snapshotsName)
    let folder = try root.directory(Self.snapshotsName)
    let new = try UnfinishedSnapshot(in: folder)
    defer { new.discard() }
    var snapshot = try Self.readSnapshot(into: new.tree, nextLine: nextLine)
    if let name { snapshot.name = name }
    try new.tree.writeStaged(Snapshot.fileName, snapshot.bytes)
    try lock.withExclusive(waitPolicy) {
      try UnfinishedSnapshot.recover(folder)
      if try !replacing && folder.exists(FileName.encode(snapshot.name)) {
        throw StoreError.snapshotExists(snapshot.name)
      }
      try new.finish(as: snapshot.name)
    }
    return snapshot
  }

  /// Reads the lines of a snapshot's file into an empty folder.
  static func readSnapshot(into tree: Directory, nextLine: () throws -> [UInt8]?) throws -> Snapshot {
    var reader = SnapshotFileReader(into: tree)
    while let line = try nextLine() { try reader.read(line) }
    return try reader.end()
  }
}

private struct SnapshotFileWriter {
  let write: ([UInt8]) throws -> Void
  private var digest = StreamingDigest()
  private var files: Int64 = 0

  init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  mutating func write(_ object: JSONObject) throws {
    let line = JSONValue.object(object).compact() + [UInt8(ascii: "\n")]
    digest.add(line)
    try write(line)
  }

  mutating func end() throws { try write(["digest": .string(digest.hex128), "files": .integer(files)]) }

  mutating func writeFolder(_ name: String, of parent: Directory, at path: [String]) throws {
    guard let folder = try parent.directoryIfPresent(name) else { return }
    for entry in try folder.entries() where TreeCopy.isPrimary(entry.name, in: path) {
      let here = path + [entry.name]
      switch entry.kind {
      case .directory: try writeFolder(entry.name, of: folder, at: here)
      case .file: try writeFile(folder.file(entry.name), here, permissions: folder.permissions(of: entry.name))
      case .other: break
      }
    }
  }

  private mutating func writeFile(_ file: File, _ path: [String], permissions: UInt32?) throws {
    files += 1
    var offset = 0
    while true {
      let bytes = try file.read(at: offset, count: SnapshotFile.partBytes)
      if bytes.isEmpty && offset > 0 { return }
      var object: JSONObject = ["path": .string(path.joined(separator: "/"))]
      if offset > 0 { object["offset"] = .integer(Int64(offset)) }
      if let text = String(validating: bytes, as: UTF8.self) {
        object["text"] = .string(text)
      } else {
        object["base64"] = .string(bytes.base64Text)
      }
      if let permissions, permissions & 0o077 == 0 { object["private"] = true }
      try write(object)
      offset += bytes.count
      if bytes.count < SnapshotFile.partBytes { return }
    }
  }
}

private struct SnapshotFileReader {
  private let tree: Directory
  private var digest = StreamingDigest()
  private var line = 0
  private var files: Int64 = 0
  private var snapshot: Snapshot?
  private var isEnded = false
  /// The file that the last line wrote to, and its size.
  private var open: (path: String, file: File, size: Int)?

  init(into tree: Directory) { self.tree = tree }

  private func bad(_ reason: String) -> StoreError { .badSnapshotFile(line: line, reason: reason) }

  mutating func read(_ bytes: [UInt8]) throws {
    line += 1
    guard let object = (try? JSONValue(parsing: bytes))?.object else { throw bad("it is not a JSON object") }
    guard !isEnded else { throw bad("it follows the last line") }
    if snapshot == nil {
      try readHeader(object)
    } else if let digest = object["digest"] {
      guard digest.string == self.digest.hex128, object["files"]?.integer == files else {
        throw bad("the file was changed, or a part of it is missing")
      }
      isEnded = true
    } else {
      try readPart(object)
    }
    digest.add(bytes + [UInt8(ascii: "\n")])
  }

  func end() throws -> Snapshot {
    guard let snapshot, isEnded else {
      throw StoreError.badSnapshotFile(line: line, reason: "the file ends too early")
    }
    return snapshot
  }

  private mutating func readHeader(_ object: JSONObject) throws {
    guard object["format"]?.string == SnapshotFile.format, let version = object["version"]?.integer else {
      throw bad("it is not the first line of a snapshot's file")
    }
    guard version <= SnapshotFile.version else {
      throw StoreError.snapshotFileTooNew(found: version, known: SnapshotFile.version)
    }
    guard let description = object["snapshot"] else { throw bad("it does not describe the snapshot") }
    do {
      snapshot = try Snapshot(parsing: description.compact(), path: Snapshot.fileName)
    } catch StoreError.snapshotDamaged(_, let reason) {
      throw bad(reason)
    }
    for part in Cloud.parts { try tree.makeDirectory(part) }
  }

  private mutating func readPart(_ object: JSONObject) throws {
    guard let path = object["path"]?.string, let bytes = contents(object) else {
      throw bad("it holds no part of a file")
    }
    if let offset = object["offset"] {
      guard var open, open.path.hasSameBytes(as: path), offset.integer == Int64(open.size) else {
        throw bad("it does not continue the file of the line before")
      }
      try open.file.write(bytes, at: open.size)
      open.size += bytes.count
      self.open = open
      return
    }
    let components = try components(of: path)
    let folder = try tree.makingDirectory(at: components.dropLast())
    guard let name = components.last, try !folder.exists(name) else { throw bad("the file is there twice: \(path)") }
    let file = try folder.createFile(name, mode: object["private"] == true ? 0o600 : 0o666, exclusively: true)
    try file.write(bytes, at: 0)
    open = (path, file, bytes.count)
    files += 1
  }

  private func contents(_ object: JSONObject) -> [UInt8]? {
    if let text = object["text"]?.string { return Array(text.utf8) }
    return object["base64"]?.string.flatMap { [UInt8](base64Text: $0) }
  }

  /// The names of a path that may be made below the snapshot: nothing outside of it, and no file that a cloud keeps for
  /// itself.
  private func components(of path: String) throws -> [String] {
    let components = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var folders: [String] = []
    for component in components {
      guard !component.isEmpty, component.utf8.count < 256, !component.utf8.contains(0),
        TreeCopy.isPrimary(component, in: folders)
      else { throw bad("a cloud has no such file: \(path)") }
      folders.append(component)
    }
    guard (2...12).contains(components.count), Cloud.parts.contains(components[0]) else {
      throw bad("a cloud has no such file: \(path)")
    }
    return components
  }
}
