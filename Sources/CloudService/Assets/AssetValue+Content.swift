import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStore

extension AssetValue {
  /// Calls `body` with the content of an asset that was fetched with it, piece by piece. Only when this returns, the
  /// content is complete and verified.
  package func read(_ body: ([UInt8]) throws -> Void) throws(ServiceError) {
    do {
      guard let content else { throw ServiceError(.assetNotAvailable, "The asset was fetched without its bytes.") }
      try content.read(body)
    } catch {
      var error = ServiceError(describing: error)
      guard error.code != .operationCancelled else { throw error }
      // This is not a save: the disk lacks space for the copy that is read.
      if error.cause == .diskFull { error.hint = "Free space on the disk that holds \(error.path ?? "it")." }
      error.code = .assetNotAvailable
      throw error
    }
  }
}

extension ServiceError {
  package static let cancelled = ServiceError(.operationCancelled, "The operation was cancelled", internalCode: 1004)

  static func assetFileModified(_ path: String) -> ServiceError {
    ServiceError(
      .assetFileModified, "The file of the asset changed while it was saved: \(path)",
      hint: "Save again when it stays as it is.", path: path)
  }

  static func assetNotAvailable(_ key: String) -> ServiceError {
    ServiceError(
      .assetNotAvailable, "Field '\(key)': the record holds no such asset, and no file was given",
      hint: "Fetch the record, or give a file.")
  }

  /// The error for a file that the caller named and that can't be read.
  ///
  /// - Assumption: a folder or a pipe at an asset's URL is `assetFileNotFound`.
  static func assetUnreadable(_ path: String, _ error: SystemError) -> ServiceError {
    error.isMissing || error.isForeign
      ? ServiceError(.assetFileNotFound, "The asset's file can't be found: \(error)", path: path)
      : ServiceError(.assetNotAvailable, "The asset's file can't be read: \(error)", path: path)
  }
}
