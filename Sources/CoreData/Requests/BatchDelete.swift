import Foundation
import LocalCloudObjectStore

/// Executes a batch deletion: one transaction for each store.
struct BatchDelete {
  let request: NSBatchDeleteRequest
  let context: NSManagedObjectContext

  /// Returns the object IDs of the deleted objects that the request selects.
  ///
  /// - Assumption: those that a delete rule deleted with them are not included; the history has them.
  /// - Assumption: with several stores, the request's limit and offset apply to each store separately.
  func run() throws -> [NSManagedObjectID] {
    if request.objects?.isEmpty == true { return [] }
    let plan = try FetchPlan(request.fetchRequest, in: context)
    let write = BatchWrite(plan.entity.name, context)
    try refuseDenying(write.entity, withSubentities: plan.withSubentities)
    var deleted: [NSManagedObjectID] = []
    for store in try write.stores(request.affectedStores ?? request.fetchRequest.affectedStores) {
      deleted += try write.run(in: store) { transaction in
        let rows = try rows(plan, store, transaction)
        try RowDeletion(store: store, transaction: transaction).delete(rows)
        return rows.map(\.id)
      }
      .map(store.objectID)
    }
    return deleted
  }

  private func rows(
    _ plan: FetchPlan, _ store: NSPersistentStore, _ transaction: StoreTransaction
  ) throws -> [StoredRow] {
    guard let objects = request.objects else { return try transaction.fetch(plan.query(store)) }
    var seen = Set<RowID>()
    return try transaction.rows(objects.compactMap(store.rowID).filter { seen.insert($0).inserted })
  }

  /// Throws if an object to delete, or one that a cascade deletes with it, may be of an entity with the rule Deny.
  ///
  /// - Assumption: Apple's code for this is not known; it is `NSCoreDataError` here.
  private func refuseDenying(_ entity: NSEntityDescription, withSubentities: Bool) throws {
    var seen = Set<ObjectIdentifier>()
    var waiting = withSubentities ? entity.family : [entity]
    while let next = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      for relationship in next.relationshipsByName.values {
        switch relationship.deleteRule {
        case .denyDeleteRule:
          let name = "\(relationship.entity.name ?? "").\(relationship.name)"
          throw CoreDataError.error(
            NSCoreDataError, reason: "Delete rule is not supported for batch deletes: \(name)",
            userInfo: ["Relationship": name])
        case .cascadeDeleteRule: waiting += relationship.destinationEntity?.family ?? []
        default: continue
        }
      }
    }
  }
}

extension NSEntityDescription {
  /// The entity itself and all its subentities.
  final var family: [NSEntityDescription] { [self] + subentities.flatMap(\.family) }
}

/// Deletes rows and applies the delete rules of their relationships.
private struct RowDeletion {
  let store: NSPersistentStore
  let transaction: StoreTransaction

  func delete(_ rows: [StoredRow]) throws {
    let links = RowLinks(store: store, transaction: transaction)
    var order = rows.map(\.id)
    var doomed = Set(order)
    transaction.keepAtHand(rows)
    var level = order
    while !level.isEmpty {
      var next: [RowID] = []
      for id in level {
        for relationship in relationships(of: id) where relationship.deleteRule == .cascadeDeleteRule {
          next += try links.targets(of: id, relationship).filter { doomed.insert($0).inserted }
        }
      }
      transaction.keepAtHand(try transaction.rows(next))
      order += next
      level = next
    }
    for id in order {
      for relationship in relationships(of: id) where relationship.deleteRule == .nullifyDeleteRule {
        guard let inverse = relationship.inverseRelationship else { continue }
        for target in try links.targets(of: id, relationship) where !doomed.contains(target) {
          if !inverse.isOptional { throw mandatory(relationship, inverse) }
          try links.clear(inverse, of: target, from: id)
        }
      }
    }
    for id in order { try transaction.delete(id) }
  }

  private func relationships(of id: RowID) -> [NSRelationshipDescription] {
    let layout = store.objectID(id).entity.derived(EntityLayout.init)
    return layout.toOnes + layout.toManys
  }

  private func mandatory(_ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription) -> NSError {
    let kind = relationship.isToMany ? (inverse.isToMany ? "MTM" : "OTM") : "OTO"
    return CoreDataError.error(
      NSPersistentStoreSaveConflictsError,
      reason: "Constraint trigger violation: Batch delete failed due to mandatory \(kind) nullify inverse on "
        + "\(relationship.entity.name ?? "")/\(relationship.name)",
      userInfo: ["_NSCoreDataOptimisticLockingFailureConflictsKey": [Any]()])
  }
}
