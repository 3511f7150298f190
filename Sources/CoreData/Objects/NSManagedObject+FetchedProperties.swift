import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

extension NSManagedObject {
  /// The objects that a fetched property found when it was first read; nil if the key is not that of a fetched
  /// property.
  final func fetchedObjects(_ key: String) -> [NSManagedObject]? {
    guard let property = layout.fetched[key] else { return nil }
    guard let context else { return [] }
    if let known = objects[key] as? FetchedPropertyResult, known.isOf(property) { return known.ids.map(context.object) }
    guard let request = property.request(for: self) else { return [] }
    do {
      let found = try context.fetch(request)
      objects[key] = FetchedPropertyResult(ids: found.map(\.identity), userInfo: property.userInfo)
      return found
    } catch {
      // As with relationships, there are no objects for now, and the object can't be saved before it is refreshed.
      readError = error
      return []
    }
  }

  /// Makes fetched properties fetch again.
  final func forgetFetched() {
    for key in layout.fetched.keys { objects[key] = nil }
  }
}

/// The objects that a fetched property found. A program may change the user info of a property in use. The predicate
/// may refer to the user info, so the property then fetches again.
///
/// The result has identities, since an object that is among its own results would retain itself.
private struct FetchedPropertyResult {
  let ids: [NSManagedObjectID]
  let userInfo: [AnyHashable: Any]?

  func isOf(_ property: NSFetchedPropertyDescription) -> Bool {
    DescriptionEquality.areEqual(userInfo, property.userInfo)
  }
}

extension NSFetchedPropertyDescription {
  /// The request for an object. The object's values in the predicate are read now, not while a store is read.
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
