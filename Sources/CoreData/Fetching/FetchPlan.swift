import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// A fetch request, resolved: which entity, in which stores, by which predicate and order.
struct FetchPlan {
  private(set) var context: NSManagedObjectContext
  let entity: NSEntityDescription
  let stores: [NSPersistentStore]
  let predicate: PredicateTree?
  private(set) var sort: [StoreSort]
  private(set) var limit: Int
  private(set) var offset: Int
  let withSubentities: Bool
  private(set) var includesPendingChanges: Bool
  private let refreshes: Bool
  private var batchSize: Int
  private var includesValues: Bool
  private var prefetch: Prefetch?
  private var asFaults: Bool

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
    stores = context.stores(among: request.affectedStores).filter { $0.place(of: own) != nil }
    predicate = request.predicate.map { StorePredicate.tree($0, of: own) }
    sort = (request.sortDescriptors ?? []).map { StoreSort($0, of: own) }
    limit = request.fetchLimit > 0 ? request.fetchLimit : .max
    offset = max(0, request.fetchOffset)
    withSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
    refreshes = request.shouldRefreshRefetchedObjects
    batchSize = max(0, request.fetchBatchSize)
    asFaults = request.returnsObjectsAsFaults
    includesValues = request.includesPropertyValues || !asFaults
    prefetch = request.relationshipKeyPathsForPrefetching.flatMap { $0.isEmpty ? nil : Prefetch($0, of: own) }
    if request.resultType != .dictionaryResultType { Self.check(request, own) }
  }

  /// Checks what counts for dictionaries only.
  private static func check<ResultType>(_ request: NSFetchRequest<ResultType>, _ entity: NSEntityDescription) {
    for item in request.propertiesToFetch ?? [] { _ = ResultProperty(item, of: entity, "setPropertiesToFetch:") }
    if request.propertiesToGroupBy?.isEmpty == false || request.havingPredicate != nil {
      raiseException("A fetch request with propertiesToGroupBy or a havingPredicate must have the dictionaryResultType")
    }
  }

  /// What the context changed and did not save, of the entity.
  var pending: Set<NSManagedObject> {
    guard includesPendingChanges, context.hasChanges else { return [] }
    return context.inserted.union(context.updated).union(context.deleted).filter {
      withSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity === entity
    }
  }

  /// All that a store has of it, in order.
  func query(_ store: NSPersistentStore) -> StoreFetch {
    var fetch = StoreFetch(
      entities: store.places(of: entity, withSubentities: withSubentities), predicate: predicate)
    fetch.sort = sort
    fetch.nilComparison = store.nilComparison
    return fetch
  }

  /// The same request to the parent context, whose pending changes are for its children what is saved. `end`: how many
  /// results are wanted, from the first one on; nil for those of the page.
  func inParent(_ parent: NSManagedObjectContext, upTo end: Int?) -> FetchPlan {
    var plan = self
    plan.context = parent
    plan.includesPendingChanges = true
    // The values are for the child, which prefetches itself.
    (plan.batchSize, plan.includesValues, plan.asFaults, plan.prefetch) = (0, true, true, nil)
    if let end { (plan.limit, plan.offset) = (end, 0) }
    return plan
  }

  /// The number of results up to the end of the page.
  var end: Int { limit < .max - offset ? offset + limit : .max }

  /// As many stored objects as may be needed for the page: each of those that are pending may take the place of one.
  func end(_ pending: Set<NSManagedObject>) -> Int { end < .max - pending.count ? end + pending.count : .max }

  // MARK: Results

  func objects() throws -> [NSManagedObject] {
    if !refreshes, batchSize > 0 || !includesValues { return batches(try ids()) }
    let objects = try objects(with: pending)
    try prefetch?.run(objects.map(\.identity), in: context)
    if !asFaults { for object in objects { object.fire() } }
    return objects
  }

  private func objects(with pending: Set<NSManagedObject>) throws -> [NSManagedObject] {
    if let parent = context.parent {
      let plan = inParent(parent, upTo: pending.isEmpty ? nil : end(pending))
      let objects = try ParentContext(context: parent).objects(plan).map { read($0.id, $0.snapshot) }
      return try pending.isEmpty ? objects : page(merge(objects, pending))
    }
    if pending.isEmpty, stores.count == 1, let store = stores.first {
      var query = query(store)
      (query.limit, query.offset) = (limit, offset)
      return try objects(query, in: store)
    }
    var objects: [NSManagedObject] = []
    for store in stores {
      var query = query(store)
      // What comes later in a store comes later among all.
      query.limit = end(pending)
      objects += try self.objects(query, in: store)
    }
    return try page(merge(objects, pending))
  }

  /// Faults whose values are read by batches, or each by itself if no values are wanted.
  private func batches(_ ids: [NSManagedObjectID]) -> [NSManagedObject] {
    guard batchSize > 0, includesValues else { return ids.map(context.object) }
    let loaded = LoadedBatches(size: batchSize, prefetch, asFaults: asFaults)
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(ids.count)
    for start in stride(from: 0, to: ids.count, by: batchSize) {
      let part = Array(ids[start..<min(ids.count, start + batchSize)])
      let batch = FetchBatch(part, loaded)
      for id in part {
        let object = context.objectOrFault(id)
        object.join(batch)
        objects.append(object)
      }
    }
    return objects
  }

  private func objects(_ query: StoreFetch, in store: NSPersistentStore) throws -> [NSManagedObject] {
    try context.reader.reading(store) { try $0.fetch(query) }.map { read(store.objectID($0.id), ObjectSnapshot($0)) }
  }

  /// The object of an identity, with values that were read.
  private func read(_ id: NSManagedObjectID, _ snapshot: ObjectSnapshot?) -> NSManagedObject {
    let object = context.objectOrFault(id)
    guard let snapshot else { return object }
    if !object.isFilled {
      // The values are at hand, but it stays a fault until they are asked for.
      object.committed = snapshot
    } else if refreshes, object.stage == .present {
      object.refresh(with: snapshot)
    }
    return object
  }

  func count() throws -> Int {
    guard pending.isEmpty else {
      var plan = self
      // No values are needed, those of the order neither.
      plan.sort = []
      return try plan.ids().count
    }
    if let parent = context.parent {
      return try ParentContext(context: parent).count(inParent(parent, upTo: nil))
    }
    var count = 0
    for store in stores { count += try context.reader.reading(store) { try $0.count(query(store)) } }
    return min(max(0, count - offset), limit)
  }

  /// The stores' answer with what the context changed: changed objects are judged anew.
  private func merge(_ stored: [NSManagedObject], _ pending: Set<NSManagedObject>) throws -> [NSManagedObject] {
    guard !pending.isEmpty || stores.count > 1 else { return stored }
    let objects = try stored.filter { !pending.contains($0) } + matching(pending)
    return sort.isEmpty ? objects : ObjectOrder(sort).sorted(objects)
  }

  /// Those that belong to the results as they are now.
  func matching(_ pending: Set<NSManagedObject>) throws -> [NSManagedObject] {
    var evaluator = predicate.map { PredicateEvaluator($0) }
    var objects: [NSManagedObject] = []
    for object in pending.inOrder where object.stage != .deleted {
      guard
        stores.isEmpty || object.identity.isTemporaryID || object.stage == .inserted
          || stores.contains(where: { $0 === object.identity.persistentStore })
      else { continue }
      if try evaluator?.matches(object.predicateValue) ?? true { objects.append(object) }
    }
    return objects
  }

  func page<Element>(_ all: [Element]) -> [Element] { Array(all.dropFirst(offset).prefix(limit)) }
}

