/// The objects that are registered with a context.
///
/// Invariant:
/// - Each object is registered under its present identity, and each identity has at most one object.
/// - An alias leads from a former temporary identity to the identity that replaced it, so both find the same object.
/// - Either all objects are held strongly, or none is. The entries of released objects are removed each time the number
///   of entries has doubled.
struct RegisteredObjects {
  private struct Entry {
    weak var object: NSManagedObject?
    /// The object itself if the entry holds it strongly.
    var retained: NSManagedObject?
  }

  private var entries: [NSManagedObjectID.Key: Entry] = [:]
  /// Present identities by former temporary ones: a child context may still use the former ones.
  private var aliases: [NSManagedObjectID.Key: NSManagedObjectID] = [:]
  /// When there are this many entries, those of released objects are removed.
  private var limit = 1024
  /// Whether all objects are held strongly.
  private(set) var areRetained = false

  var all: [NSManagedObject] { entries.values.compactMap(\.object) }

  /// The object that has an identity, or had it while it was temporary; nil if it is not registered.
  subscript(id: NSManagedObjectID) -> NSManagedObject? { entries[resolved(id).key]?.object }

  /// The present identity of an object that had a temporary one.
  func resolved(_ id: NSManagedObjectID) -> NSManagedObjectID {
    if aliases.isEmpty { return id }
    var id = id
    while id.isTemporaryID, let next = aliases[id.key] { id = next }
    return id
  }

  /// Registers an object under its identity.
  mutating func insert(_ object: NSManagedObject) {
    if entries.count >= limit {
      entries = entries.filter { $0.value.object != nil }
      limit = max(1024, 2 * entries.count)
    }
    entries[object.identity.key] = Entry(object: object, retained: areRetained ? object : nil)
  }

  mutating func remove(_ object: NSManagedObject) { entries[object.identity.key] = nil }

  mutating func removeAll() { entries = [:] }

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
  mutating func retain(_ areRetained: Bool) {
    self.areRetained = areRetained
    for (key, entry) in entries {
      entries[key] = entry.object.map { Entry(object: $0, retained: areRetained ? $0 : nil) }
    }
  }
}
