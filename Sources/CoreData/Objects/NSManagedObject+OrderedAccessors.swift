import Foundation

/// The functions that generated accessors of ordered relationships call.
extension NSManagedObject {
  /// Inserts an object at an index. An object that is a member already stays at its index.
  public final func _insertObject(_ object: NSManagedObject, into key: String, at index: Int) {
    let relationship = orderedIndex(key)
    OrderedIndexes.require(index, upTo: toManys[relationship].list.count, "insertObject:atIndex:")
    setMember(object, of: key, true, at: index)
  }

  /// Removes the object at an index of an ordered relationship.
  public final func _removeObject(from key: String, at index: Int) {
    let list = orderedList(key)
    OrderedIndexes.require(index, upTo: list.count - 1, "removeObjectAtIndex:")
    setMember(list[index], of: key, false)
  }

  /// Inserts objects. The indexes are the final ones of the objects.
  public final func _insertObjects(_ objects: [NSManagedObject], into key: String, at indexes: NSIndexSet) {
    OrderedIndexes.require(objects.count, for: indexes, "insertObjects:atIndexes:")
    for (object, index) in zip(objects, indexes) { _insertObject(object, into: key, at: index) }
  }

  /// Removes the objects at some indexes of an ordered relationship.
  public final func _removeObjects(from key: String, at indexes: NSIndexSet) {
    let list = orderedList(key)
    if indexes.count > 0 { OrderedIndexes.require(indexes.lastIndex, upTo: list.count - 1, "removeObjectsAtIndexes:") }
    for index in indexes { setMember(list[index], of: key, false) }
  }

  /// - Assumption: an object that is a member already, at another index, replaces none.
  public final func _replaceObject(in key: String, at index: Int, with object: NSManagedObject) {
    let list = orderedList(key)
    OrderedIndexes.require(index, upTo: list.count - 1, "replaceObjectAtIndex:withObject:")
    guard !list.contains(object) else { return }
    setMember(list[index], of: key, false)
    setMember(object, of: key, true, at: index)
  }

  /// Replaces the objects at some indexes of an ordered relationship.
  public final func _replaceObjects(in key: String, at indexes: NSIndexSet, with objects: [NSManagedObject]) {
    OrderedIndexes.require(objects.count, for: indexes, "replaceObjectsAtIndexes:withObjects:")
    for (object, index) in zip(objects, indexes) { _replaceObject(in: key, at: index, with: object) }
  }

  /// Adds objects at the end of an ordered relationship.
  public final func _addOrderedObjects(_ objects: NSOrderedSet, to key: String) {
    for case let object as NSManagedObject in objects { setMember(object, of: key, true) }
  }

  /// Removes objects from an ordered relationship.
  public final func _removeOrderedObjects(_ objects: NSOrderedSet, from key: String) {
    for case let object as NSManagedObject in objects { setMember(object, of: key, false) }
  }

  // MARK: The whole order

  /// Changes the order of the members, as a change by the program.
  final func rearrange(_ index: Int, by list: [NSManagedObject]) {
    let key = layout.toManys[index].name
    willChangeValue(forKey: key)
    arrange(index, by: list)
    didChangeValue(forKey: key)
  }

  /// The index of an ordered relationship, after its members were read.
  final func orderedIndex(_ key: String) -> Int {
    let index = toManyIndex(key)
    guard toManys[index].order != nil else {
      raiseException("The relationship '\(key)' of \(entity.name ?? "") is not ordered.")
    }
    load(index)
    return index
  }

  final func orderedList(_ key: String) -> [NSManagedObject] { toManys[orderedIndex(key)].list }
}
