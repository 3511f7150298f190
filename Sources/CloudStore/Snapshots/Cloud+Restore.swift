import LocalCloudPlatform
import LocalCloudStorage

/// The restore of a snapshot: the folders of the tree are replaced by copies of the snapshot's.
///
/// The commit point is a marker with the member `restoring` ([restore-2]). Before it, the cloud is the former one, and
/// the copies wait in `.restored`. After it, every process that opens the cloud first finishes the renames. The restored
/// cloud counts as a copy, so all histories branch: no token or change tag of the former cloud, or of an earlier
/// restore, is valid in it.
extension Cloud {
  static let restoredName = ".restored"
  /// The beginning of the name of the folder that holds the former cloud until it is removed.
  static let replacedPrefix = ".replaced-"
  private static let restoring = "restoring"

  /// Replaces the cloud by a snapshot. This object, and all others of the former cloud, then refuse to write
  /// (``StoreError/replaced(path:)``); the next request of each program opens the restored cloud.
  ///
  /// - Throws: ``StoreError/snapshotMissing(_:)``; then, and after any other error but one of the restored cloud itself,
  ///   the cloud is unchanged.
  package func restoreSnapshot(_ name: String, _ waitPolicy: LockWaitPolicy) throws {
    guard let folder = try recoveredSnapshots(waitPolicy), try folder.exists(FileName.encode(name)) else {
      throw StoreError.snapshotMissing(name)
    }
    try lock.withExclusive(waitPolicy) {
      try UnfinishedSnapshot.recover(folder)
      try removeReplaced(waitPolicy)
      try root.removeTree(Self.restoredName)
      let present = properties
      do {
        try withTree(of: .snapshot(name), waitPolicy) { try stage($0, $1.marker, replacing: present) }
        var object = present
        object[Self.restoring] = true
        try Self.replaceMarker(object, in: root)
      } catch {
        // If the marker was replaced, the next process finishes the restore.
        if marker.isCurrent { try? root.removeTree(Self.restoredName) }
        throw error
      }
      try swap()
    }
    // From here on the root holds the restored cloud. Each failure leaves work that the next process does.
    try? removeReplaced(waitPolicy)
    _ = try Cloud(
      path: path, limits: limits, fieldEncoding: fieldEncoding, observer: observer, branchName: branchName,
      in: fileSystem)
  }

  /// Copies the snapshot to `.restored`, with the marker that the restored cloud gets, and makes it durable.
  private func stage(_ snapshot: Directory, _ marker: JSONObject, replacing present: JSONObject) throws {
    try root.makeDirectory(Self.restoredName)
    let target = try root.directory(Self.restoredName)
    var copy = TreeCopy()
    try copy.copyParts(of: snapshot, to: target)
    var object = marker
    object[Self.restoring] = nil
    // The name of the history that the restored cloud draws depends on this one. Two restores of one snapshot must not
    // draw the same.
    let histories = [present, marker].map { $0["history"]?.string ?? "" }.joined(separator: "/")
    object["history"] = .string(Digest.hex64(Array(histories.utf8)))
    try target.writeStaged(Self.markerName, JSONValue.object(object).pretty())
    try target.file(Self.markerName, .readWrite).syncFileSystem()
  }

  /// Renames the former folders away and the copies to their names, as far as that is not done yet. Call with the exclusive
  /// lock of the root, after the commit point.
  private func swap() throws {
    try root.remove(Self.originName)
    let old = try root.makingDirectory(at: [Self.replacedPrefix + (properties["history"]?.string ?? "")])
    let new = try root.directory(Self.restoredName)
    for part in Self.parts where try new.exists(part) {
      if try root.exists(part) { try root.rename(part, to: old, as: part) }
      try new.rename(part, to: root, as: part)
    }
    // The marker comes last: without `restoring`, all folders are the restored ones.
    try root.sync()
    try new.rename(Self.markerName, to: root, as: Self.markerName)
    try root.sync()
    try root.removeTree(Self.restoredName)
  }

  /// Finishes the restore of a killed process, while the cloud is opened.
  func finishRestore(_ waitPolicy: LockWaitPolicy) throws {
    guard properties[Self.restoring] != nil else { return }
    try lock.withExclusive(waitPolicy, isOpening: true) {
      try marker.reload()
      if properties[Self.restoring] != nil { try swap() }
      try marker.reload()
    }
    try? removeReplaced(waitPolicy)
  }

  /// Removes the folders of former clouds. A program that still reads a zone of one holds that zone's lock, and is
  /// awaited; a later reader finds the zone missing.
  private func removeReplaced(_ waitPolicy: LockWaitPolicy) throws {
    for entry in try root.entries() where entry.kind == .directory && entry.name.hasPrefix(Self.replacedPrefix) {
      try removeZones(of: root.directory(entry.name), at: [], waitPolicy)
      try root.removeTree(entry.name)
    }
  }

  private func removeZones(of folder: Directory, at path: [String], _ waitPolicy: LockWaitPolicy) throws {
    for entry in try folder.entries() where entry.kind == .directory && !entry.name.hasPrefix(".") {
      let here = path + [entry.name]
      let child = try folder.directory(entry.name)
      if try ZonePath(folder: here, properties: { try child.contents("zone.json") }) == nil {
        if here[0] == "containers" { try removeZones(of: child, at: here, waitPolicy) }
        continue
      }
      var held: HeldLock?
      if let journal = try child.directoryIfPresent(JournaledFolder.journalFolder) {
        held = try? FairLock(child, JournaledFolder.lockName, gate: (journal, JournaledFolder.gateName))
          .acquire(.exclusive, waitPolicy)
      }
      defer { held?.release() }
      try folder.removeTree(entry.name)
    }
  }
}
