import CoreData

/// A batch request, and its effect on the reference.
enum GraphBatch: Hashable, Codable {
  case insert(entity: String, store: Int, rows: [Int: [String: String]])
  case update(entity: String, String, String?, keys: [Int])
  case delete(entity: String, keys: [Int])

  var edits: [GraphEdit] {
    switch self {
    case .insert(let entity, let store, let rows):
      rows.sorted { $0.key < $1.key }.flatMap { key, values in
        [.insert(key, entity: entity, store: store)] + values.map { .set(key, $0.key, $0.value) }
      }
    case .update(_, let name, let value, let keys): keys.map { .set($0, name, value) }
    case .delete(_, let keys): keys.map { .delete($0) }
    }
  }
}

extension GraphBatch {
  /// Executes the request. Returns the identifiers of the changed objects, under the keys of the notifications.
  func execute(in context: NSManagedObjectContext, _ stores: [NSPersistentStore]) throws -> [String: Any] {
    switch self {
    case .insert(let entity, let store, let rows):
      let types = GraphSchema.attributes(of: entity)
      let objects = rows.sorted { $0.key < $1.key }.map { key, values in
        var object: [String: Any] = ["key": NSNumber(value: key)]
        for (name, text) in values { object[name] = GraphValue.value(text, types[name] ?? .undefined) }
        return object
      }
      let request = NSBatchInsertRequest(entityName: entity, objects: objects)
      request.affectedStores = [stores[store]]
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      return [NSInsertedObjectIDsKey: result?.result ?? []]
    case .update(let entity, let name, let text, let keys):
      let request = NSBatchUpdateRequest(entityName: entity)
      request.predicate = NSPredicate(format: "key IN %@", keys.map { NSNumber(value: $0) })
      let value = GraphValue.value(text, GraphSchema.attributes(of: entity)[name] ?? .undefined)
      request.propertiesToUpdate = [name: value ?? NSNull()]
      request.resultType = .updatedObjectIDsResultType
      let result = try context.execute(request) as? NSBatchUpdateResult
      return [NSUpdatedObjectIDsKey: result?.result ?? []]
    case .delete(let entity, let keys):
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
      fetch.predicate = NSPredicate(format: "key IN %@", keys.map { NSNumber(value: $0) })
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      let result = try context.execute(request) as? NSBatchDeleteResult
      return [NSDeletedObjectIDsKey: result?.result ?? []]
    }
  }
}
