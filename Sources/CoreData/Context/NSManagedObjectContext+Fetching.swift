import Foundation

extension NSManagedObjectContext {
  /// The objects, identities, dictionaries or counts that a request asks for. Objects that the context has already
  /// retain their values. The context's unsaved changes count, except in dictionaries.
  ///
  /// - Throws: the error of a store that can't be read, or ``NSCoreDataError`` if a predicate can't be evaluated.
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    if let type = T.self as? NSManagedObject.Type, let name = request.entity?.name ?? request.entityName {
      model.entitiesByName[name]?.learn(type)
    }
    let found: [Any] = try fetch(reinterpreted(request) as NSFetchRequest<any NSFetchRequestResult>)
    return found.map { cast($0 as AnyObject) }
  }

  /// The number of results that a request would return.
  ///
  /// - Throws: the error of a store that can't be read, or ``NSCoreDataError`` if a predicate can't be evaluated.
  public func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    try count(for: reinterpreted(request) as NSFetchRequest<any NSFetchRequestResult>)
  }

  /// The results of a request, as objects.
  func results(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> [AnyObject] {
    ConcurrencyCheck.check(self)
    let plan = try FetchPlan(request, in: self)
    applyRenames()
    propagateDeletions()
    // The context's changes are evaluated in memory. The evaluation may fail, like that of a row.
    return try CoreDataError.translating {
      switch request.resultType {
      case .managedObjectIDResultType: return try plan.ids()
      case .countResultType: return [NSNumber(value: try plan.count())]
      case .dictionaryResultType: return try DictionaryFetch(request, plan).results()
      default: return try plan.objects()
      }
    }
  }

  /// The number of results of a request.
  func resultCount(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    ConcurrencyCheck.check(self)
    let plan = try FetchPlan(request, in: self)
    applyRenames()
    propagateDeletions()
    return try CoreDataError.translating {
      if request.resultType == .dictionaryResultType { return try DictionaryFetch(request, plan).results().count }
      return try plan.count()
    }
  }

  private func cast<T: NSFetchRequestResult>(_ result: AnyObject) -> T { FetchedResult.cast(result, to: T.self) }
}
