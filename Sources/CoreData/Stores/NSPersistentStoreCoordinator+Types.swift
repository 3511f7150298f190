import Foundation

// The functions with a `StoreType`. Each calls the function that has the type as a text, so that overrides of that one
// are called.

extension NSPersistentStoreCoordinator {
  // MARK: Metadata

  /// The metadata of the store at a URL: the store's own, and those set by programs.
  ///
  /// - Throws: `NSFileReadNoSuchFileError` if there is nothing at the URL.
  @discardableResult
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
  }

  /// Sets the metadata of a store. No process may have the store open. A UUID under `NSStoreUUIDKey` becomes the
  /// store's UUID.
  ///
  /// - Throws: `NSFileReadNoSuchFileError` if there is nothing at the URL; ``NSPersistentStoreOperationError`` for a
  ///   value that a property list can't contain, and for an invalid UUID.
  ///
  /// - Difference: type and version hashes are those of the store, regardless of set values.
  public class func setMetadata(
    _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
  }

  // MARK: Destroying and replacing

  /// Removes all files of the store at a URL. An empty folder remains, as Apple's framework leaves an empty file; a
  /// program may remove it or create a store there. If this coordinator has the store, it removes it first. Waits for
  /// writers of other processes, unless `NSPersistentStoreForceDestroyOption` is set. Does nothing if there is no
  /// store.
  ///
  /// - Assumption: a store that the coordinator has open is removed from it.
  public func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  /// Replaces a store by a copy of another one, or creates the copy if there is none. A process finds either store,
  /// complete. If this coordinator has the replaced store, it continues with the copy, or removes the store if the copy
  /// has another model or UUID.
  ///
  /// - Parameters:
  ///   - destinationURL: The URL of the store to replace.
  ///   - sourceURL: The URL of the store to copy.
  /// - Throws: ``NSPersistentStoreInvalidTypeError`` for a type other than SQLite; the error of a source that can't be
  ///   read.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: sourceType.rawValue)
  }

  // MARK: Migrating

  /// Copies a store to another URL, and continues with the copy. The coordinator removes the store itself; its files
  /// remain. Objects that contexts hold belong to the copy from then on. The copy has the same UUID.
  ///
  /// - Returns: The copy.
  /// - Throws: ``NSPersistentStoreOperationError`` if the store is not the coordinator's, or there is a store at the
  ///   URL.
  ///
  /// - Difference: an existing store at the URL is refused, not added to.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }
}
