import Foundation
import LocalCloudCoreDataMirroring
import LocalCloudObjectStore

/// Migrates a store to the program's version of the model when it is opened, if the options allow it.
///
/// The migration follows a mapping model of the program for both versions. Without one, the mapping is inferred: a store has
/// the entities of the model that it was made with, so only the present model is needed.
struct LightweightMigration {
  let path: String
  let url: URL?
  let model: NSManagedObjectModel
  let configuration: String?
  let options: [AnyHashable: Any]?

  private static let mismatch = "The model used to open the store is incompatible with the one used to create the store"

  /// Thrown if another process has migrated or replaced the store since the mapping was made.
  struct Overtaken: Error {}

  /// Throws unless the store is of the model's version afterwards: ``Overtaken``, or the error for the program.
  func run() throws {
    let summary = try CoreDataError.translating(url) { try ObjectStore.summary(path) }
    guard options.isSet(NSMigratePersistentStoresAutomaticallyOption) else {
      throw error(NSPersistentStoreIncompatibleVersionHashError, Self.mismatch, summary)
    }
    if options?[NSPersistentStoreStagedMigrationManagerOptionKey] != nil {
      throw error(NSMigrationMissingMappingModelError, "Staged migrations are not supported.", summary)
    }
    let found: (mapping: NSMappingModel, model: NSManagedObjectModel)?
    do { found = try mappingModel(StoreMetadata(summary).dictionary) } catch {
      // An inferred mapping would drop what the mapping model converts.
      throw self.error(NSMigrationMissingMappingModelError, "\(error)", summary)
    }
    guard found != nil || options.isSet(NSInferMappingModelAutomaticallyOption) else {
      throw error(NSMigrationMissingMappingModelError, "Can't find mapping model for migration", summary)
    }
    if options.isSet(NSReadOnlyPersistentStoreOption) {
      throw error(NSMigrationError, "Cannot migrate store in-place: the store is read only", summary)
    }
    if let found { return try follow(found.mapping, from: found.model) }
    let mapping = try InferredMapping(model, configuration).mapping(from: summary.schema)
    do { try Self.migrate(path, mapping) } catch {
      switch error {
      case ObjectStoreError.otherModel, ObjectStoreError.missing: throw Overtaken()
      default: throw Self.failure(error, mapping, url, nil)
      }
    }
  }

  // MARK: Mapping models

  /// The mapping model of the program for the version of a store with these metadata, and that version; nil if there is
  /// none.
  ///
  /// - Throws: if the mapping model for the two versions can't be read.
  private func mappingModel(
    _ metadata: [String: Any]
  ) throws -> (mapping: NSMappingModel, model: NSManagedObjectModel)? {
    for source in MappingModels.all(in: nil)
    where source.old.configuration(ofStoreWith: metadata) != nil && source.isTo(model) {
      return (try source.mappingModel(), source.old)
    }
    return nil
  }

  private func follow(_ mapping: NSMappingModel, from source: NSManagedObjectModel) throws {
    let file = StoreFile(URL(fileURLWithPath: path))
    let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
    do { try ObjectMigration(manager, mapping, configuration: configuration).run(from: file, to: file) } catch {
      let error = error as NSError
      throw Self.failed(error.localizedFailureReason ?? error.localizedDescription, error, url, nil)
    }
  }

  /// `target`: where the store of the other version is put; nil for the location of the store itself.
  static func migrate(
    _ path: String, _ mapping: StoreMapping, _ url: URL?, to target: (path: String, url: URL)? = nil,
    checkpoint: @escaping () throws -> Void
  ) throws {
    do { try migrate(path, mapping, to: target?.path, checkpoint) } catch {
      throw failure(error, mapping, url, target?.url)
    }
  }

  private static func migrate(
    _ path: String, _ mapping: StoreMapping, to target: String? = nil, _ checkpoint: @escaping () throws -> Void = {}
  ) throws {
    let rows = MirrorMigration(mapping)
    try ObjectStore.migrate(
      path, to: target, mapping, mirrorRow: { try rows.row($1, in: $0, $2) }, checkpoint: checkpoint)
  }

  /// A program cancelled the migration, for a reason of its own.
  struct Cancelled: Error {
    let reason: any Error
  }

  /// The error of a migration that failed for this reason.
  private static func failure(_ error: any Error, _ mapping: StoreMapping, _ url: URL?, _ target: URL?) -> NSError {
    switch error {
    case let cancelled as Cancelled: return cancelled.reason as NSError
    case let refusal as NotMigratable:
      return failed(refusal.reason, CoreDataError.refused(refusal), url, target)
    case let violation as UniqueViolation:
      return failed(CoreDataError.notUniqueReason, CoreDataError.notUnique(violation, mapping), url, target)
    default:
      let underlying = (error as? ObjectStoreError).map { CoreDataError.store($0, url: url) } ?? error as NSError
      return failed("\(error)", underlying, url, target)
    }
  }

