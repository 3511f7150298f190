import Platform
import Storage

/// A cloud that was copied, or came from elsewhere: it may be an earlier state of one that went on, and nobody can tell.
/// Tokens and tags of what became of that one must mean nothing here, so that all histories branch before anything is read.
///
/// `.origin` says which file `cloud.json` is and when it was last touched: a copy's is another one, and one that was
/// written over it has another time, which no program can set. A cloud that was moved within its file system is no copy.
extension Cloud {
  package static let originName = ".origin"
  /// What becomes `.origin` once all histories have branched.
  static let arrivalName = ".arrival"

  /// Brings a cloud that was just opened into a state to be read.
  func settle(_ patience: LockWaitPolicy) throws {
    // Who may not write takes it as it is, and so does who finds the disk full: the next one tries again.
    guard try !isOriginal(), try root.isWritable() else { return try recoverAfterBoot(patience) }
    do { try lock.withExclusive(patience) { if try !isOriginal() { try restoreFolders() } } } catch let error
      as SystemError
      where !error.isStopped
    {}
    try recoverAfterBoot(patience)
    do {
      try lock.withExclusive(patience) {
        // Another process may have been first, or killed at it.
        let object = try Self.readMarker(in: root)
        marker.withLock { $0 = object }
        if try !isOriginal() { try branchAll(patience) }
      }
    } catch let error as SystemError where !error.isStopped {}
  }

  private func isOriginal() throws -> Bool {
    do { return try Self.describesMarker(Self.originName, in: root) } catch {
      // Somebody else's says nothing.
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

  /// What copies often lack: empty folders, and what begins with a dot.
  private func restoreFolders() throws {
    try restoreParts()
    try forEachZone { path in
      guard let zone = try database(path.database)?.directory.directory(at: ["zones", path.fileName]),
        try zone.exists("zone.json")
      else { return }
      try ZoneStore.restoreFolders(in: zone)
    }
  }

  private func branchAll(_ patience: LockWaitPolicy) throws {
    var id = properties["branch"]?.string
    if id == nil || !((try? Self.describesMarker(Self.arrivalName, in: root)) ?? false) {
      id = hexadecimal(HostProcess.randomBytes(4))
      var object = properties
      object["branch"] = id.map { .string($0) }
      // Databases' tokens bear the cloud's history.
      object["history"] = .string(hexadecimal(HostProcess.randomBytes(8)))
      try Self.replaceMarker(object, in: root)
      marker.withLock { $0 = object }
      try Self.describeMarker(Self.arrivalName, in: root)
    }
    guard let id else { return }
    try forEachZone { path in
      do { try zone(path)?.branch(id, patience) } catch StoreError.zoneMissing {
      } catch StorageError.damaged, StorageError.nameCollision {
        // It is for repair, which begins a history of its own where tokens can't be believed.
      } catch let error as SystemError where error.isForeign {
      }
    }
    try root.rename(Self.arrivalName, to: root, as: Self.originName)
    try root.sync()
  }

  /// Durable when this returns.
  package static func describeMarker(_ name: String, in root: Directory) throws {
    guard let mark = try root.mark(of: markerName) else { return }
    try root.writeStaged(name + ".new", Array(mark.utf8))
    try root.file(name + ".new", .readWrite).sync()
    try root.rename(name + ".new", to: root, as: name)
    try root.sync()
  }
}

extension ZoneStore {
  /// Goes on in a history of its own, unless it does already: tokens and tags of another future mean nothing here.
  func branch(_ id: String, _ patience: LockWaitPolicy) throws {
    if try properties().histories.contains(where: { $0.id == id }) { return }
    try folder.replace("zone.json", patience) { view in
      var properties = try properties()
      properties.branch(id, after: try view.head())
      return properties.bytes
    }
  }

  /// Folders and empty files that a zone can't be opened without. Call with the root's lock alone, or from repair.
  static func restoreFolders(in zone: Directory) throws {
    for folder in ["records", "shares"] { try zone.makeDirectory(folder) }
    try JournaledFolder.restore(in: zone)
  }
}
