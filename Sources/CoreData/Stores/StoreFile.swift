import Foundation
import LocalCloudObjectStore
import LocalCloudStorage

/// A store at a URL that need not be open in a coordinator.
struct StoreFile {
  let url: URL

  init(_ url: URL) { self.url = url }

  /// Throws for an unsupported store type. Nil stands for any type.
  init(_ url: URL, type: String?) throws {
    self.url = url
    guard let type, type != NSSQLiteStoreType else { return }
    throw CoreDataError.error(
      NSPersistentStoreInvalidTypeError, reason: "There are no stores of the type \(type) at URLs here.", url: url)
  }

  func path() throws -> String {
    guard let path = url.storePath else {
      throw CoreDataError.error(NSPersistentStoreOpenError, reason: "The store has no file URL.", url: url)
    }
    return path
  }

  // MARK: Metadata

  /// Throws `NSFileReadNoSuchFileError` if there is nothing.
  func metadata() throws -> [String: Any] {
    try telling { path in StoreMetadata(try ObjectStore.summary(path)).dictionary }
  }

  /// A UUID in the metadata becomes the store's UUID.
  func setMetadata(_ metadata: [String: Any]?) throws {
    let metadata = metadata ?? [:]
    let before = try telling { path in try ObjectStore.summary(path) }
    let own: JSONObject
    do { own = try StoreMetadata.own(metadata, keeping: before.metadata) } catch {
      throw CoreDataError.error(NSPersistentStoreOperationError, reason: error.reason, url: url)
    }
    let identifier = metadata[NSStoreUUIDKey].map { "\($0)" } ?? before.identifier
    guard let uuid = UUID(uuidString: identifier) else {
      throw CoreDataError.error(NSPersistentStoreOperationError, reason: "\(identifier) is no UUID.", url: url)
    }
    try telling { path in
      let store = try ObjectStore.stored(path, isReadOnly: false)
      try store.setMetadata(own)
      if uuid.uuidString != before.identifier { try store.setIdentifier(uuid.uuidString) }
    }
  }

  // MARK: Model

  /// The program's model of the store's version. Without one, a model made from the store's own description.
  func cachedModel() throws -> NSManagedObjectModel {
    let summary = try telling { try ObjectStore.summary($0) }
    let metadata = StoreMetadata(summary).dictionary
    if let model = LoadedModels.model(ofStoreWith: metadata)?.copy() as? NSManagedObjectModel { return model }
    return NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
      ?? NSManagedObjectModel(summary.schema)
  }

  // MARK: Files

  /// Removes all files of the store, and leaves an empty folder at its URL.
  func destroy(isForced: Bool) throws {
    try telling { path in try ObjectStore.destroy(path, isForced: isForced, leavesFolder: true) }
  }

  /// Replaces this store by a copy of the store at another URL.
  func replace(from other: StoreFile) throws {
    let (source, target) = (try other.path(), try path())
    if source == target { return }
    let store = try other.telling { path in try ObjectStore.stored(path) }
    try replace(from: store)
  }

  /// Replaces this store by a copy of a store.
  func replace(from store: ObjectStore) throws {
    try telling { path in try store.copy(to: path) }
  }

  // MARK: Migrating

  /// Migrates the store from one version of its model to another one, here or at another URL.
  /// - Parameter checkpoint: called repeatedly; if it throws, the migration ends.
  func migrate(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel, at target: StoreFile,
    checkpoint: @escaping () throws -> Void
  ) throws {
    let (path, targetPath) = (try path(), try target.path())
    let summary = try telling { try ObjectStore.summary($0) }
    guard source.isConfiguration(withName: nil, compatibleWithStoreMetadata: StoreMetadata(summary).dictionary) else {
      throw CoreDataError.error(
        NSPersistentStoreIncompatibleVersionHashError, reason: "The store was not made with the source model.",
        url: url)
    }
    try LightweightMigration.migrate(
      path, InferredMapping(destination, nil).mapping(from: summary.schema), url,
      to: path == targetPath ? nil : (targetPath, target.url), checkpoint: checkpoint)
  }

  private func telling<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = try path()
    return try CoreDataError.translating(url) {
      do { return try body(path) } catch ObjectStoreError.missing {
        throw CoreDataError.error(
          CocoaError.Code.fileReadNoSuchFile.rawValue,
          description:
            "The file \u{201C}\(url.lastPathComponent)\u{201D} couldn\u{2019}t be opened because there is no such file.",
          url: url, userInfo: [NSFilePathErrorKey: path])
      }
    }
  }
}

extension URL {
  /// The path of a store at the URL, in its standard form; nil for a URL of no file.
  var storePath: String? { isFileURL ? standardizedFileURL.path : nil }
}
