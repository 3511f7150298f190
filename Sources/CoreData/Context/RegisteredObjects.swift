/// The objects that are registered with a context.
///
/// Invariant:
/// - Each object is registered under its present identity, and each identity has at most one object.
/// - An alias leads from a former temporary identity to the identity that replaced it, so both find the same object.
/// - Either all objects are held strongly, or none is. The entries of released objects are removed each time the number
///   of entries has doubled.
struct RegisteredObjects {
  private struct Entry { weak var object: NSManagedObject? }

  /// By the stores' identifiers, and the numbers of objects there.
  private var stored: [String: [Int64: Entry]] = [:]
  private var temporary: [NSManagedObjectID.Key: Entry] = [:]
  /// All objects, if they are held strongly.
  private var retained: Set<NSManagedObject>?
  /// Present identities by former temporary ones: a child context may still use the former ones.
  private var aliases: [NSManagedObjectID.Key: NSManagedObjectID] = [:]
  /// When there are this many entries, those of released objects are removed.
  private var limit = 1024

  /// Whether all objects are held strongly.
  var areRetained: Bool { retained != nil }

  private var count: Int { stored.values.reduce(temporary.count) { $0 + $1.count } }

  var all: [NSManagedObject] {
    stored.values.flatMap { $0.values.compactMap(\.object) } + temporary.values.compactMap(\.object)
  }

  /// The object that has an identity, or had it while it was temporary; nil if it is not registered.
  subscript(id: NSManagedObjectID) -> NSManagedObject? {
    switch resolved(id).key {
    case .permanent(let store, let number): stored[store]?[number]?.object
    case let key: temporary[key]?.object
    }
  }

  /// The present identity of an object that had a temporary one.
  func resolved(_ id: NSManagedObjectID) -> NSManagedObjectID {
    if aliases.isEmpty { return id }
    var id = id
    while id.isTemporaryID, let next = aliases[id.key] { id = next }
    return id
  }

  /// Registers an object under its identity.
  mutating func insert(_ object: NSManagedObject) {
    if count >= limit {
      for store in stored.keys { stored[store] = stored[store]?.filter { $0.value.object != nil } }
      temporary = temporary.filter { $0.value.object != nil }
      limit = max(1024, 2 * count)
    }
    set(Entry(object: object), object)
    retained?.insert(object)
  }

  mutating func remove(_ object: NSManagedObject) {
    set(nil, object)
    retained?.remove(object)
  }

  private mutating func set(_ entry: Entry?, _ object: NSManagedObject) {
    switch object.identity.key {
    case .permanent(let store, let number): stored[store, default: [:]][number] = entry
    case let key: temporary[key] = entry
    }
  }

  mutating func removeAll() {
    (stored, temporary) = ([:], [:])
    if areRetained { retained = [] }
  }

  /// Gives an object another identity, and registers it under that one.
  mutating func rename(_ object: NSManagedObject, to id: NSManagedObjectID) {
    remove(object)
    object.identity = id
    insert(object)
  }

  /// Makes a former temporary identity lead to the present one.
  mutating func addAlias(_ former: NSManagedObjectID, of present: NSManagedObjectID) { aliases[former.key] = present }

  /// Removes the aliases, because no other context uses a former identity.
  mutating func removeAliases() { aliases.removeAll() }

  /// Holds all objects strongly, or none.
  mutating func retain(_ areRetained: Bool) { retained = areRetained ? Set(all) : nil }
}
