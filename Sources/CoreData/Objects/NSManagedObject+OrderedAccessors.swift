import Foundation

/// What generated accessors of ordered relationships call.
///
/// - Difference: ordered relationships are not here yet. A store of a model that has one is refused when it is opened,
///   so that no object with such a relationship can be saved; the accessors stop the process with the reason.
extension NSManagedObject {
  public final func _insertObject(_ object: NSManagedObject, into key: String, at place: Int) { refuseOrdered(key) }
  public final func _removeObject(from key: String, at place: Int) { refuseOrdered(key) }
  public final func _insertObjects(_ objects: [NSManagedObject], into key: String, at places: NSIndexSet) {
    refuseOrdered(key)
  }
  public final func _removeObjects(from key: String, at places: NSIndexSet) { refuseOrdered(key) }
  public final func _replaceObject(in key: String, at place: Int, with object: NSManagedObject) { refuseOrdered(key) }
  public final func _replaceObjects(in key: String, at places: NSIndexSet, with objects: [NSManagedObject]) {
    refuseOrdered(key)
  }
  public final func _addOrderedObjects(_ objects: NSOrderedSet, to key: String) { refuseOrdered(key) }
  public final func _removeOrderedObjects(_ objects: NSOrderedSet, from key: String) { refuseOrdered(key) }

  private func refuseOrdered(_ key: String) -> Never {
    raiseException("The relationship '\(key)' of \(entity.name ?? "") is ordered, which is not supported yet.")
  }
}