extension NSPersistentStore {
  /// A store in memory compares with nil as Foundation does, one on disk as SQL ([predicate-7]).
  var nilComparison: NilComparison { type == NSInMemoryStoreType ? .asValue : .asUnknown }
}

extension StoreSort {
  /// For what is no object of a store. Stops the process for a key path of no property, as Apple's raises an exception.
  init(_ descriptor: NSSortDescriptor) {
    guard let key = descriptor.key ?? PropertyNames.name(of: descriptor.keyPath) else {
      raiseException("Unsupported NSSortDescriptor (its key path is of no property of an entity): \(descriptor)")
    }
    self.init(
      path: key.split(separator: ".").map(String.init), isAscending: descriptor.ascending,
      textOrder: descriptor.textOrder)
  }

  /// Stops the process for a key path by which stores can't sort, where Apple's framework raises an exception.
  init(_ descriptor: NSSortDescriptor, of entity: NSEntityDescription) {
    self.init(descriptor)
    let found = EntityPath(path, from: entity)
    if found.isNothing {
      raiseException("keypath \(path.joined(separator: ".")) not found in entity \(entity.name ?? "")")
    }
    if found.hasOperator {
      raiseException(
        "Keypath containing KVC aggregate where there shouldn't be one; failed to handle \(path.joined(separator: "."))"
      )
    }
    if found.isToMany { raiseException("to-many key not allowed here") }
  }
}

/// The order of objects by the values at key paths, as stores have it. Equal objects keep their order.
struct ObjectOrder {
  private let sort: [StoreSort]

  init(_ sort: [StoreSort]) { self.sort = sort }

  func sorted<Item: PredicateValueConvertible>(_ objects: [Item]) -> [Item] {
    let values = objects.map(values)
    return objects.indices.sorted { left, right in sort.precede(values[left], values[right]) ?? (left < right) }
      .map { objects[$0] }
  }

  /// Whether an object belongs before another one; false if they are equal.
  func precedes(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
    sort.precede(values(left), values(right)) ?? false
  }

  /// What can't be read at a key path sorts as nil.
  func values(_ object: some PredicateValueConvertible) -> [SortValue] {
    var evaluator = PredicateEvaluator(.constant(true))
    let subject = object.predicateValue
    return sort.map { sort in
      sort.sortValue((try? evaluator.value(of: .keyPath(.subject, sort.path), for: subject)) ?? .null)
    }
  }
}
