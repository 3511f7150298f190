import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore

/// Executes a batch update: one transaction for each store.
struct BatchUpdate {
  let request: NSBatchUpdateRequest
  let context: NSManagedObjectContext

  /// A property's new value.
  private enum Change {
    case attribute(NSAttributeDescription, StoredValue)
    case computed(UpdateExpression)
    case toOne(NSRelationshipDescription, NSManagedObjectID?)

    var name: String {
      switch self {
      case .attribute(let attribute, _): attribute.name
      case .computed(let expression): expression.attribute.name
      case .toOne(let relationship, _): relationship.name
      }
    }
  }

  /// Returns the object IDs of the matching objects, including those that had the values already.
  func run() throws -> [NSManagedObjectID] {
    let write = BatchWrite(request.entityName, context)
    let changes = try changes(of: write.entity)
    let fetch = NSFetchRequest<NSManagedObjectID>()
    fetch.entity = write.entity
    fetch.predicate = request.predicate
    fetch.includesSubentities = request.includesSubentities
    let plan = try FetchPlan(fetch, in: context)
    // One time for all objects.
    let now = Date().timeIntervalSinceReferenceDate
    var updated: [NSManagedObjectID] = []
    for store in try write.stores(request.affectedStores) {
      updated += try write.run(in: store) { transaction in
        let rows = try transaction.fetch(plan.query(store))
        transaction.keepAtHand(rows)
        try update(rows, changes, store, transaction, now: now)
        return rows.map(\.id)
      }
      .map(store.objectID)
    }
    return updated
  }

  // MARK: Values to set

  private func changes(of entity: NSEntityDescription) throws -> [Change] {
    guard let properties = request.propertiesToUpdate, !properties.isEmpty else {
      throw CoreDataError.error(NSCoreDataError, reason: "A batch update has to have propertiesToUpdate.")
    }
    var changes: [String: Change] = [:]
    for (key, value) in properties {
      let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String ?? "\(key.base)"
      if changes[name] != nil { raiseException("Property (\(name)) passed to propertiesToUpdate more than once.") }
      changes[name] = try change(name, value, entity)
    }
    return changes.values.sorted { $0.name < $1.name }
  }

  private func change(_ name: String, _ given: Any, _ entity: NSEntityDescription) throws -> Change {
    var (value, expression) = (given, given as? _NSExpression)
    if let constant = expression, constant.expressionType == .constantValue {
      (value, expression) = (constant.constantValue ?? NSNull(), nil)
    }
    switch entity.propertiesByName[name] {
    case let attribute as NSAttributeDescription where !attribute.isTransient:
      if attribute is NSDerivedAttributeDescription {
        raiseException("Invalid property (\(name)) passed to propertiesToUpdate: it is derived from others.")
      }
      if let expression { return .computed(UpdateExpression(expression, attribute, of: entity)) }
      return .attribute(attribute, StoredValue(value, of: attribute))
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
        "Unacceptable type of value for to-one relationship: property = \"\(relationship.name)\"; given type = "
          + "\(type(of: value)); value = \(value).")
    }
    return id
  }

  // MARK: In the transaction

  private func update(
    _ rows: [StoredRow], _ changes: [Change], _ store: NSPersistentStore, _ transaction: StoreTransaction, now: Double
  ) throws {
    let schema = store.objects.schema
    let links = RowLinks(store: store, transaction: transaction)
    // A file's bytes are written once for all rows.
    let changes = try changes.map { change -> Change in
      guard case .attribute(let attribute, let value) = change else { return change }
      return .attribute(attribute, try transaction.placed(value, of: attribute))
    }
    let computed = try computed(rows, changes, schema, transaction, now)
    let names = changes.map(\.name)
    for (index, id) in rows.map(\.id).enumerated() {
      let entity = schema.entities[Int(id.entity)]
      // The change of an earlier row may have changed this row, too.
      guard var row = try transaction.row(id) else { continue }
      let before = row
      var results = computed[index][...]
      for change in changes {
        switch change {
        case .attribute(let attribute, let value): row.set(value, attribute.name, entity)
        case .computed(let expression):
          if let value = results.popFirst() { row.set(value, expression.attribute.name, entity) }
        case .toOne(let relationship, let target):
          try links.set(relationship, of: &row, to: target.map { try links.row($0, relationship) })
        }
      }
      if row != before { try transaction.update(row, changed: names) }
    }
  }

  /// The results of the computed changes, for each row. All are computed before the first change is made.
  private func computed(
    _ rows: [StoredRow], _ changes: [Change], _ schema: StoreSchema, _ transaction: StoreTransaction, _ now: Double
  ) throws -> [[StoredValue]] {
    let expressions = changes.compactMap { if case .computed(let expression) = $0 { expression } else { nil } }
    var evaluation = RowExpressions(transaction, now: now, matching: TextPattern.matching)
    return try rows.map { row in
      try expressions.map { expression in
        let value = try expression.value(row, schema, &evaluation)
        return try transaction.placed(value, of: expression.attribute)
      }
    }
  }
}

extension StoredRow {
  fileprivate mutating func set(_ value: StoredValue, _ name: String, _ entity: StoreSchema.Entity) {
    if let index = entity.attributes.firstIndex(where: { $0.name == name }) { attributes[index] = value }
  }
}
