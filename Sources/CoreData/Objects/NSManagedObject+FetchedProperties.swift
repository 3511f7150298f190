import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

extension NSManagedObject {
  /// What a fetched property found when it was first asked for; nil if the key is that of no fetched property.
  final func fetchedObjects(_ key: String) -> [NSManagedObject]? {
    guard let property = layout.fetched[key] else { return nil }
    guard let context, let request = property.request(for: self) else { return [] }
    // Identities, since an object that is among its own results would keep itself alive.
    if let known = objects[key] as? [NSManagedObjectID] { return known.map(context.object) }
    do {
      let found = try context.fetch(request)
      objects[key] = found.map(\.identity)
      return found
    } catch {
      // As with relationships, there are none for now, and the object is not saved before it is refreshed.
      readError = error
      return []
    }
  }

  /// Has fetched properties fetch anew.
  final func forgetFetched() {
    for key in layout.fetched.keys { objects[key] = nil }
  }
}

extension NSFetchedPropertyDescription {
  /// The request for an object. What the predicate asks of the object is looked up now, and not while a store is read.
  fileprivate func request(for object: NSManagedObject) -> NSFetchRequest<NSManagedObject>? {
    guard let request = fetchRequest?.converted(to: NSManagedObject.self) else { return nil }
    request.resultType = .managedObjectResultType
    if let tree = request.predicate?.tree {
      let values = ["FETCH_SOURCE": object.predicateValue, "FETCHED_PROPERTY": PredicateValue(object: self)]
      request.predicate = PredicateArchive.predicate(tree: tree.substituting(values).resolvingConstants())
    }
    return request
  }
}
