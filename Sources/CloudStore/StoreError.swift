import LocalCloudStorage

/// Errors of a cloud's tree. ``StorageError`` and ``SystemError`` are thrown as well.
package enum StoreError: Error, Sendable {
  case notACloud(path: String)
  case alreadyACloud(path: String)
  /// A new cloud would be inside another one.
  case insideACloud(path: String, root: String)
  /// A new cloud needs an empty folder.
  case folderNotEmpty(path: String)
  /// The zone does not exist, or was deleted during the wait for it.
  case zoneMissing(ZonePath)
  /// An asset of a record that was read no longer exists: the record was changed since.
  case assetGone(path: String)
}
