import Foundation

/// The kinds of answers of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it succeeded: `Bool`.
  case statusOnlyResultType = 0
  /// The object IDs of the objects that matched: `[NSManagedObjectID]`.
  case updatedObjectIDsResultType = 1
  /// The number of the objects that matched: `Int`.
  case updatedObjectsCountResultType = 2
}

/// Changes objects in the stores, without reading them into a context.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private final let name: String
  private final var described: NSEntityDescription?

  /// The entity is looked up in the model of the context that executes the request.
  public init(entityName: String) { name = entityName }

  /// Changes objects of an entity of the context's model.
  public init(entity: NSEntityDescription) {
    name = entity.name ?? ""
    described = entity
  }

  /// Makes a request without an entity. No context executes it.
  public override init() { name = "" }

  /// The name of the entity of the objects.
  open var entityName: String { name }

  /// The entity of the objects. Stops the process for a request that was created with a name and has not been executed.
  open var entity: NSEntityDescription {
    described ?? { raiseException("The batch update has no entity before it is executed.") }()
  }

  /// The condition for objects to change; nil for all.
  open var predicate: NSPredicate?

  /// Whether objects of subentities are changed, too.
  open var includesSubentities = true

  /// The new values, by the names or the descriptions of attributes and of relationships to one object. `NSNull` stands
  /// for nil. An `NSExpression` is evaluated for each object, with the object's values before the update:
  ///
  ///     request.propertiesToUpdate = ["views": NSExpression(format: "views + 1")]
  ///
  /// - Assumption: if an expression has a value that the attribute can't have, for example a text for a number, a
  ///   number beyond its range or one that is not finite, the request fails with ``NSCoreDataError`` and nothing is
  ///   changed. An expression may use paths over relationships; a relationship itself can be set only to a constant.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// The kind of the answer.
  open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  /// ``NSPersistentStoreRequestType/batchUpdateRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  /// An independent copy of the request.
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

/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// The answer, of the type given by ``resultType``.
  open private(set) var result: Any?
  /// The kind of the answer.
  open private(set) var resultType: NSBatchUpdateRequestResultType

  init(_ result: Any, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
  }

  /// Makes a result of nothing, for a program's own subclass.
  public override init() { resultType = .statusOnlyResultType }
}
