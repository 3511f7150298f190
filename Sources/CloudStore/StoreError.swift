import LocalCloudStorage

/// Errors of a cloud's tree. ``StorageError`` and ``SystemError`` are thrown as well.
package enum StoreError: Error, Sendable {
  case notACloud(path: String)
  /// A restore replaced the cloud after this process opened it.
  case replaced(path: String)
  case alreadyACloud(path: String)
  /// A new cloud would be inside another one.
  case insideACloud(path: String, root: String)
  /// A new cloud needs an empty folder.
  case folderNotEmpty(path: String)
  /// The zone does not exist, or was deleted during the wait for it.
  case zoneMissing(ZonePath)
  /// An asset of a record that was read no longer exists: the record was changed since.
  case assetGone(path: String)
  /// There is a snapshot of this name.
  case snapshotExists(String)
  /// There is no snapshot of this name.
  case snapshotMissing(String)
  /// A line of a snapshot's portable file is not valid. The first line is 1.
  case badSnapshotFile(line: Int, reason: String)
  /// A file of a snapshot is of a later version.
  case snapshotFileTooNew(found: Int64, known: Int64)
  /// A snapshot's folder does not hold a whole snapshot.
  case snapshotDamaged(name: String, reason: String)
}
