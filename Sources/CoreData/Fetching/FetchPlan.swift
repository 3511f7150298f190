import Foundation
import FoundationPredicates
import ObjectStore
import PredicateFormat

/// A fetch request, resolved: which entity, in which stores, by which predicate and order.
struct FetchPlan {
  let context: NSManagedObjectContext
  let entity: NSEntityDescription
  let stores: [NSPersistentStore]
  let predicate: PredicateTree?
  let sort: [StoreSort]
  let limit: Int
  let offset: Int
  let withSubentities: Bool
  let includesPendingChanges: Bool

  init<ResultType>(_ request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext) throws {
    self.context = context
    guard let entity = request.entity ?? request.entityName.flatMap({ context.model.entitiesByName[$0] }) else {
      raiseException("executeFetchRequest:error: A fetch request must have an entity.")
    }
    // An entity of another copy of the model counts by its name.
    guard let own = context.model.entitiesByName[entity.name ?? ""] else {
      raiseException("executeFetchRequest:error: the model has no entity named '\(entity.name ?? "")'.")
    }
    self.entity = own
    let affected = request.affectedStores
    stores = context.stores.filter { store in
      store.place(of: own) != nil && (affected?.contains { $0 === store } ?? true)
    }
    predicate = request.predicate.map { predicate in
      guard let tree = predicate.tree else {
        raiseException("Unsupported predicate: a predicate made of a block can't be executed by a store.")
      }
      return tree
    }
    sort = (request.sortDescriptors ?? []).map { StoreSort($0) }
    limit = request.fetchLimit > 0 ? request.fetchLimit : .max
    offset = max(0, request.fetchOffset)
    withSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
  }

  /// What the context changed and did not save, of the entity.
  private var pending: [NSManagedObject] {
    guard includesPendingChanges, context.hasChanges else { return [] }
    let changed = Array(context.inserted.all) + Array(context.updated.all) + Array(context.deleted.all)
    return changed.filter { withSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity === entity }
  }

  private func query(_ store: NSPersistentStore) -> StoreFetch {
    var fetch = StoreFetch(
      entities: store.places(of: entity, withSubentities: withSubentities), predicate: predicate)
    fetch.sort = sort
    return fetch
  }

  // MARK: Results

  func objects() throws -> [NSManagedObject] {
    let pending = pending
    if pending.isEmpty, stores.count == 1, let store = stores.first {
      var query = query(store)
      (query.limit, query.offset) = (limit, offset)
      let rows = try store.reading { try $0.fetch(query) }
      return rows.map { context.object(in: store, $0) }
    }
    var objects: [NSManagedObject] = []
    for store in stores {
      var query = query(store)
      // What comes later in a store comes later among all.
      if pending.isEmpty, limit < .max - offset { query.limit = offset + limit }
      let rows = try store.reading { try $0.fetch(query) }
      objects += rows.map { context.object(in: store, $0) }
    }
    return try page(merge(objects, pending))
  }

  func ids() throws -> [NSManagedObjectID] {
    let pending = pending
    if pending.isEmpty, stores.count == 1, let store = stores.first {
      var query = query(store)
      (query.limit, query.offset) = (limit, offset)
      return try store.reading { try $0.fetchIDs(query) }.map(store.objectID)
    }
    return try objects().map(\.identity)
  }

  func count() throws -> Int {
    guard pending.isEmpty else { return try objects().count }
    var count = 0
    for store in stores { count += try store.reading { try $0.count(query(store)) } }
    return min(max(0, count - offset), limit)
  }

  /// The stores' answer with what the context changed: changed objects are judged anew.
  private func merge(_ stored: [NSManagedObject], _ pending: [NSManagedObject]) throws -> [NSManagedObject] {
    guard !pending.isEmpty || stores.count > 1 else { return stored }
    let changed = Set(pending)
    var evaluator = predicate.map { PredicateEvaluator($0) }
    var objects = stored.filter { !changed.contains($0) }
    for object in pending.sorted(by: { $0.insertionNumber < $1.insertionNumber }) where object.stage != .deleted {
      guard
        stores.isEmpty || object.stage == .inserted
          || stores.contains(where: { $0 === object.identity.persistentStore })
      else { continue }
      if try evaluator?.matches(object.predicateValue) ?? true { objects.append(object) }
    }
    return sort.isEmpty ? objects : ObjectOrder(sort).sorted(objects)
  }

  private func page(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    Array(objects.dropFirst(offset).prefix(limit))
  }
}

extension StoreSort {
  init(_ descriptor: NSSortDescriptor) {
    if let key = descriptor.key {
      self.init(path: key.split(separator: ".").map(String.init), isAscending: descriptor.ascending)
    } else if let name = PropertyNames.name(of: descriptor.keyPath) {
      self.init(path: name.split(separator: ".").map(String.init), isAscending: descriptor.ascending)
    } else {
      raiseException("Unsupported NSSortDescriptor (its key path is of no property of an entity): \(descriptor)")
    }
  }
}

/// The order of objects by the values at key paths. Equal objects keep their order.
struct ObjectOrder {
  private let sort: [StoreSort]

  init(_ sort: [StoreSort]) { self.sort = sort }

  func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    let keys = objects.map { object in sort.map { Self.value(of: object, $0.path) } }
    let order = objects.indices.sorted { left, right in
      for (place, sort) in sort.enumerated() {
        let order = keys[left][place].order(to: keys[right][place])
        if order != 0 { return sort.isAscending ? order < 0 : order > 0 }
      }
      return left < right
    }
    return order.map { objects[$0] }
  }

  /// Whether an object belongs before another one; false if they are equal.
  func precedes(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
    for sort in sort {
      let order = Self.value(of: left, sort.path).order(to: Self.value(of: right, sort.path))
      if order != 0 { return sort.isAscending ? order < 0 : order > 0 }
    }
    return false
  }

  static func value(of object: NSManagedObject, _ path: [String]) -> StoredValue {
    var object = object
    for name in path.dropLast() {
      guard case .toOne(let place)? = object.layout.property(name) else { return .null }
      object.fire()
      guard let next = object.toOneObject(place) else { return .null }
      object = next
    }
    guard let name = path.last, let property = object.layout.property(name) else { return .null }
    object.fire()
    switch property {
    case .attribute(let place): return object.attributes[place]
    case .transient:
      guard let attribute = object.entity.attributesByName[name], let value = object.objects[name] else { return .null }
      return StoredValue(value, as: attribute.type) ?? .null
    case .toOne(let place): return object.toOnes[place].id?.number.map { .integer($0) } ?? .null
    case .toMany, .transformable: return .null
    }
  }
}

extension StoredValue {
  /// Negative if this value comes first. Nil comes before all others.
  func order(to other: StoredValue) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.string(let left), .string(let right)), (.uuid(let left), .uuid(let right)),
      (.uri(let left), .uri(let right)):
      left == right ? 0 : left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars) ? -1 : 1
    case (.date(let left), .date(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.binary(let left), .binary(let right)):
      left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    case (.integer(let left), .integer(let right)): left == right ? 0 : left < right ? -1 : 1
    default:
      switch (number, other.number) {
      case (let left?, let right?): left == right ? 0 : left < right ? -1 : 1
      default: 0
      }
    }
  }

  private var number: Double? {
    switch self {
    case .boolean(let truth): truth ? 1 : 0
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }
}
