import Foundation
import ObjectStore
import PredicateFormat

extension NSManagedObjectContext {
  /// The objects, identities, dictionaries or counts that a request asks for. Objects that the context has keep their
  /// values; what it changed and did not save counts as it is here, but in dictionaries.
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] { try results(of: request) }

  /// The same for a request that does not tell the type of its results, which can be cast.
  public func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    try results(of: request).map { $0 as AnyObject }
  }

  private func results<T: NSFetchRequestResult>(of request: NSFetchRequest<T>) throws -> [T] {
    ConcurrencyCheck.check(self)
    let plan = try FetchPlan(request, in: self)
    propagateDeletions()
    return try evaluating {
      switch request.resultType {
      case .managedObjectIDResultType: return try plan.ids().map { cast($0) }
      case .countResultType: return [cast(NSNumber(value: try plan.count()))]
      case .dictionaryResultType: return try DictionaryFetch(request, plan).results().map { cast($0) }
      default: return try plan.objects().map { cast($0) }
      }
    }
  }

  /// The number of results that a request would return.
  public func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    ConcurrencyCheck.check(self)
    let plan = try FetchPlan(request, in: self)
    propagateDeletions()
    return try evaluating {
      if request.resultType == .dictionaryResultType { return try DictionaryFetch(request, plan).results().count }
      return try plan.count()
    }
  }

  /// A predicate that can't be evaluated for the values of a changed object is an error, as it is for a row.
  private func evaluating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PredicateEvaluationError {
      throw CoreDataError.error(NSCoreDataError, reason: error.message)
    }
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
    } catch let error as PredicateEvaluationError {
      throw CoreDataError.error(NSCoreDataError, reason: error.message)
    }
  }

  func writing<Result>(_ body: (StoreTransaction) throws -> Result) throws -> (result: Result, commit: StoreCommit?) {
    do { return try objects.write(body) } catch let error as ObjectStoreError {
      throw CoreDataError.store(error, url: url)
    } catch let error as PredicateEvaluationError {
      throw CoreDataError.error(NSCoreDataError, reason: error.message)
    }
  }
}
