import Foundation
import ObjectStore

/// Opens the store that a program asks a coordinator for.
struct StoreOpening {
  var type: String
  var configuration: String?
  var url: URL?
  var options: [AnyHashable: Any]?

  func open(for coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    guard [NSSQLiteStoreType, NSInMemoryStoreType].contains(type) else {
      throw error(NSPersistentStoreInvalidTypeError, "There are no stores of the type \(type) here.")
    }
    let model = coordinator.managedObjectModel
    if let configuration, !model.configurations.contains(configuration) {
      throw error(NSPersistentStoreOpenError, "The model has no configuration '\(configuration)'.")
    }
    try refuseUnsupported(model)
    let isTemporary = type == NSInMemoryStoreType || url?.path == "/dev/null"
    guard let path = isTemporary ? Self.temporaryPath() : url?.path, isTemporary || url?.isFileURL == true else {
      throw error(NSPersistentStoreOpenError, "The store has no file URL.")
    }
    if coordinator.persistentStores.contains(where: { $0.objects.path == path }) {
      throw error(NSPersistentStoreOpenError, "The coordinator has a store at this URL already.")
    }
    var settings = ObjectStore.Options()
    settings.isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    settings.isDurable = !isTemporary
    do throws(ObjectStoreError) {
      let objects = try ObjectStore(path, schema: model.storeSchema(configuration: configuration), options: settings)
      return NSPersistentStore(
        objects, type: type, configuration: configuration, url: url, options: options, isTemporary: isTemporary,
        of: coordinator)
    } catch {
      throw CoreDataError.store(error, url: url)
    }
  }

  private static func temporaryPath() -> String {
    URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("localcloud-store-\(UUID().uuidString)").path
  }

  private func refuseUnsupported(_ model: NSManagedObjectModel) throws {
    for entity in model.entities {
      if !entity.uniquenessConstraints.isEmpty {
        throw error(
          NSPersistentStoreOpenError, "Uniqueness constraints are not supported yet: entity \(entity.name ?? "").")
      }
    }
  }

  private func error(_ code: Int, _ reason: String) -> NSError {
    CoreDataError.error(code, reason: reason, url: url)
  }
}
