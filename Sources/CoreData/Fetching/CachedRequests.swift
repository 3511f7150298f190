import LocalCloudObjectStore
import LocalCloudPredicateFormat
import Synchronization

/// The requests of controllers with a cache, by the caches' names.
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

  /// Notes a controller's request. False if it is another one than the controller's request of before, and that was not
  /// forgotten meanwhile.
  static func set(_ request: Request, for name: String, after before: Request?) -> Bool {
    requests.withLock { requests in
      if let before, before != request, requests[name] == before { return false }
      requests[name] = request
      return true
    }
  }

  /// Nil: all of them.
  static func forget(_ name: String?) {
    requests.withLock { requests in
      if let name { requests[name] = nil } else { requests = [:] }
    }
  }
}
