import Foundation

/// What ``NSManagedObject/mutableSetValue(forKey:)`` gives: the members of a relationship as they are, and a way to change
/// them.
///
/// - Difference: on Linux `as? Set<…>` makes an empty set of it: Foundation there reads sets of its own classes only. Ask
///   for its `allObjects`, or for the value of the property.
final class MutableMembers: NSMutableSet {
  private let access: MemberAccess

  init(_ access: MemberAccess) {
    self.access = access
    super.init(capacity: 0)
  }

  // Foundation requires them. Nobody can make such a set without an object.
  override init(objects: UnsafePointer<AnyObject>!, count cnt: Int) { Self.refuse() }
  required init(capacity numItems: Int) { Self.refuse() }

  private static func refuse() -> Never {
    raiseException("The members of a relationship have no other initializer than -mutableSetValueForKey:.")
  }

  // What all other methods are made of.
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

  // What Foundation looks up in what a set of its own class stores.
  private var present: NSSet { NSSet(array: access.members) }

  override func isEqual(_ value: Any?) -> Bool { present.isEqual((value as? MutableMembers)?.present ?? value) }
  override func copy(with zone: NSZone? = nil) -> Any { present }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: access.members) }
  override func description(withLocale locale: Locale?) -> String { present.description(withLocale: locale) }
}
