import Foundation

/// Called with the result when a fetch has ended.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that runs after the call returns.
///
/// - Difference: the stores are read on the context's queue, and block it during the fetch.
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
  private final let request: NSFetchRequest<ResultType>
  final let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  /// - Parameter blk: Called on the queue of the context that executes the request.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    self.request = request
    completion = blk
  }

  /// The fetch request. It is not copied.
  open var fetchRequest: NSFetchRequest<ResultType> { request }

  /// The block that is called with the result, on the queue of the context that executes the request; nil for none.
  open var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
    completion.map { completion in { completion(reinterpreted($0)) } }
  }

  /// The expected number of results, for the progress; 0 if it is not known.
  open var estimatedResultCount = 0

  /// An independent copy with the same block. The fetch request is shared, not copied.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSAsynchronousFetchRequest(fetchRequest: request, completionBlock: completion)
    copy.affectedStores = affectedStores
    copy.estimatedResultCount = estimatedResultCount
    return copy
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    if context.concurrencyType == .confinementConcurrencyType {
      raiseException(
        "NSConfinementConcurrencyType context \(context) cannot support asynchronous fetch request \(self).")
    }
    let result = NSAsynchronousFetchResult(self, context)
    context.enqueue { result.run() }
    return result
  }

  /// - Assumption: a coordinator answers as a context does.
  override func answer(in context: NSManagedObjectContext) throws -> Any { try result(in: context) }
}

/// The result of an asynchronous fetch, filled when the fetch has ended.
// Sendable: the lock guards the mutable state; the request is a constant that is used on the context's queue.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult,
  @unchecked Sendable
{
  private final let request: NSAsynchronousFetchRequest<ResultType>
  private final var found: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
    self.request = request
    super.init(context, expected: request.estimatedResultCount)
  }

  /// The request of this result.
  open var fetchRequest: NSAsynchronousFetchRequest<ResultType> { request }

  /// The fetched objects; nil before the end of the fetch, and if there was an error.
  open var finalResult: [ResultType]? { lock.withLock { found } }

  /// - Assumption: a cancelled fetch calls the completion block, too.
  final func run() {
    do {
      try requireGoingOn()
      let objects = try managedObjectContext.fetch(request.fetchRequest)
      try requireGoingOn()
      finish(objects)
    } catch {
      fail(error)
    }
    request.completion?(self)
  }

  final func finish(_ objects: [ResultType]) {
    lock.withLock { found = objects }
    progress?.totalUnitCount = Int64(max(1, objects.count))
    progress?.completedUnitCount = Int64(max(1, objects.count))
  }

  private func requireGoingOn() throws {
    if progress?.isCancelled == true { throw CoreDataError.error(CocoaError.Code.userCancelled.rawValue) }
  }
}
