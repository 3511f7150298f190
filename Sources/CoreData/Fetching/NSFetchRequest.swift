import Foundation

/// What a fetch can return: managed objects, their identities, dictionaries and numbers.
///
/// - Difference: on Linux the protocol has no conformances that can be asked for (`is`, `as? NSFetchRequestResult`), and
///   an `NSFetchedResultsController<NSFetchRequestResult>` that a delegate is handed can't be cast to one of a class;
///   comparing it by identity works, as do its properties.
@_marker
public protocol NSFetchRequestResult: AnyObject {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The kind of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The kinds as bits.
  public let rawValue: UInt

  /// Makes a kind of bits. A fetch takes one that is none of the kinds below for objects.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The objects: `NSManagedObject`, or a class of its own.
  public static let managedObjectResultType: NSFetchRequestResultType = []

  /// The identities of the objects: `NSManagedObjectID`. No values are read.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)

  /// Values, by the names of properties: `NSDictionary`. What contexts have not saved does not count.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)

  /// The number of the objects, as the only result: `NSNumber`.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// What to fetch, in which order, and as what.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  private var described: NSEntityDescription?
  private let named: String?

  /// A request that has no entity until one is set. To fetch without one is an exception.
  public override init() {
    named = nil
    super.init()
  }

  /// The entity is looked up in the model of the context that executes the request.
  public init(entityName: String) {
    named = entityName
    super.init()
  }

  /// What is fetched: objects of this entity. Nil for a request that was made with a name, which is
  /// looked up whenever it is executed.
  open var entity: NSEntityDescription? {
    get { described }
    set { described = newValue }
  }

  /// The name of the entity.
  open var entityName: String? { described?.name ?? named }

  /// Which objects are fetched; nil for all. A predicate made of a block, and a key path that leads to nothing that is
  /// stored, are exceptions when the request is executed. An AND of no predicates is nil.
  ///
  /// - Assumption: `ALL` of a relationship to many objects is answered by a store on disk, too. It is true where there are no
  ///   objects. One report has Apple's store refuse it.
  /// - Difference: a store on disk compares texts by their characters: "é" as one scalar and as two are equal. SQLite
  ///   compares bytes, and finds the form only that was stored.
  open var predicate: NSPredicate? {
    didSet {
      let compound = predicate as? NSCompoundPredicate
      if compound?.compoundPredicateType == .and, compound?.subpredicates.isEmpty == true { predicate = nil }
    }
  }

  /// The order of the results; without one it is any. What is equal in it may come in any order. A descriptor with a
  /// block, and one whose key path leads to nothing that is stored, are exceptions when the request is executed.
  open var sortDescriptors: [NSSortDescriptor]?

  /// How many results there may be; 0 for any number.
  open var fetchLimit = 0

  /// How many of the first results are left out. What the limit allows is counted after them.
  open var fetchOffset = 0

  /// How many objects' values are read together, when those of one of them are asked for; 0 for all, with the fetch.
  open var fetchBatchSize = 0

  /// The kind of the results, which has to go with the type that the request is written with: the fetch of another kind
  /// is an exception.
  open var resultType = NSFetchRequestResultType.managedObjectResultType

  /// Whether objects of entities that inherit from the entity are fetched, too.
  open var includesSubentities = true

  /// Whether the values of the objects are read with them. Without, each object's are read when they are asked for.
  open var includesPropertyValues = true

  /// Whether what the context has not saved counts. For dictionaries it never does.
  open var includesPendingChanges = true

  /// Whether objects stay faults until a value of theirs is asked for. Their values are at hand all the same.
  open var returnsObjectsAsFaults = true

  /// Whether equal dictionaries come once only. Has no effect on other results.
  open var returnsDistinctResults = false

  /// Whether objects that the context has already take the store's values. What was changed in the context stays.
  open var shouldRefreshRefetchedObjects = false

  /// Paths of relationships whose objects are read with the results, so that following them reads no store.
  open var relationshipKeyPathsForPrefetching: [String]?

  /// What dictionaries have: descriptions of properties, also ``NSExpressionDescription``, or names. Nil for all
  /// attributes.
  ///
  /// - Difference: objects come with all of their values, where Apple's framework may leave out those of attributes that
  ///   are not named here until they are asked for. What names no property is an exception there, too.
  open var propertiesToFetch: [Any]?

  /// What the dictionaries are grouped by: properties, or names, of those to fetch.
  open var propertiesToGroupBy: [Any]?

  /// Which groups become dictionaries. Without ``propertiesToGroupBy`` it is an exception.
  open var havingPredicate: NSPredicate?

  /// ``NSPersistentStoreRequestType/fetchRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Executes the request in the context whose queue the caller runs on.
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

  /// A request for the same that can be changed by itself.
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
