import Foundation
import LocalCloudObjectStore
import Synchronization

/// Migrates a store to another version of its model, at another URL or at its own.
///
/// - Difference: a mapping that follows from both models by its names is followed in the store's files: no policy is called, and
///   neither context has objects. There is no notification of the progress. The history and the mirroring's rows are migrated by an
///   inferred mapping only: by another one the objects get new identities, and the store a new UUID.
open class NSMigrationManager: NSObject {
  private final let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)
  private final var mapping: NSMappingModel?
  /// Why the migration is to end.
  private final let cancellation = Mutex<(any Error)?>(nil)
  /// The objects of the running migration.
  final var objects: MigratedObjects?
  private final var current: NSEntityMapping?
  private final var progress: Float = 0
  private final var programValues: [AnyHashable: Any]?

  /// Migrates from one version of a model to another one.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    models = (sourceModel, destinationModel)
  }

  /// The model that stores are migrated from.
  open var sourceModel: NSManagedObjectModel { models.source }

  /// The model that stores are migrated to.
  open var destinationModel: NSManagedObjectModel { models.destination }

  /// The mapping of the last migration.
  open var mappingModel: NSMappingModel { mapping ?? NSMappingModel() }

  /// Values of the program.
  // A computed property: `manager.userInfo?[a] = manager.userInfo?[b]` would be two overlapping accesses to a stored one.
  open var userInfo: [AnyHashable: Any]? {
    get { programValues }
    set { programValues = newValue }
  }

  /// Whether an inferred mapping is followed in the store's files, without objects. If false, it is followed as others are.
  open var usesStoreSpecificMigrationManager = true

  /// How much of the migration is done, from 0 to 1.
  open var migrationProgress: Float { progress }

  /// The entity mapping that the migration follows now, or that it followed last.
  open var currentEntityMapping: NSEntityMapping { current ?? NSEntityMapping() }

  // MARK: Objects

  /// The context of the store that is migrated; one without stores if no migration runs. It belongs to the thread that
  /// migrates. Its objects are of the class `NSManagedObject`, whatever the model says.
  open var sourceContext: NSManagedObjectContext { objects?.source ?? MigratedObjects.emptyContext() }

  /// The context of the store that is made; see ``sourceContext``.
  open var destinationContext: NSManagedObjectContext { objects?.destination ?? MigratedObjects.emptyContext() }

  /// The source entity of a mapping; nil if it has none.
  @discardableResult
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    let model = objects?.source.persistentStoreCoordinator?.managedObjectModel ?? sourceModel
    return mEntity.sourceEntityName.flatMap { model.entitiesByName[$0] }
  }

  /// The destination entity of a mapping; nil if it has none.
  @discardableResult
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    let model = objects?.destination.persistentStoreCoordinator?.managedObjectModel ?? destinationModel
    return mEntity.destinationEntityName.flatMap { model.entitiesByName[$0] }
  }

  /// Notes that a mapping made an object of another one.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    objects?.associate(sourceInstance, destinationInstance, entityMapping.name ?? "")
  }

  /// The objects that a mapping made of some objects, in their order; all that it made, for nil.
  @discardableResult
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    objects?.destinations(mappingName, of: sourceInstances) ?? []
  }

  /// The sources of objects that a mapping made, in their order; all its sources, for nil.
  @discardableResult
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    objects?.sources(mappingName, of: destinationInstances) ?? []
  }

  /// Forgets the associations of objects, and the progress. A migration does it when it begins.
  open func reset() {
    objects?.forget()
    progress = 0
  }

  // MARK: Cancelling

  /// Has the migration end with an error: the running one, or otherwise the next one. Nothing is changed then. Any
  /// thread may call it.
  ///
  /// - Assumption: one that has ended is not undone; the next one is cancelled.
  open func cancelMigrationWithError(_ error: any Error) { cancellation.withLock { $0 = error } }

  final func requireGoingOn() throws {
    let error = cancellation.withLock { error in
      defer { error = nil }
      return error
    }
    if let error { throw LightweightMigration.Cancelled(reason: error) }
  }

  // MARK: Migrating

  /// Migrates a store. What is at the destination is replaced, whole; if it is the source itself, that is migrated.
  ///
  /// Throws ``NSMigrationMissingMappingModelError`` for a mapping model without entity mappings, the errors of policies, those
  /// of a save of the objects, ``NSEntityMigrationPolicyError`` for a mapping that can't be followed, and the error of
  /// ``cancelMigrationWithError(_:)``. The store stays as it was then.
  ///
  /// - Assumption: a mapping model without entity mappings is none. The program's own metadata of the store stay.
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard !(mapping.entityMappings ?? []).isEmpty else {
      throw CoreDataError.error(
        NSMigrationMissingMappingModelError, reason: "A migration needs a mapping model with entity mappings.",
        url: sourceURL)
    }
    let source = try StoreFile(sourceURL, type: sourceType.rawValue)
    let destination = try StoreFile(destinationURL, type: destinationType.rawValue)
    self.mapping = mapping
    reset()
    if usesStoreSpecificMigrationManager, isInferred(mapping) {
      try source.migrate(from: sourceModel, to: destinationModel, at: destination, checkpoint: requireGoingOn)
    } else {
      try ObjectMigration(self, mapping).run(from: source, to: destination)
    }
    progress = 1
  }

  private final func isInferred(_ mapping: NSMappingModel) -> Bool {
    (try? NSMappingModel.inferredMappingModel(forSourceModel: sourceModel, destinationModel: destinationModel))
      == mapping
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

  /// Called when the migration begins a step of an entity mapping.
  final func follow(_ mapping: NSEntityMapping, progress: Float) {
    current = mapping
    self.progress = progress
  }

  /// The entity of a mapping in a context's model.
  final func entity(
    named name: String, of context: NSManagedObjectContext, _ mapping: NSEntityMapping
  ) throws -> NSEntityDescription {
    if let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name], !entity.isAbstract {
      return entity
    }
    throw CoreDataError.error(
      NSEntityMigrationPolicyError,
      reason:
        "The entity mapping \(mapping.name ?? "") names the entity \(name), which the model lacks, or which is abstract."
    )
  }
}
