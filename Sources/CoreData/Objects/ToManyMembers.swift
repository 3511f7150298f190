import Foundation

/// The targets of a to-many relationship, as one context sees them.
///
/// Until they are read, only the differences from the store are stored: relating an object to another one must not
/// require reading the other's whole relationship.
struct ToManyMembers {
  /// All members; nil until they are read from the store.
  private(set) var all: Set<NSManagedObject>?
  /// The differences from the last save.
  private(set) var added: Set<NSManagedObject> = []
  private(set) var removed: Set<NSManagedObject> = []
  /// Nil for a relationship without an order.
  private(set) var order: MemberOrder?
  private var bridged: NSObject?

  /// The members of a new object: none.
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

  /// The members, in order if the relationship is ordered; call after they were loaded.
  var list: [NSManagedObject] { order?.list ?? Array(all ?? []) }

  /// The members that were added, in order if the relationship is ordered.
  var newcomers: [NSManagedObject] { order?.list.filter(added.contains) ?? Array(added) }

  /// The members as they were last saved; call after they were loaded.
  var committed: NSObject {
    if let stored = order?.stored { return NSOrderedSet(array: stored) }
    return NSSet(set: (all ?? []).subtracting(added).union(removed))
  }

  /// Sets the members that the store holds, in order if the relationship is ordered.
  mutating func load(_ stored: [NSManagedObject]) {
    all = Set(stored).subtracting(removed).union(added)
    order?.load(stored, removed: removed, added: added)
    bridged = nil
  }

  /// Adds a member; returns false if the object was a member already, as far as is known. The index is for an ordered
  /// relationship with loaded members; nil for the end.
  mutating func insert(_ object: NSManagedObject, at index: Int? = nil) -> Bool {
    if all?.contains(object) == true || added.contains(object) { return false }
    if removed.remove(object) == nil { added.insert(object) }
    all?.insert(object)
    order?.insert(object, at: index)
    bridged = nil
    return true
  }

  /// Removes a member; returns false if the object was not a member, as far as is known.
  mutating func remove(_ object: NSManagedObject) -> Bool {
    if let all, !all.contains(object) { return false }
    if removed.contains(object) { return false }
    if added.remove(object) == nil { removed.insert(object) }
    all?.remove(object)
    order?.remove(object)
    bridged = nil
    return true
  }

  /// Changes the order of the members of an ordered relationship.
  mutating func arrange(_ list: [NSManagedObject]) {
    order?.arrange(list)
    bridged = nil
  }

  /// Makes a set of the program follow the order; call after the members were loaded.
  mutating func follow(with set: MutableOrderedMembers) { order?.follower = set }

  /// Marks the differences as saved.
  mutating func didSave() {
    (added, removed) = ([], [])
    order?.didSave()
  }

  /// Releases the members, but not the differences.
  mutating func becomeFault() {
    order?.becomeFault(added: added)
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
