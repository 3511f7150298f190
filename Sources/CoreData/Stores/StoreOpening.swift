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
      throw NSError(error, url: url)
    }
  }

  private static func temporaryPath() -> String {
    URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("localcloud-store-\(UUID().uuidString)").path
  }

  private func refuseUnsupported(_ model: NSManagedObjectModel) throws {
    for entity in model.entities {
      for relationship in entity.relationshipsByName.values where relationship.isOrdered {
        throw error(
          NSPersistentStoreOpenError,
          "Ordered relationships are not supported yet: \(entity.name ?? "").\(relationship.name).")
      }
      if !entity.uniquenessConstraints.isEmpty {
        throw error(
          NSPersistentStoreOpenError, "Uniqueness constraints are not supported yet: entity \(entity.name ?? "").")
      }
    }
  }

  private func error(_ code: Int, _ reason: String) -> NSError {
    var info: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason]
    info[NSURLErrorKey] = url
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}

extension NSError {
  /// A store's error as programs know it.
  convenience init(_ error: ObjectStoreError, url: URL?) {
    let (code, reason): (Int, String) =
      switch error {
      case .notAStore(let path):
        (
          NSPersistentStoreOpenError,
          "\(path) is not a store of this library, which keeps objects in a folder of that name. Move the file away, or "
            + "use another URL."
        )
      case .missing(let path): (NSPersistentStoreOpenError, "There is no store at \(path).")
      case .otherModel(_, let entities):
        (
          NSPersistentStoreIncompatibleVersionHashError,
          "The model used to open the store is incompatible with the one used to create the store: "
            + entities.joined(separator: ", ") + "."
        )
      case .unknownFormat(let path, let version):
        (NSPersistentStoreOpenError, "\(path) has the format \(version), which is of a later version of this library.")
      case .readOnly(let path): (NSPersistentStoreSaveError, "The store at \(path) is open for reading only.")
      case .historyPurged: (NSPersistentHistoryTokenExpiredError, "The history that was asked for was purged.")
      case .storage(let path, let reason, _): (NSPersistentStoreOperationError, "\(path): \(reason)")
      }
    var info: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason]
    info[NSURLErrorKey] = url
    self.init(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
