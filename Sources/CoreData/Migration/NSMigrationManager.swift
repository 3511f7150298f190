import Foundation
import LocalCloudObjectStore
import Synchronization

/// Migrates a store to another version of its model, at another place or at its own.
///
/// - Difference: migrations are inferred. There is no progress, and nothing to be overridden on the way.
open class NSMigrationManager: NSObject {
  private final let versions: NSMappingModel.Versions
  private final var mapping: NSMappingModel?
  /// Why the migration is to end.
  private final let cancellation = Mutex<(any Error)?>(nil)

  /// Migrates from one version of a model to another one.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    versions = NSMappingModel.Versions(sourceModel, destinationModel)
    super.init()
  }

  /// The model that stores are migrated from.
  open var sourceModel: NSManagedObjectModel { versions.source }

  /// The model that stores are migrated to.
  open var destinationModel: NSManagedObjectModel { versions.destination }
  /// The mapping of the last migration.
  open var mappingModel: NSMappingModel { mapping ?? NSMappingModel() }

  /// Has the migration end with an error: the running one, or otherwise the next one. Nothing is changed then. Any
  /// thread may call it.
  ///
  /// - Assumption: one that has ended is not undone; the next one is cancelled.
  open func cancelMigrationWithError(_ error: any Error) { cancellation.withLock { $0 = error } }

  private final func requireGoingOn() throws {
    let error = cancellation.withLock { error in
      defer { error = nil }
      return error
    }
    if let error { throw LightweightMigration.Cancelled(reason: error) }
  }

  /// Migrates a store. What is at the destination is replaced, whole; if it is the source itself, that is migrated.
  ///
  /// Throws ``NSMigrationMissingMappingModelError`` for a mapping model that was not inferred, and the error of
  /// ``cancelMigrationWithError(_:)``.
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let inferred = mapping.versions, inferred.source == sourceModel, inferred.destination == destinationModel
    else {
      throw CoreDataError.error(
        NSMigrationMissingMappingModelError,
        reason: "A migration follows a mapping model that was inferred from its two models only.", url: sourceURL)
    }
    let source = try StoreFile(sourceURL, type: sourceType.rawValue)
    let destination = try StoreFile(destinationURL, type: destinationType.rawValue)
    self.mapping = mapping
    try source.migrate(from: sourceModel, to: destinationModel, at: destination, checkpoint: requireGoingOn)
  }

  /// The same, with the types of stores as texts: see
  /// ``migrateStore(from:type:options:mapping:to:type:options:)``.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, type: NSPersistentStore.StoreType(rawValue: sStoreType), options: sOptions,
      mapping: mappings ?? NSMappingModel(), to: dURL, type: NSPersistentStore.StoreType(rawValue: dStoreType),
      options: dOptions)
  }
}
