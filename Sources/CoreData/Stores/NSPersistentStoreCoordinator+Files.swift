import Foundation
import LocalCloudObjectStore

// What a coordinator does with stores that it need not have open, and with the places of those that it has.

extension NSPersistentStoreCoordinator {
  // MARK: Metadata

  /// What the store at a URL says of itself, and what programs keep in it besides objects.
  ///
  /// Throws `NSFileReadNoSuchFileError` if there is nothing at the URL.
  @discardableResult
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFile(storeURL, type: storeType.rawValue).metadata()
  }

  /// The same, with the type of the store as a text: see ``metadataForPersistentStore(type:at:options:)``.
  @discardableResult
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFile(url, type: storeType).metadata()
  }

  /// Sets what programs keep in a store besides objects. The store is not to be open meanwhile. A UUID under
  /// `NSStoreUUIDKey` becomes the store's.
  ///
  /// - Difference: type and version hashes stay those of the store, whatever is set.
  public class func setMetadata(
    _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFile(storeURL, type: storeType.rawValue).setMetadata(metadata)
  }

  /// The same, with the type of the store as a text: see ``setMetadata(_:type:at:options:)``.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFile(url, type: storeType).setMetadata(metadata)
  }

  /// The metadata of a store of a type, or of any for nil: see ``metadataForPersistentStore(type:at:options:)``.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:)")
  @discardableResult
  public class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
    try StoreFile(url, type: storeType).metadata()
  }

  /// The metadata of a store of any type: see ``metadataForPersistentStore(type:at:options:)``.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:)")
  @discardableResult
  public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
    try StoreFile(url).metadata()
  }

  /// Sets the metadata of a store of a type, or of any for nil: see ``setMetadata(_:type:at:options:)``.
  @available(*, deprecated, message: "Use setMetadata(_:type:at:options:)")
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
  ) throws {
    try StoreFile(url, type: storeType).setMetadata(metadata)
  }

  // MARK: Destroying and replacing

  /// Removes all that is in the store at a URL. An empty folder stays there, as Apple's framework leaves an empty file,
  /// which a program may remove or make a store at. If the store is one of this coordinator's, it is removed there first.
  /// Waits for writers of other processes, unless `NSPersistentStoreForceDestroyOption` is set. Does nothing if there is
  /// no store.
  ///
  /// - Assumption: a store that the coordinator has open is removed from it.
  public func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  /// The same, with the type of the store as a text: see ``destroyPersistentStore(at:type:options:)``.
  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    if storeType == NSInMemoryStoreType || url.path == "/dev/null" {
      // With the last reference to it, a store in memory is gone.
      if let store = persistentStore(for: url) { try remove(store) }
      return
    }
    let file = try StoreFile(url, type: storeType)
    if let store = persistentStore(for: url) { try remove(store) }
    try file.destroy(isForced: options.isSet(NSPersistentStoreForceDestroyOption))
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

  /// The same, with the type of the store as a text: see
  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)``.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    let (source, target) = try (StoreFile(sourceURL, type: storeType), StoreFile(destinationURL, type: storeType))
    try target.replace(from: source)
    guard let store = persistentStore(for: destinationURL) else { return }
    if !store.reopen(at: destinationURL) { try remove(store) }
  }

  // MARK: Migrating

  /// Does nothing: no migration is deferred.
  public func finishDeferredLightweightMigration() throws {}

  /// Does nothing: no migration is deferred.
  public func finishDeferredLightweightMigrationTask() throws {}

  /// Copies a store to another place, and goes on with the copy. The store itself is removed from the coordinator; its
  /// files stay. Objects that contexts hold are those of the copy from then on, which has the same UUID.
  ///
  /// - Difference: a store that is at the other place already is refused, not added to.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// The same, with the type of the store as a text: see ``migratePersistentStore(_:to:options:type:)``.
  // Apple's name of the parameter.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError, reason: "The store is not one of this coordinator's.", url: URL)
    }
    let new = try StoreOpening(
      type: storeType, configuration: store.givenConfiguration, url: URL, options: options
    ).openCopy(of: store.objects, for: self)
    new.takePlace(of: store)
    try replace(store, with: new)
    return new
  }
}
