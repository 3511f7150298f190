import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform

/// Opens the store that a program adds to a coordinator.
struct StoreOpening {
  var type: String
  var configuration: String?
  var url: URL?
  var options: [AnyHashable: Any]?

  func open(for coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    try open(for: coordinator) { _ in }
  }

  /// Opens a copy of a store. The copy is created first; a store that exists already is refused.
  func openCopy(of store: ObjectStore, for coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    try open(for: coordinator) { path in
      try CoreDataError.translating(url) {
        do { _ = try ObjectStore.summary(path) } catch ObjectStoreError.missing { return try store.copy(to: path) }
        throw error(NSPersistentStoreOperationError, "There is a store at this place already. Destroy it first.")
      }
    }
  }

  /// - Parameter prepare: called with the path before the store there is opened.
  private func open(
    for coordinator: NSPersistentStoreCoordinator, _ prepare: (String) throws -> Void
  ) throws -> NSPersistentStore {
    guard [NSSQLiteStoreType, NSInMemoryStoreType].contains(type) else {
      throw error(NSPersistentStoreInvalidTypeError, "There are no stores of the type \(type) here.")
    }
    let model = coordinator.managedObjectModel
    if let configuration, !model.configurations.contains(configuration) {
      throw error(
        NSCoreDataError, "Unable to find a configuration named '\(configuration)' in the managed object model.")
    }
    try refuseUnsupported(model)
    if let (attribute, entity) = model.unstoredAttribute {
      let kind = attribute.type == .composite ? "is composite" : "has no type"
      throw error(
        NSPersistentStoreOpenError,
        "The attribute '\(attribute.name)' of the entity '\(entity.name ?? "")' \(kind): stores have no such values.")
    }
    let isTemporary = type == NSInMemoryStoreType || url?.path == "/dev/null"
    guard let path = isTemporary ? Self.temporaryPath() : url?.storePath else {
      throw error(NSPersistentStoreOpenError, "The store has no file URL.")
    }
    if coordinator.persistentStores.contains(where: { $0.objects.path == path }) {
      throw CoreDataError.error(
        CoreDataError.repeatedStore, reason: "Can't add the same store twice", url: url,
        userInfo: ["NSUnderlyingException": "Can't add the same store twice"])
    }
    var settings = ObjectStore.Options()
    settings.isReadOnly = options.isSet(NSReadOnlyPersistentStoreOption)
    settings.isDurable = !isTemporary
    if let timeout = options?[NSPersistentStoreTimeoutOption] as? NSNumber {
      settings.lockTimeout = max(0, timeout.doubleValue)
    }
    settings.newMetadata = StoreMetadata.new(for: model)
    try prepare(path)
    settings.ignoresVersions = options.isSet(NSIgnorePersistentStoreVersioningOption)
    return NSPersistentStore(
      try objects(path, model, settings, in: coordinator.fileSystem), type: type, configuration: configuration,
      url: url, options: options,
      isTemporary: isTemporary, of: coordinator)
  }

  /// Opens the store, after a migration if one is needed.
  private func objects(
    _ path: String, _ model: NSManagedObjectModel, _ settings: ObjectStore.Options, in fileSystem: FileSystem
  ) throws -> ObjectStore {
    let schema = model.storeSchema(configuration: configuration)
    let open = { try ObjectStore(path, schema: schema, options: settings, in: fileSystem) }
    let migration = LightweightMigration(
      path: path, url: url, model: model, configuration: configuration, options: options)
    return try CoreDataError.translating(url) {
      for _ in 0..<Self.mostMigrations {
        do { return try open() } catch ObjectStoreError.otherModel {}
        do { try migration.run() } catch is LightweightMigration.Overtaken {} catch {
          // Another process may have migrated it since then.
          if let found = try? open() { return found }
          throw error
        }
      }
      return try open()
    }
  }

  /// The limit of attempts for a store that other processes migrate or replace repeatedly.
  private static let mostMigrations = 10

  static func temporaryPath() -> String {
    URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("localcloud-store-\(UUID().uuidString)").path
  }

  private func refuseUnsupported(_ model: NSManagedObjectModel) throws {
    for entity in model.entities {
      for constraint in entity.ownUniquenessConstraints {
        for name in constraint where !StoreSchema.FetchIndex.isStored(entity.propertiesByName[name]) {
          throw error(
            NSPersistentStoreOpenError,
            "A uniqueness constraint of the entity \(entity.name ?? "") names '\(name)', which is neither a stored "
              + "attribute of it nor a relationship to one object.")
        }
      }
    }
  }

  private func error(_ code: Int, _ reason: String) -> NSError {
    CoreDataError.error(code, reason: reason, url: url)
  }
}
