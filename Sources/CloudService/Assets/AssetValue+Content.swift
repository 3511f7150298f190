import CloudModel
import CloudStore
import Platform

extension AssetValue {
  /// Hands over the bytes of an asset that was fetched with them, piece by piece. Only when it returns, they are all there
  /// and what was saved.
  package func read(_ body: ([UInt8]) throws -> Void) throws(ServiceError) {
    do {
      guard let content else { throw ServiceError(.assetNotAvailable, "The asset was fetched without its bytes.") }
      try content.read(body)
    } catch {
      var error = ServiceError(describing: error)
      guard error.code != .operationCancelled else { throw error }
      // Nothing was to be saved: there was no room to put it.
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

  /// A file that the user named, and that can't be read.
  ///
  /// - Assumption: a folder or a pipe at an asset's URL is `assetFileNotFound`.
  static func assetUnreadable(_ path: String, _ error: SystemError) -> ServiceError {
    error.isMissing || error.isForeign
      ? ServiceError(.assetFileNotFound, "The asset's file can't be found: \(error)", path: path)
      : ServiceError(.assetNotAvailable, "The asset's file can't be read: \(error)", path: path)
  }
}
