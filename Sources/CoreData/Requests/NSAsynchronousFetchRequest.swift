import Foundation

/// Called with the result of a fetch when it is there.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch whose caller does not wait for what it finds.
///
/// - Difference: the stores are read on the context's queue, which is taken as long as that takes.
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
    super.init()
  }

  /// The request for what is fetched, which is not copied.
  open var fetchRequest: NSFetchRequest<ResultType> { request }

  /// What is called with the result, on the queue of the context that executes the request; nil for nothing.
  open var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
    completion.map { completion in { completion(reinterpreted($0)) } }
  }

  /// How many results there may be, for the progress; 0 if that is not known.
  open var estimatedResultCount = 0

  /// A request for the same, with the same block. What is fetched is the same request, which is not copied.
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

/// What a fetch found, or will have found.
// Sendable: what changes is guarded by the lock; the request is a constant that is used on the context's queue.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult,
  @unchecked Sendable
{
  private final let request: NSAsynchronousFetchRequest<ResultType>
  private final var found: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
    self.request = request
    super.init(context, expected: request.estimatedResultCount)
  }

  /// The request that this is the result of.
  open var fetchRequest: NSAsynchronousFetchRequest<ResultType> { request }

  /// What was found; nil before it is there, and if there was an error.
  open var finalResult: [ResultType]? { lock.withLock { found } }

  /// - Assumption: what was cancelled calls the completion block, too.
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
