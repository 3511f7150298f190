import Foundation
import ObjectStore

/// What a context reads: its stores, or its parent.
extension NSManagedObjectContext {
  /// An object's values; nil if there is no such object.
  func snapshot(of id: NSManagedObjectID) throws -> ObjectSnapshot? {
    if let parent { return try ParentContext(context: parent).snapshot(of: id) }
    guard let store = store(of: id), let row = store.rowID(id) else { return nil }
    return try store.reading { try $0.row(row) }.map(ObjectSnapshot.init)
  }

  /// The values of objects, by identity. Reads each store once.
  func snapshots(of ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: ObjectSnapshot] {
    if let parent { return try ParentContext(context: parent).snapshots(of: ids) }
    var result: [NSManagedObjectID: ObjectSnapshot] = [:]
    for store in stores {
      let wanted = ids.compactMap(store.rowID)
      guard !wanted.isEmpty else { continue }
      for row in try store.reading({ try $0.rows(wanted) }) { result[store.objectID(row.id)] = ObjectSnapshot(row) }
    }
    return result
  }

  /// The targets of a relationship as they were last saved.
  func relatedIDs(of id: NSManagedObjectID, _ relationship: NSRelationshipDescription) throws -> [NSManagedObjectID] {
    if let parent { return try ParentContext(context: parent).relatedIDs(of: id, relationship) }
    guard let store = store(of: id), let row = store.rowID(id),
      let place = store.relationship(relationship, of: id.entity)
    else { return [] }
    return try store.reading { try $0.related(row, place) }.map(store.objectID)
  }

  func contents(of binary: ExternalBinary, in id: NSManagedObjectID) -> Data? {
    (try? store(of: id)?.objects.contents(of: binary)).map { Data($0) }
  }

  private func store(of id: NSManagedObjectID) -> NSPersistentStore? {
    guard case .permanent(let identifier, _) = id.key else { return nil }
    return id.persistentStore ?? stores.first { $0.identifier == identifier }
  }
}
