import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// A fetch request with resolved entity, stores, predicate and order.
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
    // An entity of another copy of the model is found by its name.
    guard let own = context.model.entitiesByName[entity.name ?? ""] else {
      raiseException("executeFetchRequest:error: the model has no entity named '\(entity.name ?? "")'.")
    }
    self.entity = own
    stores = context.stores(among: request.affectedStores).filter { $0.entityIndex(of: own) != nil }
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

  /// Checks the parts of the request that only dictionaries use.
  private static func check<ResultType>(_ request: NSFetchRequest<ResultType>, _ entity: NSEntityDescription) {
    for item in request.propertiesToFetch ?? [] { _ = ResultProperty(item, of: entity, "setPropertiesToFetch:") }
    if request.propertiesToGroupBy?.isEmpty == false || request.havingPredicate != nil {
      raiseException("A fetch request with propertiesToGroupBy or a havingPredicate must have the dictionaryResultType")
    }
  }

  /// The objects of the entity with unsaved changes in the context.
  var pending: Set<NSManagedObject> {
    guard includesPendingChanges, context.hasChanges else { return [] }
    return context.changes.objects.filter {
      withSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity === entity
    }
  }

  /// The query for all results in one store, in order.
  func query(_ store: NSPersistentStore) -> StoreFetch {
    var fetch = StoreFetch(
      entities: store.entityIndexes(of: entity, withSubentities: withSubentities), predicate: predicate)
    fetch.sort = sort
    fetch.nilComparison = store.nilComparison
    fetch.matching = TextPattern.matching
    return fetch
  }

  /// The same request to the parent context; a child treats the parent's pending changes as saved.
  /// - Parameter end: the number of results that are needed, counted from the first one; nil for those of the page.
  func inParent(_ parent: NSManagedObjectContext, upTo end: Int?) -> FetchPlan {
    var plan = self
    plan.context = parent
    plan.includesPendingChanges = true
    // The child uses the values, and prefetches itself.
    (plan.batchSize, plan.includesValues, plan.asFaults, plan.prefetch) = (0, true, true, nil)
    if let end { (plan.limit, plan.offset) = (end, 0) }
    return plan
  }

  /// The index after the last result of the page.
  var end: Int { limit < .max - offset ? offset + limit : .max }

  /// The maximum number of stored objects needed for the page: each pending object may replace one of them.
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
      // An object that is later in a store's order is later in the merged order.
      query.limit = end(pending)
      objects += try self.objects(query, in: store)
    }
    return try page(merge(objects, pending))
  }

  /// Faults with values that are read in batches, or one by one if no values are requested.
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

  /// The object of an object ID, with the values that were read.
  private func read(_ id: NSManagedObjectID, _ snapshot: ObjectSnapshot?) -> NSManagedObject {
    let object = context.objectOrFault(id)
    guard let snapshot else { return object }
    if !object.isFilled {
      // The values are cached, but the object stays a fault until one is read.
      object.committed = snapshot
    } else if refreshes, object.stage == .present {
      object.refresh(with: snapshot)
    }
    return object
  }

  func count() throws -> Int {
    guard pending.isEmpty else {
      var plan = self
      // No values are needed, including those for sorting.
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

  /// Merges the stores' results with the context's changes: the predicate is evaluated again for changed objects.
  private func merge(_ stored: [NSManagedObject], _ pending: Set<NSManagedObject>) throws -> [NSManagedObject] {
    guard !pending.isEmpty || stores.count > 1 else { return stored }
    let objects = try stored.filter { !pending.contains($0) } + matching(pending)
    return sort.isEmpty ? objects : ObjectOrder(sort).sorted(objects)
  }

  /// The changed objects that match the request with their present values.
  func matching(_ pending: Set<NSManagedObject>) throws -> [NSManagedObject] {
    var evaluator = predicate.map { PredicateEvaluator($0, matching: TextPattern.matching) }
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
  /// A store in memory compares with nil like Foundation, a store on disk like SQL ([predicate-7]).
  var nilComparison: NilComparison { type == NSInMemoryStoreType ? .asValue : .asUnknown }
}

extension StoreSort {
  /// For objects outside of stores. Stops the process for a key path of no property; Apple's framework raises an
  /// exception.
  init(_ descriptor: NSSortDescriptor) {
    guard let key = descriptor.key ?? PropertyNames.name(of: descriptor.keyPath) else {
      raiseException("Unsupported NSSortDescriptor (its key path is of no property of an entity): \(descriptor)")
    }
    self.init(
      path: key.split(separator: ".").map(String.init), isAscending: descriptor.ascending,
      textOrder: descriptor.textOrder)
  }

  /// Stops the process for a key path that stores cannot sort by; Apple's framework raises an exception.
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

/// The order of objects by the values at key paths, equal to the order in stores. Equal objects keep their order.
struct ObjectOrder {
  private let sort: [StoreSort]

  init(_ sort: [StoreSort]) { self.sort = sort }

  func sorted<Item: PredicateValueConvertible>(_ objects: [Item]) -> [Item] {
    zip(objects, objects.map(values)).sorted { sort.precede($0.1, $1.1) ?? false }.map(\.0)
  }

  /// Whether `left` sorts before `right`; false if they are equal.
  func precedes(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
    sort.precede(values(left), values(right)) ?? false
  }

  /// An unreadable value at a key path sorts as nil.
  func values(_ object: some PredicateValueConvertible) -> [SortValue] {
    var evaluator = PredicateEvaluator(.constant(true))
    let subject = object.predicateValue
    return sort.map { sort in
      sort.sortValue((try? evaluator.value(of: .keyPath(.subject, sort.path), for: subject)) ?? .null)
    }
  }
}
