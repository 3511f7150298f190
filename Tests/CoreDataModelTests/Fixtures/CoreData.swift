// The declarations of CoreData that generated code uses, for the compiler only: no function is implemented.
@_exported import Foundation

@_marker public protocol NSFetchRequestResult: AnyObject {}

public final class NSEntityDescription: NSObject {}
public struct NSSnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
public final class NSManagedObjectContext: NSObject {}
public final class NSManagedObjectID: NSObject {}

public final class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
  public init(entityName: String) {}
}

open class NSManagedObject: NSObject, NSFetchRequestResult {
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}
  public convenience init(context: NSManagedObjectContext) {
    self.init(entity: NSEntityDescription(), insertInto: context)
  }

  @discardableResult
  open class func entity() -> NSEntityDescription { NSEntityDescription() }
  open func awakeFromInsert() {}
  open func awakeFromFetch() {}
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  open func prepareForDeletion() {}
  open func willSave() {}
  open func didSave() {}
  open func willTurnIntoFault() {}
  open func didTurnIntoFault() {}
  open func validateForInsert() throws {}
  open func validateForUpdate() throws {}
  open func validateForDelete() throws {}

  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(entityName: "") }

  public final subscript<Value>(_managed key: String) -> Value {
    get { preconditionFailure(key) }
    set { preconditionFailure(key) }
  }

  public func _addObject(_ object: NSManagedObject, to key: String) {}
  public func _removeObject(_ object: NSManagedObject, from key: String) {}
  public func _addObjects(_ objects: NSSet, to key: String) {}
  public func _removeObjects(_ objects: NSSet, from key: String) {}
  public func _insertObject(_ object: NSManagedObject, into key: String, at index: Int) {}
  public func _removeObject(from key: String, at index: Int) {}
  public func _insertObjects(_ objects: [NSManagedObject], into key: String, at indexes: NSIndexSet) {}
  public func _removeObjects(from key: String, at indexes: NSIndexSet) {}
  public func _replaceObject(in key: String, at index: Int, with object: NSManagedObject) {}
  public func _replaceObjects(in key: String, at indexes: NSIndexSet, with objects: [NSManagedObject]) {}
  public func _addOrderedObjects(_ objects: NSOrderedSet, to key: String) {}
  public func _removeOrderedObjects(_ objects: NSOrderedSet, from key: String) {}
}

@available(*, unavailable)
extension NSManagedObject: Sendable {}

nonisolated(unsafe) public var _models: [String] = []
nonisolated(unsafe) public var _paths: [@Sendable () -> [(AnyKeyPath, String)]] = []

public func _registerManagedObjectModel(
  _ name: String, current: String, versions: [(name: String, contents: String)], module: String
) {
  _models.append("\(name) \(current) \(versions.map(\.name)) \(module)")
}

public func _registerMappingModel(_ name: String, contents: String) {
  _models.append("\(name) \(contents.utf8.count)")
}

public func _registerKeyPaths(_ paths: @escaping @Sendable () -> [(AnyKeyPath, String)]) { _paths.append(paths) }
