import LocalCloudPlatform
import LocalCloudStorage

/// Handling of a copied cloud. It may be an earlier state of a cloud that was changed since then; this can't be
/// detected. Tokens and tags of that cloud's later states must be invalid here, so all histories branch before any file
/// is read.
///
/// `.origin` identifies the file `cloud.json` and its last change: a copy is another file, and an overwritten file has
/// another time, and no program can set that time. A cloud that was moved within its file system is not a copy.
extension Cloud {
  /// Returns `count` bytes for the name of a copy's histories, given the history of the copied cloud.
  package typealias BranchName = @Sendable (_ history: String, _ count: Int) -> [UInt8]

  package static let originName = ".origin"
  /// The file that is renamed to `.origin` once all histories have branched.
  static let arrivalName = ".arrival"

  /// Prepares a cloud that was just opened for reading: finishes a restore of a snapshot, restores the folders and
  /// branches the histories of a copy, and recovers after a boot.
  func prepare(_ waitPolicy: LockWaitPolicy) throws {
    try finishRestore(waitPolicy)
    // A process that may not write uses the cloud unchanged, and so does one with a full disk: the next one tries
    // again.
    guard try !isOriginal(), try root.isWritable() else { return try recoverAfterBoot(waitPolicy) }
    var hasFolders = false
    do {
      try lock.withExclusive(waitPolicy, isOpening: true) { if try !isOriginal() { try restoreFolders() } }
      hasFolders = true
    } catch let error as SystemError where !error.isStopped {}
    try recoverAfterBoot(waitPolicy)
    // Otherwise the zones that lack a file would keep their histories, and never get the file.
    guard hasFolders else { return }
    do {
      try lock.withExclusive(waitPolicy, isOpening: true) {
        // Another process may have done it already, or was killed while doing it.
        try marker.reload()
        if try !isOriginal() { try branchAll(waitPolicy) }
      }
    } catch let error as SystemError where !error.isStopped {}
  }

  private func isOriginal() throws -> Bool {
    do { return try Self.describesMarker(Self.originName, in: root) } catch {
      // A file that this process may not read proves nothing.
      if error.isDenied { return true }
      guard error.isForeign else { throw error }
      return false
    }
  }

  /// Whether a file was written for the present `cloud.json`.
  package static func describesMarker(_ name: String, in root: Directory) throws(SystemError) -> Bool {
    guard let text = try root.contents(name), let mark = try root.mark(of: markerName) else { return false }
    return text == Array(mark.utf8)
  }

  /// Restores entries that copies often lack: empty folders, and entries with names that begin with a dot.
  private func restoreFolders() throws {
    try restoreParts()
    try forEachZone { path in
      guard let zone = try database(path.database)?.directory.directory(at: ["zones", path.fileName]),
        try zone.exists("zone.json")
      else { return }
      try ZoneStore.restoreFolders(in: zone)
    }
  }

  private func branchAll(_ waitPolicy: LockWaitPolicy) throws {
    var id = properties["branch"]?.string
    if id == nil || !((try? Self.describesMarker(Self.arrivalName, in: root)) ?? false) {
      var object = properties
      let drawn = branchName(object["history"]?.string ?? "", 12)
      id = hexadecimal(Array(drawn.prefix(4)))
      object["branch"] = id.map { .string($0) }
      // The tokens of databases contain the cloud's history.
      object["history"] = .string(hexadecimal(Array(drawn.dropFirst(4))))
      try Self.replaceMarker(object, in: root)
      try marker.reload()
      try Self.describeMarker(Self.arrivalName, in: root)
    }
    guard let id else { return }
    try forEachZone { path in
      do { try zone(path)?.branch(id, waitPolicy) } catch StoreError.zoneMissing {
      } catch StorageError.damaged, StorageError.nameCollision {
        // Repair handles the zone, and begins a history of its own if tokens can't be trusted.
      } catch let error as SystemError where error.isForeign {
      }
    }
    try root.rename(Self.arrivalName, to: root, as: Self.originName)
    try root.sync()
  }

  /// Writes a file that describes the present `cloud.json`. It is durable when this returns.
  package static func describeMarker(_ name: String, in root: Directory) throws {
    guard let mark = try root.mark(of: markerName) else { return }
    try root.writeStaged(name + ".new", Array(mark.utf8))
    try root.file(name + ".new", .readWrite).sync()
    try root.rename(name + ".new", to: root, as: name)
    try root.sync()
  }
}

extension ZoneStore {
  /// Begins another history, unless that was done already: tokens and tags of another branch are invalid here.
  func branch(_ id: String, _ waitPolicy: LockWaitPolicy) throws {
    if try properties().histories.contains(where: { $0.id == id }) { return }
    try folder.replace("zone.json", waitPolicy) { view in
      var properties = try properties()
      properties.branch(id, after: try view.head())
      return properties.bytes
    }
  }

  /// Restores the folders and empty files that are required to open a zone. Call with the exclusive root lock, or from
  /// repair.
  static func restoreFolders(in zone: Directory) throws {
    for folder in ["records", "shares"] { try zone.makeDirectory(folder) }
    try JournaledFolder.restore(in: zone)
  }
}
