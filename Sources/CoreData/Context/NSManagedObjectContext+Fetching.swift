import Foundation
import ObjectStore

extension NSManagedObjectContext {
  /// The objects, identities or counts that a request asks for. Objects that the context has keep their values; what it
  /// changed and did not save counts as it is here.
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    ConcurrencyCheck.check(self)
    try refuseUnsupported(request)
    let plan = try FetchPlan(request, in: self)
    propagateDeletions()
    switch request.resultType {
    case .managedObjectIDResultType: return try plan.ids().map { cast($0) }
    case .countResultType: return [cast(NSNumber(value: try plan.count()))]
    default:
      let objects = try plan.objects()
      if !request.returnsObjectsAsFaults { for object in objects { object.fire() } }
      return objects.map { cast($0) }
    }
  }

  /// The number of objects that a request would return.
  public func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    ConcurrencyCheck.check(self)
    try refuseUnsupported(request)
    propagateDeletions()
    return try FetchPlan(request, in: self).count()
  }

  private func refuseUnsupported<T>(_ request: NSFetchRequest<T>) throws {
    let isUnsupported =
      request.resultType == .dictionaryResultType || request.propertiesToGroupBy != nil
      || request.havingPredicate != nil
    guard isUnsupported else { return }
    throw CoreDataError.error(
      NSPersistentStoreUnsupportedRequestTypeError, reason: "Fetching dictionaries and groups is not supported yet.")
  }

  /// A result as the type that the request names. Where that is the protocol, no cast can be asked for.
  private func cast<T: NSFetchRequestResult>(_ result: AnyObject) -> T {
    if T.self == (any NSFetchRequestResult).self { return reinterpreted(result) }
    guard let typed = result as? T else {
      raiseException("Could not cast a fetched \(type(of: result)) to \(T.self).")
    }
    return typed
  }
}

extension NSPersistentStore {
  /// Reads the store; its errors become those that programs know.
  func reading<Result>(_ body: (StoreView) throws -> Result) throws -> Result {
    do { return try objects.read(body) } catch let error as ObjectStoreError {
      throw CoreDataError.store(error, url: url)
    }
  }

  func writing<Result>(_ body: (StoreTransaction) throws -> Result) throws -> (result: Result, commit: StoreCommit?) {
    do { return try objects.write(body) } catch let error as ObjectStoreError {
      throw CoreDataError.store(error, url: url)
    }
  }
}
