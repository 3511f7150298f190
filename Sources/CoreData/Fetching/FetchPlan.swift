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
  private let batchSize: Int
  private let includesValues: Bool
  private let prefetchedPaths: [String]
  private let asFaults: Bool
  /// Whether the results are merged with others, by their sort values.
  private var isMerged = false

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
    prefetchedPaths = request.relationshipKeyPathsForPrefetching ?? []
    if request.resultType == .dictionaryResultType { return }
    // The parts of the request that only dictionaries use.
    for item in request.propertiesToFetch ?? [] { _ = ResultProperty(item, of: own, "setPropertiesToFetch:") }
    if request.propertiesToGroupBy?.isEmpty == false || request.havingPredicate != nil {
      raiseException("A fetch request with propertiesToGroupBy or a havingPredicate must have the dictionaryResultType")
    }
  }

  /// The objects of the entity with unsaved changes in the context.
  private var pending: Set<NSManagedObject> {
    guard includesPendingChanges, context.hasChanges else { return [] }
    return context.changes.objects.filter {
      withSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity === entity
    }
  }

  /// The query for the results in one store, in order.
  func query(_ store: NSPersistentStore) -> StoreFetch {
    var fetch = StoreFetch(
      entities: store.entityIndexes(of: entity, withSubentities: withSubentities), predicate: predicate)
    (fetch.sort, fetch.limit, fetch.offset) = (sort, limit, offset)
    fetch.nilComparison = store.nilComparison
    fetch.matching = TextPattern.matching
    return fetch
  }

  /// The same request for the results from the first one up to `end`.
  private func upTo(_ end: Int) -> FetchPlan {
    var plan = self
    (plan.limit, plan.offset) = (end, 0)
    return plan
  }

  /// The index after the last result of the page.
  private var end: Int { limit < .max - offset ? offset + limit : .max }

  // MARK: Results

  /// A result: its identity, its row if it was requested, and its sort values if results are merged.
  struct Found {
    var id: NSManagedObjectID
    var snapshot: ObjectSnapshot?
    var values: [SortValue] = []
  }

  func objects() throws -> [NSManagedObject] {
    // Values that are read later, in batches or one by one.
    if !refreshes, batchSize > 0 || !includesValues {
      let objects = try ids().map(context.objectOrFault)
      if batchSize > 0, includesValues {
        _ = FaultGroup(objects, size: batchSize, prefetching: prefetchedPaths, asFaults: asFaults)
      }
      return objects
    }
    let objects = try results(withValues: true).map(object)
    for path in prefetchedPaths { try ReadAhead.prefetch(path, of: objects.map(\.identity), in: context) }
    if !asFaults { for object in objects { object.fire() } }
    return objects
  }

  func ids() throws -> [NSManagedObjectID] { try results(withValues: false).map(\.id) }

  /// The results of the page, in order: those of the stores or the parent context, merged with the context's changes. The
  /// predicate is evaluated again for changed objects.
  func results(withValues: Bool) throws -> [Found] {
    let pending = pending
    // One source without changes has the order and the page.
    let isWhole = pending.isEmpty && (context.parent != nil || stores.count == 1)
    // Each pending object may replace a stored one. An object that is later in a store's order is later in the merged
    // order.
    var plan = isWhole ? self : upTo(end < .max - pending.count ? end + pending.count : .max)
    if !isWhole { plan.isMerged = true }
    var found: [Found] = []
    if let parent = context.parent {
      found = try parent.results(forChild: plan, withValues: withValues)
    } else {
      for store in stores { found += try plan.results(in: store, withValues: withValues) }
    }
    if isWhole { return found }
    context.applyRenames()
    found.removeAll { result in
      guard let object = context.registered[result.id], pending.contains(object) else { return false }
      if refreshes { _ = self.object(result) }
      return true
    }
    found += try matching(pending).map { Found(id: $0.identity, values: sort.values($0)) }
    // Equal objects keep their order: sorting is stable.
    if !sort.isEmpty { found.sort { sort.precede($0.values, $1.values) ?? false } }
    return Array(found.dropFirst(offset).prefix(limit))
  }

  private func results(in store: NSPersistentStore, withValues: Bool) throws -> [Found] {
    let query = query(store)
    return try context.reader.reading(store) { view in
      if isMerged {
        return try view.sorted(query) { withValues ? ObjectSnapshot($0) : nil }
          .map { Found(id: store.objectID($0.id), snapshot: $0.content, values: $0.values) }
      }
      if !withValues { return try view.fetchIDs(query).map { Found(id: store.objectID($0)) } }
      return try view.fetch(query).map { Found(id: store.objectID($0.id), snapshot: ObjectSnapshot($0)) }
    }
  }

  /// The same request to the parent context; a child treats the parent's pending changes as saved. The child prefetches
  /// itself.
  func inParent(_ parent: NSManagedObjectContext) -> FetchPlan {
    var plan = self
    (plan.context, plan.includesPendingChanges) = (parent, true)
    return plan
  }

  /// The object of a result, with the values that were read.
  func object(_ found: Found) -> NSManagedObject {
    let object = context.objectOrFault(found.id)
    guard let snapshot = found.snapshot else { return object }
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
      return try plan.results(withValues: false).count
    }
    if let parent = context.parent { return try parent.count(forChild: self) }
    var count = 0
    for store in stores { count += try context.reader.reading(store) { try $0.count(upTo(end).query(store)) } }
    return min(max(0, count - offset), limit)
  }

  /// The changed objects that match the request with their present values.
  private func matching(_ pending: Set<NSManagedObject>) throws -> [NSManagedObject] {
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
extension [StoreSort] {
  func sorted<Item: PredicateValueConvertible>(_ objects: [Item]) -> [Item] {
    zip(objects, objects.map(values)).sorted { precede($0.1, $1.1) ?? false }.map(\.0)
  }

  /// An unreadable value at a key path sorts as nil.
  func values(_ object: some PredicateValueConvertible) -> [SortValue] {
    var evaluator = PredicateEvaluator(.constant(true))
    let subject = object.predicateValue
    return map { sort in
      sort.sortValue((try? evaluator.value(of: .keyPath(.subject, sort.path), for: subject)) ?? .null)
    }
  }
}
