import Foundation

/// The result of ``NSManagedObject/mutableSetValue(forKey:)``: the present members of a relationship, and a way to
/// change them.
///
/// - Difference: on Linux `as? Set<…>` converts it to an empty set: Foundation there reads only sets of its own
///   classes. Use its `allObjects`, or the value of the property.
final class MutableMembers: NSMutableSet {
  private let access: MemberAccess

  init(_ access: MemberAccess) {
    self.access = access
    super.init(capacity: 0)
  }

  // Foundation requires them. Without an object, the set can't be created.
  override init(objects: UnsafePointer<AnyObject>!, count cnt: Int) { Self.refuse() }
  required init(capacity numItems: Int) { Self.refuse() }

  private static func refuse() -> Never {
    raiseException("The members of a relationship have no other initializer than -mutableSetValueForKey:.")
  }

  // The primitive methods that all others use.
  override var count: Int { access.members.count }

  override func member(_ object: Any) -> Any? {
    guard let wanted = object as? NSManagedObject else { return nil }
    return access.contains(wanted) ? wanted : nil
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: access.members).objectEnumerator() }
  override func add(_ object: Any) { access.set(object, true) }
  override func remove(_ object: Any) {
    if object is NSManagedObject { access.set(object, false) }
  }

  // A copy for the methods that read the storage of Foundation's own class.
  private var present: NSSet { NSSet(array: access.members) }

  override func isEqual(_ value: Any?) -> Bool { present.isEqual((value as? MutableMembers)?.present ?? value) }
  override func copy(with zone: NSZone? = nil) -> Any { present }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: access.members) }
  override func description(withLocale locale: Locale?) -> String { present.description(withLocale: locale) }
}
