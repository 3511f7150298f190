import Foundation
import LocalCloudObjectStore

/// The objects that a save wrote.
struct SavedObjects {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  /// The numbers of the transactions, by the identifiers of stores with a history.
  var transactions: [String: Int64] = [:]

  /// The key of the history token in the notification.
  static let historyTokenKey = "newChangeToken"

  var identities: ObjectChangeIDs {
    ObjectChangeIDs(
      inserted: inserted.map(\.identity), updated: updated.map(\.identity), deleted: deleted.map(\.identity))
  }

  /// Posts the context's notifications of the save.
  func post(by context: NSManagedObjectContext) {
    var objects: [AnyHashable: Any] = [:]
    var ids: [AnyHashable: Any] = [:]
    for (key, idKey, set) in [
      (NSInsertedObjectsKey, NSManagedObjectContext.NotificationKey.insertedObjectIDs, inserted),
      (NSUpdatedObjectsKey, .updatedObjectIDs, updated),
      (NSDeletedObjectsKey, .deletedObjectIDs, deleted),
    ] where !set.isEmpty {
      objects[key] = set
      ids[idKey.rawValue] = Set(set.map(\.objectID))
    }
    objects[Self.historyTokenKey] = historyToken(context.persistentStoreCoordinator)
    // Nil if the stores can't be read: the save has succeeded nevertheless.
    objects[NSManagedObjectContext.NotificationKey.queryGeneration.rawValue] = try? context.reader.generation()
    NotificationCenter.default.post(
      name: NSManagedObjectContext.didSaveObjectsNotification, object: context, userInfo: objects)
    NotificationCenter.default.post(
      name: NSManagedObjectContext.didSaveObjectIDsNotification, object: context, userInfo: ids)
  }

  /// The point in the history after the save; nil if no written store has a history.
  private func historyToken(_ coordinator: NSPersistentStoreCoordinator?) -> NSPersistentHistoryToken? {
    guard !transactions.isEmpty else { return nil }
    let others = (coordinator?.persistentStores ?? []).filter { transactions[$0.identifier] == nil }
    let heads = others.isEmpty ? nil : coordinator?.currentPersistentHistoryToken(fromStores: others)
    return NSPersistentHistoryToken(transactions.merging(heads?.transactions ?? [:]) { own, _ in own })
  }
}
