import Foundation
import ObjectStore

/// Executes a batch insertion: all objects in one transaction of one store.
struct BatchInsert {
  let request: NSBatchInsertRequest
  let context: NSManagedObjectContext

  /// Returns the identities of the new objects.
  ///
  /// - Assumption: of several stores, the first one that takes the entity gets the objects, as with ``NSManagedObjectContext/save()``.
  func run() throws -> [NSManagedObjectID] {
    let write = BatchWrite(request.entity?.name ?? request.entityName, context)
    if write.entity.isAbstract {
      raiseException("Cannot create an object of the abstract entity '\(write.entity.name ?? "")'.")
    }
    let stores = try write.stores(request.affectedStores)
    let store = stores.first { !$0.isReadOnly } ?? stores[0]
    let layout = write.entity.derived(EntityLayout.init)
    // The transaction may run more than once, but the program is asked once.
    let rows = try values(layout)
    guard !rows.isEmpty, let place = store.place(of: write.entity) else { return [] }
    return try write.run(in: store) { transaction in
      try rows.map { values in
        let id = transaction.newID(of: place)
        let attributes = try zip(values, layout.attributes).map { try transaction.placed($0, of: $1) }
        transaction.insert(
          StoredRow(id: id, version: 1, attributes: attributes, toOnes: layout.toOnes.map { _ in nil }))
        return id
      }
    }
    .map(store.objectID)
  }

  /// The values of all objects, in the order of the layout's attributes.
  private func values(_ layout: EntityLayout) throws -> [[StoredValue]] {
    if let dictionaries = request.objectsToInsert { return try dictionaries.map { try values($0, layout) } }
    var rows: [[StoredValue]] = []
    if let handler = request.dictionaryHandler {
      while true {
        let dictionary = NSMutableDictionary()
        if handler(dictionary) { return rows }
        var values: [String: Any] = [:]
        for (key, value) in dictionary { values["\(key)"] = value }
        rows.append(try self.values(values, layout))
      }
    }
    if let handler = request.managedObjectHandler {
      while true {
        let object = layout.entity.managedObjectClass.init(entity: layout.entity, insertInto: nil)
        if handler(object) { return rows }
        try refuseRelationships(of: object)
        rows.append(object.attributes)
      }
    }
    return rows
  }

  /// - Assumption: a key that is no attribute fails the insertion, and so does a relationship, which Apple's store does
  ///   not set. An attribute without a value has its default.
  private func values(_ dictionary: [String: Any], _ layout: EntityLayout) throws -> [StoredValue] {
    var values = layout.defaults
    for (key, value) in dictionary {
      switch layout.property(key) {
      case .attribute(let place):
        values[place] = StoredValue(value, of: layout.attributes[place])
      case .transformable(let place):
        values[place] = value is NSNull ? .null : StoredValue(transforming: value, by: layout.attributes[place])
      case .transient: continue
      case .toOne, .toMany: throw refused(key, layout.entity, "is a relationship, which a batch insertion can't set")
      case nil: throw refused(key, layout.entity, "is no attribute")
      }
    }
    return values
  }

  private func refuseRelationships(of object: NSManagedObject) throws {
    for (place, relationship) in object.layout.toOnes.enumerated() where object.toOnes[place].id != nil {
      // What it was related to forgets it.
      object.setToOne(place, to: nil)
      throw refused(relationship.name, object.entity, "is a relationship, which a batch insertion can't set")
    }
    for (place, relationship) in object.layout.toManys.enumerated() where object.toManys[place].hasChanges {
      object.setToMany(place, to: [])
      throw refused(relationship.name, object.entity, "is a relationship, which a batch insertion can't set")
    }
  }

  private func refused(_ key: String, _ entity: NSEntityDescription, _ reason: String) -> NSError {
    CoreDataError.error(NSCoreDataError, reason: "'\(key)' of the entity '\(entity.name ?? "")' \(reason).")
  }
}
