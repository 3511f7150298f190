import Foundation

/// What a batch update answers.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it succeeded: `Bool`.
  case statusOnlyResultType = 0
  /// The identities of the objects that matched: `[NSManagedObjectID]`.
  case updatedObjectIDsResultType = 1
  /// The number of the objects that matched: `Int`.
  case updatedObjectsCountResultType = 2
}

/// Changes objects in the stores, without reading them into a context.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private final let name: String
  private final var described: NSEntityDescription?

  /// The entity is looked up in the model of the context that executes the request.
  public init(entityName: String) {
    name = entityName
    super.init()
  }

  /// Changes objects of an entity, which is to be one of the context's model.
  public init(entity: NSEntityDescription) {
    name = entity.name ?? ""
    described = entity
    super.init()
  }

  /// The name of the entity of the objects.
  open var entityName: String { name }

  /// The entity of the objects. Stops the process for a request that was made with a name and has not been executed.
  open var entity: NSEntityDescription {
    described ?? { raiseException("The batch update has no entity before it is executed.") }()
  }

  /// Which objects are changed; nil for all.
  open var predicate: NSPredicate?

  /// Whether objects of entities that inherit from the entity are changed, too.
  open var includesSubentities = true

  /// The new values, by the names or the descriptions of attributes and of relationships to one object. `NSNull` stands
  /// for nil. An `NSExpression` is evaluated for each object, with the values that it had before:
  ///
  ///     request.propertiesToUpdate = ["views": NSExpression(format: "views + 1")]
  ///
  /// - Assumption: where an expression has a value that the attribute can't have, such as a text for a number, a number
  ///   beyond its range or one that is not finite, the request fails with ``NSCoreDataError`` and nothing is changed. An
  ///   expression may lead over relationships; a relationship itself can be set only to a constant.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// What is answered.
  open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  /// ``NSPersistentStoreRequestType/batchUpdateRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  /// A request for the same, which can be changed by itself.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSBatchUpdateRequest(entityName: name)
    copy.described = described
    copy.affectedStores = affectedStores
    copy.predicate = predicate
    copy.includesSubentities = includesSubentities
    copy.propertiesToUpdate = propertiesToUpdate
    copy.resultType = resultType
    return copy
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    described = described ?? context.model.entitiesByName[name]
    let updated = try BatchUpdate(request: self, context: context).run()
    let result: Any =
      switch resultType {
      case .statusOnlyResultType: true
      case .updatedObjectIDsResultType: updated
      case .updatedObjectsCountResultType: updated.count
      }
    return NSBatchUpdateResult(result, resultType)
  }
}

/// What a batch update did.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// What was asked for, of the type that ``resultType`` tells.
  open private(set) var result: Any?
  /// What was asked for.
  open private(set) var resultType: NSBatchUpdateRequestResultType

  init(_ result: Any, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
