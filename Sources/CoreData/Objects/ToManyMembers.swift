import Foundation

/// The targets of a relationship to many objects, as one context sees them.
///
/// Until somebody asks for them, only the differences from the store are kept: relating an object to another must not
/// cost what the other's whole relationship holds.
struct ToManyMembers {
  /// All members; nil until they are read from the store.
  private(set) var all: Set<NSManagedObject>?
  /// The differences from the last save.
  private(set) var added: Set<NSManagedObject> = []
  private(set) var removed: Set<NSManagedObject> = []
  /// Nil for a relationship without an order.
  private(set) var order: MemberOrder?
  private var bridged: NSObject?

  /// A new object's members: there are none.
  static func empty(isOrdered: Bool) -> ToManyMembers {
    ToManyMembers(all: [], order: isOrdered ? .empty : nil)
  }

  /// The members of an object of the store.
  static func unread(isOrdered: Bool) -> ToManyMembers {
    ToManyMembers(all: nil, order: isOrdered ? MemberOrder() : nil)
  }

  private init(all: Set<NSManagedObject>?, order: MemberOrder?) { (self.all, self.order) = (all, order) }

  var isFault: Bool { all == nil }

  var hasChanges: Bool {
    if !added.isEmpty || !removed.isEmpty { return true }
    if case .none? = order?.difference(added: added) { return false }
    return order != nil
  }

  /// The members, in order if they have one; call after they were loaded.
  var list: [NSManagedObject] { order?.list ?? Array(all ?? []) }

  /// The members that were added, in order if they have one.
  var newcomers: [NSManagedObject] { order?.list.filter(added.contains) ?? Array(added) }

  /// The members as they were last saved; call after they were loaded.
  var committed: NSObject {
    if let stored = order?.stored { return NSOrderedSet(array: stored) }
    return NSSet(set: (all ?? []).subtracting(added).union(removed))
  }

  /// Sets the members that the store holds, in order if they have one.
  mutating func load(_ stored: [NSManagedObject]) {
    all = Set(stored).subtracting(removed).union(added)
    order?.load(stored, removed: removed, added: added)
    bridged = nil
  }

  /// Returns false if the object was a member already, as far as is known. `place`: in an ordered relationship whose
  /// members are loaded; nil for the end.
  mutating func insert(_ object: NSManagedObject, at place: Int? = nil) -> Bool {
    if all?.contains(object) == true || added.contains(object) { return false }
    if removed.remove(object) == nil { added.insert(object) }
    all?.insert(object)
    order?.insert(object, at: place)
    bridged = nil
    return true
  }

  /// Returns false if the object was no member, as far as is known.
  mutating func remove(_ object: NSManagedObject) -> Bool {
    if let all, !all.contains(object) { return false }
    if removed.contains(object) { return false }
    if added.remove(object) == nil { removed.insert(object) }
    all?.remove(object)
    order?.remove(object)
    bridged = nil
    return true
  }

  /// Gives the members of an ordered relationship another order.
  mutating func arrange(_ list: [NSManagedObject]) {
    order?.arrange(list)
    bridged = nil
  }

  /// Has a set of the program's follow the order; call after the members were loaded.
  mutating func follow(with set: MutableOrderedMembers) { order?.follower = set }

  /// Takes the differences as saved.
  mutating func didSave() {
    (added, removed) = ([], [])
    order?.didSave()
  }

  /// Forgets the members, but not the differences.
  mutating func turnIntoFault() {
    order?.turnIntoFault(added: added)
    (all, bridged) = (nil, nil)
  }

  /// The members as Apple's set, or ordered set; call after they were loaded.
  mutating func set() -> NSObject {
    if let bridged { return bridged }
    let set: NSObject = order.map { NSOrderedSet(array: $0.list) } ?? NSSet(set: all ?? [])
    bridged = set
    return set
  }
}
