import Foundation

/// A property of an object that the program accesses through a mutable collection.
struct MemberAccess {
  let object: NSManagedObject
  let key: String

  init(_ object: NSManagedObject, _ key: String) { (self.object, self.key) = (object, key) }

  /// The last key of a key path, for the object that the other keys lead to.
  init(_ object: NSManagedObject, keyPath: String) {
    var object = object
    var keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = keys.removeLast()
    for key in keys {
      guard let next = object.value(forKey: key) as? NSManagedObject else {
        raiseException("The key path '\(keyPath)' leads to no object at '\(key)' of \(object.entity.name ?? "").")
      }
      object = next
    }
    self.init(object, last)
  }

  // MARK: Collections

  func mutableSet() -> NSMutableSet {
    _ = toManyIndex(isOrdered: false, "mutableSetValueForKey:")
    return MutableMembers(self)
  }

  func mutableOrderedSet() -> NSMutableOrderedSet {
    let index = toManyIndex(isOrdered: true, "mutableOrderedSetValueForKey:")
    return object.toManys[index].order?.follower ?? MutableOrderedMembers(self)
  }

  /// The index of a to-many relationship, after the object was read.
  private func toManyIndex(isOrdered: Bool, _ method: String) -> Int {
    guard case .toMany(let index)? = object.layout.property(key),
      object.layout.toManys[index].isOrdered == isOrdered
    else { refuse(method) }
    return object.toManyIndex(key)
  }

  func refuse(_ method: String) -> Never {
    if object.layout.property(key) == nil { UnmodeledValues.refuse(key, of: object) }
    raiseException(
      "NSManagedObjects of entity '\(object.entity.name ?? "")' do not support -\(method) for the property '\(key)'")
  }

  // MARK: Functions for the collections

  var members: [NSManagedObject] {
    let index = object.toManyIndex(key)
    object.load(index)
    return object.toManys[index].list
  }

  func contains(_ member: NSManagedObject) -> Bool {
    let index = object.toManyIndex(key)
    object.load(index)
    return object.toManys[index].all?.contains(member) ?? false
  }

  /// Adds or removes a member. A value that is not an object raises an exception.
  func set(_ member: Any, _ isMember: Bool) { object.setMember(required(member), of: key, isMember) }

  func required(_ member: Any) -> NSManagedObject {
    let values = RelationshipValues(owner: object, key: key)
    guard let found = values.object(member) else { values.raiseUnacceptable(member) }
    return found
  }
}

/// Foundation's exceptions for indexes that an ordered set does not have.
enum OrderedIndexes {
  static func require(_ index: Int, upTo last: Int, _ method: String) {
    if index >= 0, index <= last { return }
    let bounds = last < 0 ? "for empty ordered set" : "[0 .. \(last)]"
    raiseException(
      "*** -[NSMutableOrderedSet \(method)]: index \(index) beyond bounds \(bounds)", name: "NSRangeException")
  }

  static func require(_ count: Int, for indexes: NSIndexSet, _ method: String) {
    guard count != indexes.count else { return }
    raiseException(
      "*** -[NSMutableOrderedSet \(method)]: count of array (\(count)) differs from count of index set "
        + "(\(indexes.count))")
  }
}
