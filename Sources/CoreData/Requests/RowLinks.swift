import Foundation
import LocalCloudObjectStore

/// Updates relationships of rows in a transaction, with their inverses, without a context.
struct RowLinks {
  let store: NSPersistentStore
  let transaction: StoreTransaction

  /// The row of a relationship's new target. Throws for an object that is not in the store.
  func row(_ id: NSManagedObjectID, _ relationship: NSRelationshipDescription) throws -> RowID {
    guard let row = store.rowID(id) else {
      throw CoreDataError.error(
        NSManagedObjectExternalRelationshipError,
        reason:
          "The relationship '\(relationship.name)' can't lead to \(id.uriRepresentation()), which is not saved in "
          + "the store of the objects.", userInfo: [NSAffectedObjectsErrorKey: [id]])
    }
    guard try transaction.exists(row) else { throw NSManagedObjectContext.missingError(id) }
    return row
  }

  /// The targets of a relationship that exist in the transaction.
  func targets(of id: RowID, _ relationship: NSRelationshipDescription) throws -> [RowID] {
    guard let number = number(relationship, id) else { return [] }
    return try transaction.related(id, number).filter { try transaction.exists($0) }
  }

  /// Sets a relationship to one object in a row, and the inverse in the rows of the old and the new target, if rows
  /// store the inverse, too. The caller saves the changed row.
  func set(_ relationship: NSRelationshipDescription, of row: inout StoredRow, to target: RowID?) throws {
    guard let index = toOneIndex(relationship, row.id), row.toOnes[index] != target else { return }
    let old = row.toOnes[index]
    row.toOnes[index] = target
    guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return }
    if let old { try clear(inverse, of: old, from: row.id) }
    guard let target, let index = toOneIndex(inverse, target), var other = try transaction.row(target) else { return }
    // The target's former partner now has no target.
    if let displaced = other.toOnes[index], displaced != row.id {
      try clear(relationship, of: displaced, from: target)
    }
    if target == row.id {
      row.toOnes[index] = row.id
      return
    }
    other.toOnes[index] = row.id
    try transaction.update(other, changed: [inverse.name])
  }

  /// Removes an object from a relationship of another object.
  func clear(_ relationship: NSRelationshipDescription, of id: RowID, from target: RowID) throws {
    guard var row = try transaction.row(id) else { return }
    if !relationship.isToMany {
      guard let index = toOneIndex(relationship, id), row.toOnes[index] == target else { return }
      row.toOnes[index] = nil
    }
    // A relationship to many objects is stored in the target's row or in a pair; the update here records it in the
    // history.
    try transaction.update(row, changed: [relationship.name])
  }

  private func number(_ relationship: NSRelationshipDescription, _ id: RowID) -> Int? {
    store.objects.schema.relationship(named: relationship.name, of: Int(id.entity))
  }

  /// The index of a relationship to one object in rows of an object's entity.
  private func toOneIndex(_ relationship: NSRelationshipDescription, _ id: RowID) -> Int? {
    number(relationship, id).flatMap { store.objects.schema.entities[Int(id.entity)].toOnes.firstIndex(of: $0) }
  }
}
