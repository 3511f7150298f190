import Foundation
import LocalCloudObjectStore

/// Executes a batch insertion: all objects in one transaction of one store. If the store has an object with one of
/// their unique values, the context's merge policy chooses between the two; the error policy chooses the stored one,
/// too.
struct BatchInsert {
  let request: NSBatchInsertRequest
  let context: NSManagedObjectContext

  /// The values that a program gave for an object.
  private struct Given {
    /// In the order of the layout's attributes.
    var values: [StoredValue]
    /// The indexes of the given values; nil if all were given.
    var indexes: Set<Int>?
  }

  /// Returns the object IDs of the inserted objects, and of the existing objects that were changed instead.
  ///
  /// - Assumption: with several stores, the first one that accepts the entity gets the objects, as with
  ///   ``NSManagedObjectContext/save()``.
  func run() throws -> [NSManagedObjectID] {
    let write = BatchWrite(request.entity?.name ?? request.entityName, context)
    if write.entity.isAbstract {
      raiseException("Cannot create an object of the abstract entity '\(write.entity.name ?? "")'.")
    }
    let stores = try write.stores(request.affectedStores)
    let store = stores.first { !$0.isReadOnly } ?? stores[0]
    let layout = write.entity.derived(EntityLayout.init)
    // The transaction may run more than once, but the program's block is called once for each object.
    let rows = try values(layout)
    guard !rows.isEmpty, let entity = store.entityIndex(of: write.entity) else { return [] }
    return try write.run(in: store) { transaction in
      try rows.compactMap { given in
        let attributes = try zip(given.values, layout.attributes).map { try transaction.placed($0, of: $1) }
        var row = StoredRow(
          id: RowID(entity: entity, number: 0), version: 1, attributes: attributes,
          toOnes: layout.toOnes.map { _ in nil })
        if let holder = try transaction.holder(ofUniqueValuesOf: row) {
          return try change(holder, as: row, given.indexes, layout, in: store, transaction)
        }
        row.id = transaction.newID(of: entity)
        transaction.insert(row)
        return row.id
      }
    }
    .map(store.objectID)
  }

  private var policy: NSMergePolicyType { (context.mergePolicy as? NSMergePolicy ?? .error).mergeType }

  /// Changes the object with the row's unique value to the row's values, if the merge policy allows it; otherwise
  /// returns nil.
  ///
  /// - Assumption: in favour of the object, a dictionary changes the attributes that it has; a block's object, all.
  private func change(
    _ holder: StoredRow, as row: StoredRow, _ indexes: Set<Int>?, _ layout: EntityLayout, in store: NSPersistentStore,
    _ transaction: StoreTransaction
  ) throws -> RowID? {
    guard [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy) else { return nil }
    // Its entity may be a subentity or the parent entity.
    let own = store.objectID(holder.id).entity.derived(EntityLayout.init)
    var (changed, names) = (holder, [String]())
    for (index, attribute) in layout.attributes.enumerated() where indexes?.contains(index) ?? true {
      if attribute is NSDerivedAttributeDescription { continue }
      switch own.property(attribute.name) {
      case .attribute(let target), .transformable(let target):
        guard changed.attributes[target] != row.attributes[index] else { continue }
        changed.attributes[target] = row.attributes[index]
        names.append(attribute.name)
      default: continue
      }
    }
    if !names.isEmpty { try transaction.update(changed, changed: names) }
    return holder.id
  }

  /// The values of all objects, in the order of the layout's attributes.
  private func values(_ layout: EntityLayout) throws -> [Given] {
    if let dictionaries = request.objectsToInsert { return try dictionaries.map { try values($0, layout) } }
    var rows: [Given] = []
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
        rows.append(Given(values: object.attributes))
      }
    }
    return rows
  }

  /// - Assumption: a key that is no attribute, a value of a type that its attribute can't have, and a relationship fail
  ///   the insertion with `NSCoreDataError`; Apple's code is not known, and Apple's store ignores relationships. An
  ///   attribute without a value has its default.
  private func values(_ dictionary: [String: Any], _ layout: EntityLayout) throws -> Given {
    var (values, indexes) = (layout.defaults, Set<Int>())
    for (key, value) in dictionary {
      switch layout.property(key) {
      case .attribute(let index), .transformable(let index):
        do throws(StoredValue.Unacceptable) {
          values[index] = try StoredValue(checking: value, of: layout.attributes[index])
        } catch {
          throw CoreDataError.error(NSCoreDataError, reason: error.reason)
        }
        indexes.insert(index)
      case .transient: continue
      case .toOne, .toMany: throw refused(key, layout.entity, "is a relationship, which a batch insertion can't set")
      case nil: throw refused(key, layout.entity, "is no attribute")
      }
    }
    return Given(values: values, indexes: indexes)
  }

  private func refuseRelationships(of object: NSManagedObject) throws {
    for (index, relationship) in object.layout.toOnes.enumerated() where object.toOnes[index].id != nil {
      // Clears the inverse side of the related object.
      object.setToOne(index, to: nil)
      throw refused(relationship.name, object.entity, "is a relationship, which a batch insertion can't set")
    }
    for (index, relationship) in object.layout.toManys.enumerated() where object.toManys[index].hasChanges {
      object.setToMany(index, to: [])
      throw refused(relationship.name, object.entity, "is a relationship, which a batch insertion can't set")
    }
  }

  private func refused(_ key: String, _ entity: NSEntityDescription, _ reason: String) -> NSError {
    CoreDataError.error(NSCoreDataError, reason: "'\(key)' of the entity '\(entity.name ?? "")' \(reason).")
  }
}
