import LocalCloudPlatform
import LocalCloudStorage

/// An error of a store. `path`: the store, or the file in it that the error concerns.
package enum ObjectStoreError: Error, Sendable, Hashable {
  /// A file of another kind is at the path, a SQLite database for example.
  case notAStore(path: String)
  /// There is no store, and none may be made.
  case missing(path: String)
  /// The store was made with another version of the model. `entities`: the names of entities with different hashes.
  case otherModel(path: String, entities: [String])
  /// A derived attribute of the model can't be computed.
  case derivation(path: String, entity: String, attribute: String, reason: String)
  /// The store's format is of a later version of this library. `known`: the last format that this one reads.
  case unknownFormat(path: String, found: Int64, known: Int64)
  case readOnly(path: String)
  /// Some of the requested history was purged.
  case historyPurged
  /// The disk has no room. Nothing was saved.
  case diskFull(path: String)
  /// The process may not read or write a file of the store, or its disk is mounted for reading only. Nothing was saved.
  case denied(path: String, reason: String)
  /// A file of the store is missing, or its contents are not valid. ``ObjectStore/repair(_:options:at:in:)`` makes the
  /// rest usable.
  case damaged(path: String, reason: String)
  /// Another failure, for example of the disk or of taking a lock, with a text for people. `isTransient`: a later
  /// attempt may succeed.
  case storage(path: String, reason: String, isTransient: Bool)
}

extension ObjectStoreError {
  /// Converts an error for the store's user. `path`: the store, for an error that names no file.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as ObjectStoreError: self = error
    case let error as StorageError: self = Self.translated(error)
    case let error as SystemError: self = Self.translated(error)
    default: self = .storage(path: path, reason: "\(error)", isTransient: false)
    }
  }

  /// Converts an error of the lower layers for the store's user. Other errors stay as they are.
  static func translated(_ error: any Error) -> any Error {
    error is StorageError || error is SystemError ? ObjectStoreError(error, path: "") : error
  }

  private static func translated(_ error: SystemError) -> ObjectStoreError {
    if error.isNoSpace { return .diskFull(path: error.path) }
    if error.isDenied { return .denied(path: error.path, reason: error.reason) }
    return .storage(path: error.path, reason: error.reason, isTransient: error.code == SystemError.tooManyFiles)
  }

  private static func translated(_ error: StorageError) -> ObjectStoreError {
    switch error {
    case .busy(let path, let holder, _):
      .storage(path: path, reason: "it is locked by \(holder?.text ?? "another process")", isTransient: true)
    case .damaged(let path, let reason): .damaged(path: path, reason: reason)
    case .formatTooNew(let path, let found, let known): .unknownFormat(path: path, found: found, known: known)
    case .nameCollision(let path, let name):
      .storage(path: path, reason: "another name takes the place of \(name)", isTransient: false)
    case .uncertain(let path, let reason):
      .storage(path: path, reason: "it is not known whether the changes were saved: \(reason)", isTransient: false)
    case .pending(let path, _, _):
      .storage(path: path, reason: "the changes are saved once another process goes on", isTransient: true)
    case .unapplied(let path, let reason): .storage(path: path, reason: reason, isTransient: true)
    }
  }
}