  private func error(_ code: Int, _ reason: String, _ summary: StoreDescription) -> NSError {
    CoreDataError.error(
      code, reason: reason, url: url,
      userInfo: ["metadata": StoreMetadata(summary).dictionary, "reason": reason])
  }

  private static func failed(_ reason: String, _ underlying: NSError, _ url: URL?, _ target: URL?) -> NSError {
    let reason = "Cannot migrate store\(target == nil ? " in-place" : ""): \(reason)"
    var info: [String: Any] = ["reason": reason, NSUnderlyingErrorKey: underlying]
    (info["sourceURL"], info["destinationURL"]) = (url, target ?? url)
    return CoreDataError.error(
      NSMigrationError, description: "An error occurred during persistent store migration.", reason: reason, url: url,
      userInfo: info)
  }
}

/// The mapping of a store, or of another model, to a configuration of a model.
struct InferredMapping {
  private let model: NSManagedObjectModel
  private let configuration: String?

  init(_ model: NSManagedObjectModel, _ configuration: String?) {
    self.model = model
    self.configuration = configuration
  }

  /// Throws ``NSInferredMappingModelError``.
  func mapping(from source: StoreSchema) throws -> StoreMapping {
    var mapping: StoreMapping
    do throws(NotInferable) {
      mapping = try StoreMapping(from: source, to: model.storeSchema(configuration: configuration))
    } catch { throw CoreDataError.notInferable(error) }
    mapping.metadata = StoreMetadata.new(for: model)
    let entities = model.entitiesByName
    for (index, entity) in mapping.destination.entities.enumerated() {
      guard let described = entities[entity.name] else { continue }
      for (number, attribute) in entity.attributes.enumerated() {
        guard let value = described.attributesByName[attribute.name]?.storedDefault else { continue }
        mapping.entities[index].attributes[number].defaultValue = value
      }
    }
    return mapping
  }
}

extension CoreDataError {
  static func notInferable(_ failure: NotInferable) -> NSError {
    var info: [String: Any] = ["entity": failure.entity, "reason": failure.reason]
    info["property"] = failure.property
    return error(
      NSInferredMappingModelError,
      reason: "\(failure.reason): \(failure.entity)" + (failure.property.map { ".\($0)" } ?? ""), userInfo: info)
  }

  static func refused(_ failure: NotMigratable) -> NSError {
    error(
      NSMigrationError, reason: "\(failure.reason): \(failure.object).\(failure.property)",
      userInfo: ["attribute": failure.property, "entity": failure.entity, "reason": failure.reason])
  }

  fileprivate static let notUniqueReason = "constraint violation during attempted migration"

  /// Objects would have the same unique values. `objects` names them as the store's files do.
  ///
  /// - Assumption: the conflicts are under `conflictList`, as in the error of a save. They have values and no objects.
  fileprivate static func notUnique(_ violation: UniqueViolation, _ mapping: StoreMapping) -> NSError {
    let rows = violation.conflicts.map { conflict in [conflict.stored].compactMap(\.self) + conflict.rows }
    let conflicts = zip(violation.conflicts, rows).map { conflict, rows in
      NSConstraintConflict(
        constraint: conflict.properties, database: nil, databaseSnapshot: nil, conflicting: [],
        conflictingSnapshots: rows.map { mapping.values(of: conflict.properties, in: $0) })
    }
    let objects = rows.map { $0.map { mapping.sourceName(of: $0.id) } }
    let texts = zip(violation.conflicts, objects).map { conflict, objects in
      "\(objects.joined(separator: ", ")) have the same \(conflict.properties.joined(separator: ", "))"
    }
    return error(
      NSMigrationConstraintViolationError, reason: "\(notUniqueReason): \(texts.joined(separator: "; "))",
      userInfo: [
        "conflictList": conflicts, "objects": objects.joined().sorted(), "reason": notUniqueReason,
      ])
  }
}

extension StoreMapping {
  /// What an object of the destination is in the source's files.
  fileprivate func sourceName(of id: RowID) -> String {
    let entity = Int(id.entity)
    let name = entities[entity].source.map { source.entities[$0].name } ?? destination.entities[entity].name
    return "\(name)/\(id.number)"
  }

  /// Values of an object of the destination by name; of a relationship, what it leads to as the source's files name it.
  fileprivate func values(of properties: [String], in row: StoredRow) -> [String: Any] {
    let entity = destination.entities[Int(row.id.entity)]
    var values: [String: Any] = [:]
    for (attribute, value) in zip(entity.attributes, row.attributes) where properties.contains(attribute.name) {
      values[attribute.name] = value.object
    }
    for (relationship, target) in zip(entity.toOnes, row.toOnes) {
      let name = destination.relationships[relationship].name
      if properties.contains(name) { values[name] = target.map(sourceName) }
    }
    return values
  }
}
