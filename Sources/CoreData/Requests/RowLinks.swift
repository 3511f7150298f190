import Foundation
import LocalCloudObjectStore

/// Relationships of rows in a transaction, with their inverses, where no context keeps them.
struct RowLinks {
  let store: NSPersistentStore
  let transaction: StoreTransaction

  /// The row of an object that a relationship is to lead to. Throws for an object that the store has not.
  func row(_ id: NSManagedObjectID, _ relationship: NSRelationshipDescription) throws -> RowID {
    guard let row = store.rowID(id) else {
      throw CoreDataError.error(
        NSManagedObjectExternalRelationshipError,
        reason:
          "The relationship '\(relationship.name)' can't lead to \(id.uriRepresentation()), which is not saved in "
          + "the store of the objects.", userInfo: [NSAffectedObjectsErrorKey: [id]])
    }
    guard try transaction.version(of: row) != nil else { throw NSManagedObjectContext.missing(id) }
    return row
  }

  /// The objects of the store, as they are in the transaction, that a relationship leads to.
  func targets(of id: RowID, _ relationship: NSRelationshipDescription) throws -> [RowID] {
    guard let number = number(relationship, id) else { return [] }
    return try transaction.related(id, number).filter { try transaction.version(of: $0) != nil }
  }

  /// Sets a relationship to one object in a row, and in the rows that it led to and is to lead to, if the inverse is in
  /// rows, too. The caller puts the row.
  func set(_ relationship: NSRelationshipDescription, of row: inout StoredRow, to target: RowID?) throws {
    guard let place = place(relationship, row.id), row.toOnes[place] != target else { return }
    let old = row.toOnes[place]
    row.toOnes[place] = target
    guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return }
    if let old { try clear(inverse, of: old, from: row.id) }
    guard let target, let place = self.place(inverse, target), var other = try transaction.row(target) else { return }
    // Whose it was before, has none now.
    if let displaced = other.toOnes[place], displaced != row.id {
      try clear(relationship, of: displaced, from: target)
    }
    if target == row.id {
      row.toOnes[place] = row.id
      return
    }
    other.toOnes[place] = row.id
    try transaction.update(other, changed: [inverse.name])
  }

  /// Takes an object out of a relationship of another one.
  func clear(_ relationship: NSRelationshipDescription, of id: RowID, from target: RowID) throws {
    guard var row = try transaction.row(id) else { return }
    if !relationship.isToMany {
      guard let place = place(relationship, id), row.toOnes[place] == target else { return }
      row.toOnes[place] = nil
    }
    // Of a relationship to many, the target's own row or pair tells; the history tells of it here.
    try transaction.update(row, changed: [relationship.name])
  }

  private func number(_ relationship: NSRelationshipDescription, _ id: RowID) -> Int? {
    store.objects.schema.relationship(named: relationship.name, of: Int(id.entity))
  }

  /// The place of a relationship to one object in rows of an object's entity.
  private func place(_ relationship: NSRelationshipDescription, _ id: RowID) -> Int? {
    number(relationship, id).flatMap { store.objects.schema.entities[Int(id.entity)].toOnes.firstIndex(of: $0) }
  }
}
