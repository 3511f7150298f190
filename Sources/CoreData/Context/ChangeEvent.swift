/// The changes that one ``Notification/Name/NSManagedObjectContextObjectsDidChange`` reports.
struct ChangeEvent {
  var inserted = Set<NSManagedObject>()
  var updated = Set<NSManagedObject>()
  var deleted = Set<NSManagedObject>()
  private(set) var refreshed = Set<NSManagedObject>()
  /// The objects that a reset made invalid; nil if there was no reset.
  var allInvalidated: [NSManagedObjectID]?
  /// The changed properties of refreshed objects. An object that lost its values has no entry.
  private(set) var refreshedKeys: [NSManagedObject: Set<String>] = [:]

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && allInvalidated == nil
  }

  /// The objects of the event, each one once. A reset has only identities.
  var objects: Set<NSManagedObject> { inserted.union(updated).union(deleted).union(refreshed) }

  /// Adds an object with newer values, or without values.
  ///
  /// - Parameter names: the properties with other values; nil if they are not known.
  mutating func refresh(_ object: NSManagedObject, _ names: Set<String>?) {
    refreshed.insert(object)
    if let names { refreshedKeys[object, default: []].formUnion(names) }
  }
}
