import Foundation

// The functions with a `StoreType`. Each calls the function with the type as a text, so that an override of that is
// called.

extension NSPersistentStoreCoordinator {
  // MARK: Metadata

  /// The metadata of the store at a URL: the store's own, and those of programs.
  ///
  /// Throws `NSFileReadNoSuchFileError` if there is nothing at the URL.
  @discardableResult
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
  }

  /// Sets the metadata of a store. No process may have the store open. A UUID under
  /// `NSStoreUUIDKey` becomes the store's.
  ///
  /// - Difference: type and version hashes stay those of the store, whatever is set.
  public class func setMetadata(
    _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
  }

  // MARK: Destroying and replacing

  /// Removes all that is in the store at a URL. An empty folder stays there, as Apple's framework leaves an empty file,
  /// which a program may remove or make a store at. If the store is one of this coordinator's, it is removed there
  /// first. Waits for writers of other processes, unless `NSPersistentStoreForceDestroyOption` is set. Does nothing if
  /// there is no store.
  ///
  /// - Assumption: a store that the coordinator has open is removed from it.
  public func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  /// Puts a copy of a store in the place of another one, or where there is none. A process finds the one or the other,
  /// whole. If the store that is replaced is one of this coordinator's, it goes on with the copy, or is removed if that
  /// is of another model or UUID.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: sourceType.rawValue)
  }

  // MARK: Migrating

  /// Copies a store to another URL, and goes on with the copy. The store itself is removed from the coordinator; its
  /// files stay. Objects that contexts hold are those of the copy from then on. It has the same UUID.
  ///
  /// - Difference: a store that is there already is refused, not added to.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }
}
