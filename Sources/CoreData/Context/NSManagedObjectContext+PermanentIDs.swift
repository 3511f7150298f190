import Foundation
import LocalCloudObjectStore

/// Gives unsaved objects the identities that they will have in their stores.
extension NSManagedObjectContext {
  /// An object that was saved into the parent gets the identity of the parent's object, made permanent if it is
  /// temporary.
  func obtainIDs(for objects: [NSManagedObject]) throws {
    applyRenames()
    if let parent {
      let saved = objects.filter { $0.identity.isTemporaryID && $0.stage != .inserted }
      try parent.queue.borrow { try parent.obtainPermanentIDs(forChildObjects: saved.map(\.identity)) }
      applyRenames()
    }
    var byStore: [ObjectIdentifier: (store: NSPersistentStore, objects: [NSManagedObject])] = [:]
    for object in objects where object.identity.isTemporaryID {
      let store = try StoreAssignment(context: self).store(of: object)
      byStore[ObjectIdentifier(store), default: (store, [])].objects.append(object)
    }
    for (store, objects) in byStore.values {
      let numbers = try store.writing(for: self) { transaction in objects.map { _ in transaction.newNumber() } }
        .result
      for (object, number) in zip(objects, numbers) {
        rename(object, NSManagedObjectID(object.entity, number: number, in: store))
      }
    }
  }

  /// Obtains identities for objects that a child context saved into this one. The child is notified of them.
  private func obtainPermanentIDs(forChildObjects ids: [NSManagedObjectID]) throws {
    applyRenames()
    let ids = ids.map(registered.resolved).filter(\.isTemporaryID)
    let own = ids.compactMap { registered[$0] }
    if !own.isEmpty { try obtainIDs(for: own) }
    // Objects that this context has saved into its own parent are not registered here.
    let others = ids.filter { registered[$0] == nil && registered.resolved($0).isTemporaryID }
    guard let missing = others.first else { return }
    guard let parent else { throw NSManagedObjectContext.missingError(missing) }
    try parent.queue.borrow { try parent.obtainPermanentIDs(forChildObjects: others) }
    applyRenames()
  }
}
