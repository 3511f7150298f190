import Foundation
import LocalCloudObjectStore

/// Migrates a store object by object, as a mapping model and its policies say.
///
/// The new store is made in a temporary folder, and then replaces the old one as a whole. No other process writes to the old
/// store until then.
struct ObjectMigration {
  private let manager: NSMigrationManager
  private let mapping: NSMappingModel
  private let configuration: String?

  /// - Parameter configuration: The configuration of the new model that the store is of; nil for all.
  init(_ manager: NSMigrationManager, _ mapping: NSMappingModel, configuration: String? = nil) {
    (self.manager, self.mapping, self.configuration) = (manager, mapping, configuration)
  }

  /// Throws the program's error if the program cancelled the migration.
  func run(from source: StoreFile, to destination: StoreFile) throws {
    do { try migrate(source, to: destination) } catch let cancelled as LightweightMigration.Cancelled {
      throw cancelled.reason
    }
  }

  private func migrate(_ source: StoreFile, to destination: StoreFile) throws {
    try manager.requireGoingOn()
    let (path, target) = (try source.path(), try destination.path())
    guard let part = manager.sourceModel.configuration(ofStoreWith: try source.metadata()) else {
      throw CoreDataError.error(
        NSPersistentStoreIncompatibleVersionHashError, reason: "The store was not made with the source model.",
        url: source.url)
    }
    let old = NSPersistentStoreCoordinator(managedObjectModel: Self.withoutClasses(manager.sourceModel))
    let store = try old.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: part, at: source.url)
    defer { try? old.remove(store) }
    try CoreDataError.translating(source.url) {
      try store.objects.replace(at: path == target ? nil : target) { save in
        // No process writes to the store now.
        try requireNoRecords(store)
        let temporary = StoreOpening.temporaryPath()
        defer { try? ObjectStore.destroy(temporary, isForced: true) }
        let new = NSPersistentStoreCoordinator(managedObjectModel: Self.withoutClasses(manager.destinationModel))
        let made = try new.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: configuration, at: URL(fileURLWithPath: temporary))
        defer { try? new.remove(made) }
        try store.loadMetadata()
        made.metadata = store.metadata
        manager.objects = MigratedObjects(source: old, destination: new)
        defer { manager.objects = nil }
        try migrate()
        try manager.destinationContext.save()
        try manager.requireGoingOn()
        try save(made.objects)
      }
    }
  }

  /// A copy of a model without the classes of its entities: a program has the classes of one version only.
  private static func withoutClasses(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    guard let copy = model.copy() as? NSManagedObjectModel else { return model }
    for entity in copy.entities { entity.managedObjectClassName = NSEntityDescription.defaultClassName }
    return copy
  }

  /// Throws if the mirroring knows a record of an object: it would make another record of the object's successor.
  private func requireNoRecords(_ store: NSPersistentStore) throws {
    guard try store.reading({ try $0.hasRows(prefix: "", in: .records) }) else { return }
    throw CoreDataError.error(
      NSMigrationError,
      reason:
        "Objects of the store have records in the cloud, which only a mapping that can be inferred keeps: let the "
        + "versions of the model differ by what lightweight migration knows.", url: store.url)
  }

  // MARK: Passes

  private func migrate() throws {
    let mappings = mapping.entityMappings ?? []
    let policies = try mappings.map(policy)
    let steps = Float(3 * mappings.count)
    func pass(_ number: Int, _ body: (NSEntityMapping, NSEntityMigrationPolicy) throws -> Void) throws {
      for (index, mapping) in mappings.enumerated() {
        manager.follow(mapping, progress: Float(number * mappings.count + index) / steps)
        try manager.requireGoingOn()
        try body(mapping, policies[index])
      }
    }
    try pass(0) { mapping, policy in
      try policy.begin(mapping, with: manager)
      for source in try sources(mapping, policy) {
        try manager.requireGoingOn()
        try policy.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      }
      try policy.endInstanceCreation(forMapping: mapping, manager: manager)
    }
    try pass(1) { mapping, policy in
      let made = manager.destinationInstances(forEntityMappingName: mapping.name ?? "", sourceInstances: nil)
      for destination in made {
        try manager.requireGoingOn()
        try policy.createRelationships(forDestination: destination, in: mapping, manager: manager)
      }
      try policy.endRelationshipCreation(forMapping: mapping, manager: manager)
    }
    try pass(2) { mapping, policy in
      try policy.performCustomValidation(forMapping: mapping, manager: manager)
      try policy.end(mapping, manager: manager)
    }
  }

  private func sources(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws -> [NSManagedObject] {
    guard mapping.mappingType != .removeEntityMappingType, let expression = mapping.sourceExpression else { return [] }
    let value = try MappingEvaluator(manager, mapping, policy).value(of: expression)
    guard let objects = value as? [NSManagedObject] else {
      throw CoreDataError.error(
        NSEntityMigrationPolicyError,
        reason: "The source expression of the entity mapping \(mapping.name ?? "") gives no objects: \(expression)")
    }
    return objects
  }

  private func policy(_ mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
    guard let type = Self.type(named: name) else {
      throw CoreDataError.error(
        NSEntityMigrationPolicyError,
        reason:
          "The entity mapping \(mapping.name ?? "") names the migration policy \(name), which is no class of the program "
          + "below NSEntityMigrationPolicy. Write Module.Class.")
    }
    return type.init()
  }

  private static func type(named name: String) -> NSEntityMigrationPolicy.Type? {
    if name == "NSEntityMigrationPolicy" { return NSEntityMigrationPolicy.self }
    return ManagedObjectClasses.type(named: name) as? NSEntityMigrationPolicy.Type
  }
}

extension NSManagedObjectModel {
  /// The configuration that a store with these metadata is of; nil if there is none.
  func configuration(ofStoreWith metadata: [String: Any]) -> String? {
    configurations.first { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
  }
}
