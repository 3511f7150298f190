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
  private var bridged: NSSet?

  /// A new object's members: there are none.
  static var empty: ToManyMembers { ToManyMembers(all: []) }

  init() {}

  private init(all: Set<NSManagedObject>) { self.all = all }

  var isFault: Bool { all == nil }
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

  /// Sets the members that the store holds.
  mutating func load(_ stored: [NSManagedObject]) {
    all = Set(stored).subtracting(removed).union(added)
    bridged = nil
  }

  /// Returns false if the object was a member already, as far as is known.
  mutating func insert(_ object: NSManagedObject) -> Bool {
    if all?.contains(object) == true || added.contains(object) { return false }
    if removed.remove(object) == nil { added.insert(object) }
    all?.insert(object)
    bridged = nil
    return true
  }

  /// Returns false if the object was no member, as far as is known.
  mutating func remove(_ object: NSManagedObject) -> Bool {
    if let all, !all.contains(object) { return false }
    if removed.contains(object) { return false }
    if added.remove(object) == nil { removed.insert(object) }
    all?.remove(object)
    bridged = nil
    return true
  }

  /// Takes the differences as saved.
  mutating func didSave() { (added, removed) = ([], []) }

  /// Forgets the members, but not the differences.
  mutating func turnIntoFault() { (all, bridged) = (nil, nil) }

  /// The members as Apple's set; call after they were loaded.
  mutating func set() -> NSSet {
    if let bridged { return bridged }
    let set = NSSet(set: all ?? [])
    bridged = set
    return set
  }
}
