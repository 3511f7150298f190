import Foundation

/// The kinds of answers of a batch insertion.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it succeeded: `Bool`.
  case statusOnly = 0
  /// The object IDs of the new objects: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// The number of new objects: `Int`.
  case count = 2
}

/// Inserts objects into a store, without registering them with a context.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  private final let name: String
  private final var described: NSEntityDescription?

  /// A request without an entity. It can't be executed.
  @available(*, deprecated, message: "Use init(entityName:objects:) or init(entity:objects:)")
  public override convenience init() { self.init(entityName: "", objects: []) }

  /// The entity is looked up in the model of the context that executes the request.
  ///
  /// - Parameter dictionaries: The values of each object's attributes by their names.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    name = entityName
    objectsToInsert = dictionaries
  }

  /// - Parameter dictionaries: The values of each object's attributes by their names.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    name = entity.name ?? ""
    described = entity
    objectsToInsert = dictionaries
  }

  /// Inserts objects one by one with values that a block provides: see ``dictionaryHandler``.
  ///
  /// The context that executes the request looks the entity up in its model, and calls the block on its queue.
  public convenience init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entityName, objects: [])
    (objectsToInsert, dictionaryHandler) = (nil, handler)
  }

  /// Inserts objects that a block fills, one by one: see ``managedObjectHandler``.
  ///
  /// The context that executes the request looks the entity up in its model, and calls the block on its queue.
  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(entityName: entityName, objects: [])
    (objectsToInsert, managedObjectHandler) = (nil, handler)
  }

  /// Inserts objects one by one with values that a block provides: see ``dictionaryHandler``.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entity: entity, objects: [])
    (objectsToInsert, dictionaryHandler) = (nil, handler)
  }

  /// Inserts objects that a block fills, one by one: see ``managedObjectHandler``.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(entity: entity, objects: [])
    (objectsToInsert, managedObjectHandler) = (nil, handler)
  }

  /// The name of the entity of the objects.
  open var entityName: String { name }

  /// The entity of the objects; nil for a request that was created with a name and has not been executed.
  open var entity: NSEntityDescription? { described }

  /// The values of each object's attributes by their names.
  open var objectsToInsert: [[String: Any]]?

  /// Puts the next object's values into an empty dictionary. True means that there is no further object, and ends the
  /// insertion.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// Sets the next object's values. True means that there is no further object, and ends the insertion.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// The kind of the answer.
  open var resultType = NSBatchInsertRequestResultType.statusOnly

  /// ``NSPersistentStoreRequestType/batchInsertRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  /// An independent copy of the request.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSBatchInsertRequest(entityName: name, objects: [])
    copy.described = described
    copy.affectedStores = affectedStores
    copy.objectsToInsert = objectsToInsert
    copy.dictionaryHandler = dictionaryHandler
    copy.managedObjectHandler = managedObjectHandler
    copy.resultType = resultType
    return copy
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    described = described ?? context.model.entitiesByName[name]
    let inserted = try BatchInsert(request: self, context: context).run()
    let result: Any =
      switch resultType {
      case .statusOnly: true
      case .objectIDs: inserted
      case .count: inserted.count
      }
    return NSBatchInsertResult(result, resultType)
  }
}

/// The result of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// The answer, of the type given by ``resultType``.
  open private(set) var result: Any?
  /// The kind of the answer.
  open private(set) var resultType: NSBatchInsertRequestResultType

  init(_ result: Any, _ resultType: NSBatchInsertRequestResultType) {
    self.result = result
    self.resultType = resultType
  }

  /// Makes a result of nothing, for a program's own subclass.
  public override init() { resultType = .statusOnly }
}
