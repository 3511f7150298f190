import Foundation

/// The kinds of answers of a batch deletion.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it succeeded: `Bool`.
  case resultTypeStatusOnly = 0
  /// The object IDs of the deleted objects: `[NSManagedObjectID]`.
  case resultTypeObjectIDs = 1
  /// The number of deleted objects: `Int`.
  case resultTypeCount = 2
}

/// Deletes objects in the stores, without reading them into a context.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private final let request: NSFetchRequest<any NSFetchRequestResult>
  /// The objects, if they are given by object ID.
  final let objects: [NSManagedObjectID]?

  /// Deletes the objects that a request finds in the stores.
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    request = fetch.duplicate
    objects = nil
  }

  private init(_ objects: [NSManagedObjectID]?, _ request: NSFetchRequest<any NSFetchRequestResult>) {
    self.request = request
    self.objects = objects
  }

  /// Deletes objects of one entity. Objects that are not in a store are ignored.
  public convenience init(objectIDs objects: [NSManagedObjectID]) {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = objects.first?.entity
    for object in objects where object.entity !== request.entity && object.entity.name != request.entity?.name {
      raiseException("mismatched objectIDs in batch delete initializer")
    }
    request.predicate = NSPredicate(format: "SELF IN %@", objects)
    self.init(objects, request)
  }

  /// A copy of the request for the objects to delete.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { request.duplicate }

  /// The kind of the answer.
  open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// ``NSPersistentStoreRequestType/batchDeleteRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// An independent copy of the request.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSBatchDeleteRequest(objects, request)
    copy.affectedStores = affectedStores
    copy.resultType = resultType
    return copy
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let deleted = try BatchDelete(request: self, context: context).run()
    let result: Any =
      switch resultType {
      case .resultTypeStatusOnly: true
      case .resultTypeObjectIDs: deleted
      case .resultTypeCount: deleted.count
      }
    return NSBatchDeleteResult(result, resultType)
  }
}

/// The result of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// The answer, of the type given by ``resultType``.
  open private(set) var result: Any?
  /// The kind of the answer.
  open private(set) var resultType: NSBatchDeleteRequestResultType

  init(_ result: Any, _ resultType: NSBatchDeleteRequestResultType) {
    self.result = result
    self.resultType = resultType
  }

  /// Makes a result of nothing, for a program's own subclass.
  public override init() { resultType = .resultTypeStatusOnly }
}
