import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

extension NSManagedObject {
  /// What a fetched property found when it was first asked for; nil if the key is that of no fetched property.
  final func fetchedObjects(_ key: String) -> [NSManagedObject]? {
    guard let property = layout.fetched[key] else { return nil }
    guard let context, let request = property.request(for: self) else { return [] }
    if let known = objects[key] as? FetchedPropertyResult, known.isOf(property) { return known.ids.map(context.object) }
    do {
      let found = try context.fetch(request)
      objects[key] = FetchedPropertyResult(ids: found.map(\.identity), userInfo: property.userInfo)
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

/// The objects that a fetched property found. A program may change the user info of a property in use, to which the
/// predicate may refer: the property then fetches anew.
///
/// The result has identities, since an object that is among its own results would keep itself alive.
private struct FetchedPropertyResult {
  let ids: [NSManagedObjectID]
  let userInfo: [AnyHashable: Any]?

  func isOf(_ property: NSFetchedPropertyDescription) -> Bool {
    DescriptionEquality.areEqual(userInfo, property.userInfo)
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
