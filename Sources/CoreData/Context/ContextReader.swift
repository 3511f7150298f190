import Foundation
import LocalCloudObjectStore

/// Reads data for a context: from its stores, or from its parent.
struct ContextReader {
  let context: NSManagedObjectContext

  /// An object's values; nil if the object does not exist.
  func snapshot(of id: NSManagedObjectID) throws -> ObjectSnapshot? {
    if let parent = context.parent { return try ParentContext(context: parent).snapshot(of: id) }
    guard let store = store(of: id), let row = store.rowID(id) else { return nil }
    return try reading(store) { try $0.row(row) }.map(ObjectSnapshot.init)
  }

  /// The values of objects, by identity. Reads each store once. `isCached`: whether the store's cache gets the rows.
  func snapshots(
    of ids: [NSManagedObjectID], isCached: Bool = true
  ) throws -> [NSManagedObjectID: ObjectSnapshot] {
    if let parent = context.parent { return try ParentContext(context: parent).snapshots(of: ids) }
    var result: [NSManagedObjectID: ObjectSnapshot] = [:]
    for store in context.stores {
      let wanted = ids.compactMap(store.rowID)
      guard !wanted.isEmpty else { continue }
      for row in try reading(store, { try $0.rows(wanted, isCached: isCached) }) {
        result[store.objectID(row.id)] = ObjectSnapshot(row)
      }
    }
    return result
  }

  /// The targets of a relationship of several objects as they were last saved. Reads each store once.
  func relatedIDs(of ids: [NSManagedObjectID], named name: String) throws -> [NSManagedObjectID: [NSManagedObjectID]] {
    var result: [NSManagedObjectID: [NSManagedObjectID]] = [:]
    if let parent = context.parent {
      for id in ids {
        guard let relationship = id.entity.relationshipsByName[name] else { continue }
        result[id] = try ParentContext(context: parent).relatedIDs(of: id, relationship)
      }
      return result
    }
    for store in context.stores {
      let sources = ids.compactMap { id in store.rowID(id).map { (id, $0) } }
      guard !sources.isEmpty else { continue }
      let found = try reading(store) { view in
        try sources.map { id, row in
          (id, try view.schema.relationship(named: name, of: Int(row.entity)).map { try view.related(row, $0) } ?? [])
        }
      }
      for (id, targets) in found { result[id] = targets.map(store.objectID) }
    }
    return result
  }

  /// The targets of a relationship as they were last saved.
  func relatedIDs(of id: NSManagedObjectID, _ relationship: NSRelationshipDescription) throws -> [NSManagedObjectID] {
    if let known = context.readAhead.removeTargets(of: id, named: relationship.name) { return known }
    if let parent = context.parent { return try ParentContext(context: parent).relatedIDs(of: id, relationship) }
    guard let store = store(of: id), let row = store.rowID(id),
      let index = store.relationship(relationship, of: id.entity)
    else { return [] }
    return try reading(store) { try $0.related(row, index) }.map(store.objectID)
  }

  func contents(of binary: ExternalBinary, in id: NSManagedObjectID) -> Data? {
    (try? store(of: id)?.objects.contents(of: binary)).map { Data($0) }
  }

  private func store(of id: NSManagedObjectID) -> NSPersistentStore? {
    guard case .permanent(let identifier, _) = id.key else { return nil }
    // A store that was removed is no longer read.
    return context.stores.first { $0.identifier == identifier }
  }

  /// Reads a store in the state that the context is pinned to, or in the latest state.
  func reading<Result>(_ store: NSPersistentStore, _ body: (StoreView) throws -> Result) throws -> Result {
    // A new state may be discarded too, while another process writes a lot.
    for _ in 0..<8 {
      guard let state = try state(of: store) else { break }
      do {
        return try CoreDataError.translating(store.url) { try store.objects.read(at: state, body) }
      } catch is StoreGeneration.Lost { context.advanceGeneration() }
    }
    return try store.reading(body)
  }

  /// The state in which a pinned context reads a store; nil if the context reads the latest state.
  private func state(of store: NSPersistentStore) throws -> StoreGeneration? {
    try generation()?.states[store.identifier]
  }

  /// The state that a pinned context reads; nil if the context reads the latest state. A context that was pinned to
  /// ``NSQueryGenerationToken/current`` is pinned to the present state from now on.
  func generation() throws -> NSQueryGenerationToken? {
    guard let token = context.queryGenerationToken, token.isCurrent else { return context.queryGenerationToken }
    var states: [String: StoreGeneration] = [:]
    for store in context.stores where store.type != NSInMemoryStoreType {
      states[store.identifier] = try CoreDataError.translating(store.url) { try store.objects.generation() }
    }
    let new = NSQueryGenerationToken(states, of: context.persistentStoreCoordinator)
    context.queryGenerationToken = new
    return new
  }
}

extension NSManagedObjectContext {
  var reader: ContextReader { ContextReader(context: self) }
}
