import Foundation
import ObjectStore

/// Executes a batch update: one transaction for each store.
struct BatchUpdate {
  let request: NSBatchUpdateRequest
  let context: NSManagedObjectContext

  /// A property's new value.
  private enum Change {
    case attribute(NSAttributeDescription, StoredValue)
    case toOne(NSRelationshipDescription, NSManagedObjectID?)

    var name: String {
      switch self {
      case .attribute(let attribute, _): attribute.name
      case .toOne(let relationship, _): relationship.name
      }
    }
  }

  /// Returns the identities of the objects that matched, whether or not they had the values before.
  func run() throws -> [NSManagedObjectID] {
    let write = BatchWrite(request.entityName, context)
    let changes = try changes(of: write.entity)
    let fetch = NSFetchRequest<NSManagedObjectID>()
    fetch.entity = write.entity
    fetch.predicate = request.predicate
    fetch.includesSubentities = request.includesSubentities
    let plan = try FetchPlan(fetch, in: context)
    var updated: [NSManagedObjectID] = []
    for store in try write.stores(request.affectedStores) {
      updated += try write.run(in: store) { transaction in
        let rows = try transaction.fetch(plan.query(store))
        transaction.keepAtHand(rows)
        try update(rows, changes, store, transaction)
        return rows.map(\.id)
      }
      .map(store.objectID)
    }
    return updated
  }

  // MARK: What the program passes

  private func changes(of entity: NSEntityDescription) throws -> [Change] {
    guard let properties = request.propertiesToUpdate, !properties.isEmpty else {
      throw CoreDataError.error(NSCoreDataError, reason: "A batch update has to have propertiesToUpdate.")
    }
    var changes: [String: Change] = [:]
    for (key, value) in properties {
      let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String ?? "\(key.base)"
      changes[name] = try change(name, value, entity)
    }
    return changes.values.sorted { $0.name < $1.name }
  }

  private func change(_ name: String, _ value: Any, _ entity: NSEntityDescription) throws -> Change {
    switch entity.propertiesByName[name] {
    case let attribute as NSAttributeDescription where !attribute.isTransient:
      if attribute is NSDerivedAttributeDescription {
        raiseException("Invalid property (\(name)) passed to propertiesToUpdate: it is derived from others.")
      }
      let isTransformable = attribute.type == .transformable && !(value is NSNull)
      return .attribute(
        attribute,
        isTransformable ? StoredValue(transforming: value, by: attribute) : StoredValue(value, of: attribute))
    case let relationship as NSRelationshipDescription where !relationship.isToMany && !relationship.isTransient:
      return .toOne(relationship, try target(value, relationship))
    default:
      raiseException(
        "Invalid property (\(name)) passed to propertiesToUpdate: the entity '\(entity.name ?? "")' has no such "
          + "attribute or relationship to one object that a store holds.")
    }
  }

  private func target(_ value: Any, _ relationship: NSRelationshipDescription) throws -> NSManagedObjectID? {
    if value is NSNull { return nil }
    guard let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID,
      relationship.destinationEntity.map({ id.entity.isKindOf(entity: $0) }) ?? false
    else {
      raiseException(
        "Unacceptable type of value for relationship: property = \"\(relationship.name)\"; given type = "
          + "\(type(of: value)); value = \(value).")
    }
    return id
  }

  // MARK: In the transaction

  private func update(
    _ rows: [StoredRow], _ changes: [Change], _ store: NSPersistentStore, _ transaction: StoreTransaction
  ) throws {
    let schema = store.objects.schema
    let links = RowLinks(store: store, transaction: transaction)
    // The bytes of a file are written once for all rows.
    let values = try changes.map { change -> StoredValue? in
      guard case .attribute(let attribute, let value) = change else { return nil }
      return try transaction.placed(value, of: attribute)
    }
    let names = changes.map(\.name)
    for id in rows.map(\.id) {
      let entity = schema.entities[Int(id.entity)]
      // An earlier row's change may have been one of this row, too.
      guard var row = try transaction.row(id) else { continue }
      let before = row
      for (change, value) in zip(changes, values) {
        switch change {
        case .attribute(let attribute, _):
          guard let value, let place = entity.attributes.firstIndex(where: { $0.name == attribute.name }) else {
            continue
          }
          row.attributes[place] = value
        case .toOne(let relationship, let target):
          try links.set(relationship, of: &row, to: target.map { try links.row($0, relationship) })
        }
      }
      if row != before { try transaction.update(row, changed: names) }
    }
  }
}
