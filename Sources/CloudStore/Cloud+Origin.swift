import Platform

/// A cloud that was copied, or came from elsewhere: it may be an earlier state of one that went on, and nobody can tell.
/// Tokens and tags of what became of that one must mean nothing here, so that all histories branch before anything is read.
///
/// The root holds a file that knows itself from its copies. A cloud that was moved within its file system is no copy.
extension Cloud {
  package static let originName = ".origin"
  /// While histories branch: with the one that begins, for who has to finish it.
  static let arrivalName = ".arrival"

  /// Brings a cloud that was just opened into a state to be read.
  func settle(_ patience: LockPatience) throws {
    // Who may not write takes it as it is, and so does who finds the disk full: the next one tries again.
    guard try !isOriginal(), try root.isWritable() else { return try recoverAfterBoot(patience) }
    do { try lock.alone(patience) { if try !isOriginal() { try restoreFolders() } } } catch let error as SystemError
      where !error.isStopped
    {}
    try recoverAfterBoot(patience)
    do { try lock.alone(patience) { if try !isOriginal() { try branchAll(patience) } } } catch let error as SystemError
      where !error.isStopped
    {}
  }

  private func isOriginal() throws -> Bool {
    do { return try root.original(Self.originName) != nil } catch {
      // Somebody else's says nothing.
      if error.isDenied { return true }
      guard error.isForeign else { throw error }
      return false
    }
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

  private func branchAll(_ patience: LockPatience) throws {
    var id = try? root.original(Self.arrivalName)
    if id?.isEmpty ?? true {
      let new = HostProcess.randomBytes(4).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
      try root.makeOriginal(Self.arrivalName, new)
      try root.sync()
      id = new
    }
    guard let id else { return }
    try forEachZone { path in
      do { try zone(path)?.branch(id, patience) } catch StoreError.zoneMissing {
      } catch StoreError.damaged, StoreError.nameCollision {
        // It is for repair, which begins a history of its own where tokens can't be believed.
      } catch let error as SystemError where error.isForeign {
      }
    }
    try branchMarker(id)
    try root.makeOriginal(Self.originName)
    try root.remove(Self.arrivalName)
    try root.sync()
  }

  /// Databases' tokens bear the cloud's history.
  private func branchMarker(_ id: String) throws {
    var object = properties
    if object["branch"]?.string == id { return }
    object["branch"] = .string(id)
    object["history"] = .string(
      HostProcess.randomBytes(8).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined())
    try Self.replaceMarker(object, in: root)
    marker.withLock { $0 = object }
  }
}

extension ZoneStore {
  /// Goes on in a history of its own, unless it does already: tokens and tags of another future mean nothing here.
  func branch(_ id: String, _ patience: LockPatience) throws {
    if try properties().histories.contains(where: { $0.id == id }) { return }
    try exclusively(patience) { view in
      let turn = try turn.acquire(.exclusive, patience)
      defer { turn.release() }
      var properties = try view.properties()
      properties.branch(id, after: try view.head())
      // What is replayed must not bring the old one back.
      try journal.checkpoint()
      try stageDurably(properties.bytes, as: "zone.json")
      try staged.rename("zone.json", to: directory, as: "zone.json")
      try directory.sync()
    }
  }

  /// Folders and empty files that a zone can't be opened without. Call with the root's lock alone, or from repair.
  static func restoreFolders(in zone: Directory) throws {
    for folder in [".index", ".journal", "records", "shares"] { try zone.makeDirectory(folder) }
    let journal = try zone.directory(".journal")
    try journal.makeDirectory("staged")
    if !(try journal.exists(journalName)) {
      try journal.writeStaged(journalName, JournalHeader(boot: JournalHeader.noBoot).bytes)
    }
    _ = try journal.createFile(gateName)
    _ = try zone.createFile(lockName)
  }
}
