import LocalCloudPlatform
import LocalCloudStorage

extension Cloud {
  /// Makes a cloud in a folder that does not exist yet, or is empty except for dot files.
  ///
  /// If several processes try at once, one makes the cloud. If a process was killed while making the cloud, the next
  /// one continues from its files.
  ///
  /// - Parameters:
  ///   - path: the new cloud's folder; missing parents are made.
  ///   - history: 16 hexadecimal digits, different for each cloud.
  ///   - created: milliseconds since 1970.
  /// - Throws: ``StoreError/insideACloud(path:root:)``, ``StoreError/folderNotEmpty(path:)``, or
  ///   ``StoreError/alreadyACloud(path:)`` also if another process made the cloud first.
  package static func create(
    path: String, history: String, created: Int64, in fileSystem: FileSystem = FileSystem(),
    _ waitPolicy: LockWaitPolicy = LockWaitPolicy()
  ) throws {
    let outside = try UserFile.folderAndName(of: UserFile.resolvedFolder(path)).folder
    if let outer = try Self.root(around: outside) { throw StoreError.insideACloud(path: path, root: outer) }
    try Directory.make(path: path, in: fileSystem)
    let root = try Directory.open(path: path, in: fileSystem)
    // Checked before anything is made: the folder may hold a user's files.
    try requireVacant(root)
    try RootLock(root, lockName, gate: gateName).withExclusive(waitPolicy) {
      try requireVacant(root)
      try fill(root, history: history, created: created)
    }
  }

  /// Throws unless the folder is empty, except for dot files and the entries that a creation makes first.
  private static func requireVacant(_ root: Directory) throws {
    let isVacant = try root.entries().allSatisfy { entry in
      if entry.name.hasPrefix(".") { return true }
      guard parts.contains(entry.name), entry.kind == .directory else { return false }
      return try root.directoryIfPresent(entry.name)?.entries().isEmpty ?? true
    }
    // Checked last: a cloud that was being made may be complete by now.
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
    // The marker is written last: a folder with it is a whole cloud.
    try root.writeStaged(".cloud.json.new", JSONValue.object(object).pretty())
    try root.file(".cloud.json.new", .readWrite).syncFileSystem()
    try root.rename(".cloud.json.new", to: root, as: markerName)
    // A process that is killed before this leaves a cloud that counts as a copy. That is harmless while the cloud is
    // empty.
    try describeMarker(originName, in: root)
  }
}
