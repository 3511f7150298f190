import Foundation
import LocalCloudObjectStore

/// Reads data for a context: from its stores, or from its parent.
struct ContextReader {
  let context: NSManagedObjectContext

  /// An object's values; nil if the object does not exist.
  func snapshot(of id: NSManagedObjectID) throws -> ObjectSnapshot? { try snapshots(of: [id])[id] }

  /// The values of objects, by identity. Reads each store once. `isCached`: whether the store's cache gets the rows.
  func snapshots(
    of ids: [NSManagedObjectID], isCached: Bool = true
  ) throws -> [NSManagedObjectID: ObjectSnapshot] {
    if let parent = context.parent { return try parent.snapshots(forChild: ids) }
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
      for id in ids where id.entity.relationshipsByName[name] != nil {
        result[id] = try parent.relatedIDs(forChild: id, name)
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

  func contents(of binary: ExternalBinary, in id: NSManagedObjectID) -> Data? {
    // A store that was removed is no longer read.
    let store = context.stores.first { $0.rowID(id) != nil }
    return (try? store?.objects.contents(of: binary)).map { Data($0) }
  }

  /// Reads a store in the state that the context is pinned to, or in the latest state.
  func reading<Result>(_ store: NSPersistentStore, _ body: (StoreView) throws -> Result) throws -> Result {
    // A new state may be discarded too, while another process writes a lot.
    for _ in 0..<8 {
      guard let state = try generation()?.states[store.identifier] else { break }
      do {
        return try CoreDataError.translating(store.url) { try store.objects.read(at: state, body) }
      } catch is StoreGeneration.Lost { context.advanceGeneration() }
    }
    return try store.reading(body)
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
