import LocalCloudObjectStore
import LocalCloudPredicateFormat
import Synchronization

/// The requests of controllers with a cache, by cache name.
enum CachedRequests {
  struct Request: Equatable, Sendable {
    private var entity: String
    private var predicate: PredicateTree?
    private var sort: [StoreSort]
    private var sections: String?

    init(_ plan: FetchPlan, _ sections: String?) {
      (entity, predicate, sort) = (plan.entity.name ?? "", plan.predicate, plan.sort)
      self.sections = sections
    }
  }

  private static let requests = Mutex<[String: Request]>([:])

  /// Registers a controller's request under a cache name.
  /// - Parameter before: the request that the controller registered last.
  /// - Returns: false if `request` differs from `before` and the cache with `before` was not deleted since then.
  static func set(_ request: Request, for name: String, after before: Request?) -> Bool {
    requests.withLock { requests in
      if let before, before != request, requests[name] == before { return false }
      requests[name] = request
      return true
    }
  }

  /// Deletes the request of one cache; nil deletes all.
  static func forget(_ name: String?) {
    requests.withLock { requests in
      if let name { requests[name] = nil } else { requests = [:] }
    }
  }
}
