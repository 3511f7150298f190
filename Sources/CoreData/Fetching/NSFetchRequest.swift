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
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let managedObjectResultType: NSFetchRequestResultType = []
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// What to fetch, in which order, and as what.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, NSCopying {
  private var described: NSEntityDescription?
  private let named: String?

  public override init() {
    named = nil
    super.init()
  }

  /// The entity is looked up in the model of the context that executes the request.
  public init(entityName: String) {
    named = entityName
    super.init()
  }

  open var entity: NSEntityDescription? {
    get { described }
    set { described = newValue }
  }

  open var entityName: String? { described?.name ?? named }
  open var predicate: NSPredicate?
  open var sortDescriptors: [NSSortDescriptor]?
  open var fetchLimit = 0
  open var fetchOffset = 0
  open var fetchBatchSize = 0
  open var resultType = NSFetchRequestResultType.managedObjectResultType
  open var includesSubentities = true
  open var includesPropertyValues = true
  open var includesPendingChanges = true
  open var returnsObjectsAsFaults = true
  open var returnsDistinctResults = false
  open var shouldRefreshRefetchedObjects = false
  open var relationshipKeyPathsForPrefetching: [String]?

  /// The properties of results that are dictionaries: descriptions, or names.
  ///
  /// - Difference: objects come with all of their values, where Apple's framework may leave out those of attributes that
  ///   are not named here until they are asked for. What names no property is an exception there, too.
  open var propertiesToFetch: [Any]?

  open var propertiesToGroupBy: [Any]?
  open var havingPredicate: NSPredicate?

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

  open func copy(with zone: NSZone? = nil) -> Any {
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
