import Platform
import Storage

extension Cloud {
  /// Makes a cloud in a folder that is not there yet, or is empty but for dot files.
  ///
  /// Of several that are at it, one makes the cloud, and the others are told that it is there. One that was killed at it
  /// left nothing that the next one could not go on from.
  package static func create(
    path: String, history: String, created: Int64, in fileSystem: FileSystem = FileSystem(),
    _ patience: LockWaitPolicy = LockWaitPolicy()
  ) throws {
    let outside = try UserFile.place(of: UserFile.resolvedFolder(path)).folder
    if let outer = try Self.root(around: outside) { throw StoreError.insideACloud(path: path, root: outer) }
    try Directory.make(path: path, in: fileSystem)
    let root = try Directory.open(path: path, in: fileSystem)
    // Before anything is made in what may be a folder of somebody's.
    try requireVacant(root)
    try RootLock(root, lockName, gate: gateName).withExclusive(patience) {
      try requireVacant(root)
      try fill(root, history: history, created: created)
    }
  }

  /// Empty but for dot files, and for what a creation begins with.
  private static func requireVacant(_ root: Directory) throws {
    let isVacant = try root.entries().allSatisfy { entry in
      if entry.name.hasPrefix(".") { return true }
      guard parts.contains(entry.name), entry.kind == .directory else { return false }
      return try root.directoryIfPresent(entry.name)?.entries().isEmpty ?? true
    }
    // Looked for last: what was being made may be whole by now.
    if try root.exists(markerName) { throw StoreError.alreadyACloud(path: root.path) }
    guard isVacant else { throw StoreError.folderNotEmpty(path: root.path) }
  }

  private static func fill(_ root: Directory, history: String, created: Int64) throws {
    for folder in parts { try root.makeDirectory(folder) }
    try root.writeStaged(bootName, Array(root.fileSystem.bootIdentifier.utf8))
    let object: JSONObject = [
      "created": .string(Timestamp.text(milliseconds: created)), "formatVersion": .integer(formatVersion),
      "history": .string(history),
    ]
    // The marker comes last: a folder with it is a whole cloud.
    try root.writeStaged(".cloud.json.new", JSONValue.object(object).pretty())
    try root.file(".cloud.json.new", .readWrite).syncFileSystem()
    try root.rename(".cloud.json.new", to: root, as: markerName)
    // Whoever is killed before it leaves what counts as a copy, which is no loss while it is empty.
    try describeMarker(originName, in: root)
  }
}
