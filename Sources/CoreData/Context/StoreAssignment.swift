import Foundation
import LocalCloudObjectStore

/// A store's part of a save.
struct StorePart {
  var store: NSPersistentStore
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  var deleted: [NSManagedObject] = []
  /// Unchanged objects that the save checks for changes by other contexts.
  var checked: [NSManagedObject] = []
}

/// Assigns the changed objects of a context to its stores.
struct StoreAssignment {
  let context: NSManagedObjectContext

  /// The stores' parts of a save, in the order of the coordinator's stores.
  func parts() throws -> [StorePart] {
    var parts = context.stores.map { StorePart(store: $0) }
    func add(_ object: NSManagedObject, _ path: WritableKeyPath<StorePart, [NSManagedObject]>) throws {
      let store = try store(of: object)
      guard let index = parts.firstIndex(where: { $0.store === store }) else {
        throw CoreDataError.error(
          NSPersistentStoreSaveError,
          reason: "The store of the object \(object.identity.uriRepresentation()) was removed.")
      }
      parts[index][keyPath: path].append(object)
    }
    // An object that could not be read has no known values to save, and its delete rules were not applied.
    for object in context.changes.updated.union(context.changes.deleted) {
      if let error = object.readError { throw error }
    }
    for object in context.changes.inserted.inOrder { try add(object, \.inserted) }
    for object in context.changes.updated { try add(object, \.updated) }
    for object in context.changes.storedDeletions { try add(object, \.deleted) }
    for object in context.changes.checked where object.stage == .present && !context.changes.updated.contains(object) {
      try add(object, \.checked)
    }
    parts.removeAll { $0.inserted.isEmpty && $0.updated.isEmpty && $0.deleted.isEmpty }
    for part in parts {
      if part.store.isReadOnly {
        throw CoreDataError.error(
          NSPersistentStoreSaveError, reason: "The store at \(part.store.objects.path) is open for reading only.")
      }
      try refuseForeignTargets(of: part)
    }
    return parts
  }

  /// The store of an object: the one that was assigned to it, otherwise the one of a related object, otherwise the
  /// first one that takes its entity.
  func store(of object: NSManagedObject) throws -> NSPersistentStore {
    if let store = object.identity.persistentStore ?? context.changes.stores[object] { return store }
    let candidates = context.stores.filter { $0.entityIndex(of: object.entity) != nil && !$0.isReadOnly }
    guard let first = candidates.first else {
      throw CoreDataError.error(
        NSPersistentStoreSaveError,
        reason:
          "No store of the coordinator takes an object of the entity '\(object.entity.name ?? "")' to be written.")
    }
    guard candidates.count > 1 else { return first }
    let store = relatedStore(of: object).flatMap { related in candidates.first { $0 === related } } ?? first
    context.changes.stores[object] = store
    return store
  }

  /// The store of the nearest object that has one, by relationships that are in memory.
  private func relatedStore(of object: NSManagedObject) -> NSPersistentStore? {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    var waiting = [object]
    while !waiting.isEmpty {
      let present = waiting.removeFirst()
      var targets = present.toOnes.indices.compactMap { present.toOneObject($0) }
      for members in present.toManys { targets += members.list + members.newcomers }
      for target in targets where seen.insert(ObjectIdentifier(target)).inserted {
        if let store = target.identity.persistentStore ?? context.changes.stores[target] { return store }
        waiting.append(target)
      }
    }
    return nil
  }

  /// Throws an error for a reference from one store to another: it can't be stored.
  private func refuseForeignTargets(of part: StorePart) throws {
    guard context.stores.count > 1 else { return }
    for object in part.inserted + part.updated {
      for (index, relationship) in object.layout.toOnes.enumerated() {
        guard let target = object.toOneObject(index), target.stage.isLive else { continue }
        if try store(of: target) !== part.store { throw foreign(object, relationship.name) }
      }
      for (index, relationship) in object.layout.toManys.enumerated() {
        for target in object.toManys[index].added where target.stage.isLive {
          if try store(of: target) !== part.store { throw foreign(object, relationship.name) }
        }
      }
    }
  }

  private func foreign(_ object: NSManagedObject, _ relationship: String) -> NSError {
    CoreDataError.error(
      NSManagedObjectExternalRelationshipError,
      reason:
        "The relationship '\(relationship)' of \(object.identity.uriRepresentation()) leads to an object in another store."
    )
  }
}
