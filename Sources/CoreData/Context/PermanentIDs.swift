import Foundation
import LocalCloudObjectStore

/// Gives unsaved objects the identities that they will have in their stores.
struct PermanentIDs {
  let context: NSManagedObjectContext

  /// An object that was saved into the parent gets the identity of the parent's object, made permanent if it is
  /// temporary.
  func obtain(for objects: [NSManagedObject]) throws {
    context.applyRenames()
    if let parent = context.parent {
      let saved = objects.filter { $0.identity.isTemporaryID && $0.stage != .inserted }
      try parent.queue.borrow { try PermanentIDs(context: parent).obtain(forChildObjects: saved.map(\.identity)) }
      context.applyRenames()
    }
    var byStore: [ObjectIdentifier: (store: NSPersistentStore, objects: [NSManagedObject])] = [:]
    for object in objects where object.identity.isTemporaryID {
      let store = try context.store(of: object)
      byStore[ObjectIdentifier(store), default: (store, [])].objects.append(object)
    }
    for (store, objects) in byStore.values {
      let numbers = try store.writing(for: context) { transaction in objects.map { _ in transaction.newNumber() } }
        .result
      for (object, number) in zip(objects, numbers) {
        context.rename(object, NSManagedObjectID(object.entity, number: number, in: store))
      }
    }
  }

  /// Obtains identities for objects that a child context saved into this one. The child is notified of them.
  private func obtain(forChildObjects ids: [NSManagedObjectID]) throws {
    context.applyRenames()
    let ids = ids.map(context.registered.resolved).filter(\.isTemporaryID)
    let own = ids.compactMap { context.registered[$0] }
    if !own.isEmpty { try obtain(for: own) }
    // Objects that this context has saved into its own parent are not registered here.
    let others = ids.filter { context.registered[$0] == nil && context.registered.resolved($0).isTemporaryID }
    guard let missing = others.first else { return }
    guard let parent = context.parent else { throw NSManagedObjectContext.missingError(missing) }
    try parent.queue.borrow { try PermanentIDs(context: parent).obtain(forChildObjects: others) }
    context.applyRenames()
  }
}
