import Foundation

/// The types that a fetch can return: managed objects, their object IDs, dictionaries and numbers.
///
/// - Difference: on Linux the protocol has no conformances for dynamic casts (`is`, `as? NSFetchRequestResult`), and an
///   `NSFetchedResultsController<NSFetchRequestResult>` that a delegate receives can't be cast to one of a class;
///   comparing it by identity works, as do its properties.
@_marker
public protocol NSFetchRequestResult: AnyObject {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The kind of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The kinds as bits.
  public let rawValue: UInt

  /// Creates a kind from bits. A fetch treats any value other than the kinds below as `managedObjectResultType`.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The objects: `NSManagedObject` or a subclass.
  public static let managedObjectResultType: NSFetchRequestResultType = []

  /// The object IDs: `NSManagedObjectID`. No values are read.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)

  /// Values, by the names of properties: `NSDictionary`. Unsaved changes of contexts are ignored.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)

  /// The number of the objects, as the only result: `NSNumber`.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A request for objects: their entity, predicate, order and the kind of results.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  private var described: NSEntityDescription?
  private let named: String?

  /// A request without an entity. Executing it before an entity is set raises an exception.
  public override init() { named = nil }

  /// A request by entity name. The context that executes it looks the entity up in its model.
  public init(entityName: String) { named = entityName }

  /// The entity of the objects to fetch. Nil for a request that was created with a name; the name is looked up at each
  /// execution.
  open var entity: NSEntityDescription? {
    get { described }
    set { described = newValue }
  }

  /// The name of the entity.
  open var entityName: String? { described?.name ?? named }

  /// The condition for objects to fetch; nil for all. A predicate made of a block, and a key path that leads to no
  /// stored property, raise an exception when the request is executed. An AND of no predicates becomes nil.
  ///
  /// - Assumption: `ALL` of a relationship to many objects is evaluated by a store on disk, too. It is true if there
  ///   are no objects. In one report Apple's store refuses it.
  /// - Difference: a store on disk compares texts by their characters: "é" as one scalar and as two are equal. SQLite
  ///   compares bytes, and finds only the stored form.
  open var predicate: NSPredicate? {
    didSet {
      let compound = predicate as? NSCompoundPredicate
      if compound?.compoundPredicateType == .and, compound?.subpredicates.isEmpty == true { predicate = nil }
    }
  }

  /// The order of the results; without descriptors it is undefined, as it is among equal objects. A descriptor with a
  /// block, and one with a key path that leads to no stored property, raise an exception when the request is executed.
  open var sortDescriptors: [NSSortDescriptor]?

  /// The maximum number of results; 0 for any number.
  open var fetchLimit = 0

  /// The number of first results to leave out. The limit counts the results after them.
  open var fetchOffset = 0

  /// The number of objects with values that are read together, when one of them is used; 0 to read all values with the
  /// fetch.
  open var fetchBatchSize = 0

  /// The kind of the results. It has to match the request's generic type: fetching another kind raises an exception.
  open var resultType = NSFetchRequestResultType.managedObjectResultType

  /// Whether objects of subentities are fetched, too.
  open var includesSubentities = true

  /// Whether the values of the objects are read by the fetch. If false, each object's values are read at their first
  /// use.
  open var includesPropertyValues = true

  /// Whether unsaved changes of the context are included. Dictionaries never include them.
  open var includesPendingChanges = true

  /// Whether objects stay faults until one of their values is read. Their values are cached in both cases.
  open var returnsObjectsAsFaults = true

  /// Whether equal dictionaries are returned only once. Has no effect on other results.
  open var returnsDistinctResults = false

  /// Whether objects registered with the context get the store's values. The context's own changes stay.
  open var shouldRefreshRefetchedObjects = false

  /// Paths of relationships to read with the results, so that following them reads no store.
  open var relationshipKeyPathsForPrefetching: [String]?

  /// The values of dictionaries: descriptions of properties, also ``NSExpressionDescription``, or names. Nil for all
  /// attributes.
  ///
  /// - Difference: objects are returned with all of their values. Apple's framework may leave out those of attributes
  ///   that are not named here until they are read. A name of no property raises an exception there, too.
  open var propertiesToFetch: [Any]?

  /// The properties, or their names, to group dictionaries by; they must be among those to fetch.
  open var propertiesToGroupBy: [Any]?

  /// The condition for groups. Using it without ``propertiesToGroupBy`` raises an exception.
  open var havingPredicate: NSPredicate?

  /// ``NSPersistentStoreRequestType/fetchRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Executes the request in the context of the calling queue. Outside of a block of a context's `perform` it stops the
  /// process.
  ///
  /// - Returns: The results, of the kind ``resultType``.
  /// - Throws: The errors of ``NSManagedObjectContext/fetch(_:)``.
  open func execute() throws -> [ResultType] {
    guard let context = NSManagedObjectContext.current else {
      raiseException("-[NSFetchRequest execute] is for the block of a context's perform")
    }
    return try context.fetch(self)
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(NSAsynchronousFetchRequest(fetchRequest: self), context)
    result.finish(try context.fetch(self))
    return result
  }

  override func answer(in context: NSManagedObjectContext) throws -> Any { try context.fetch(self) }

  override func found(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any {
    try countOnly ? context.count(for: self) : context.fetch(self)
  }

  /// An independent copy of the request.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = named.map { NSFetchRequest<ResultType>(entityName: $0) } ?? NSFetchRequest<ResultType>()
    copy.described = described
    copy.affectedStores = affectedStores
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    (copy.fetchLimit, copy.fetchOffset, copy.fetchBatchSize) = (fetchLimit, fetchOffset, fetchBatchSize)
    copy.resultType = resultType
    copy.includesSubentities = includesSubentities
    copy.includesPropertyValues = includesPropertyValues
    copy.includesPendingChanges = includesPendingChanges
    copy.returnsObjectsAsFaults = returnsObjectsAsFaults
    copy.returnsDistinctResults = returnsDistinctResults
    copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    (copy.propertiesToFetch, copy.propertiesToGroupBy) = (propertiesToFetch, propertiesToGroupBy)
    copy.havingPredicate = havingPredicate
    return copy
  }

  /// The same request for another kind of result.
  func converted<Other: NSFetchRequestResult>(to type: Other.Type) -> NSFetchRequest<Other> {
    reinterpreted(copy() as AnyObject)
  }
}
