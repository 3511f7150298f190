import Storage

/// What a cloud's tree fails with; ``StorageError`` and ``SystemError`` come beside it.
package enum StoreError: Error, Sendable {
  case notACloud(path: String)
  case alreadyACloud(path: String)
  /// A new cloud would lie in another one.
  case insideACloud(path: String, root: String)
  /// A new cloud needs an empty folder.
  case folderNotEmpty(path: String)
  /// The zone is not there, or was deleted while we waited for it.
  case zoneMissing(ZonePath)
  /// An asset that was read about is not there any more: its record was changed since.
  case assetGone(path: String)
}
