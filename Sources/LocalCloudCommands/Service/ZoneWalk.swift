import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// A zone's changes, page by page. A record that another process changes between two pages may be on both, the second
/// time in its latest state.
struct ZoneWalk {
  enum Change {
    case saved(Record)
    case deleted(ZoneChanges.Deletion)

    var name: ExactName {
      switch self {
      case .saved(let record): record.id.name
      case .deleted(let deletion): deletion.record.name
      }
    }

    /// Nil for a deletion.
    var record: Record? {
      if case .saved(let record) = self { record } else { nil }
    }
  }

  private let target: ZoneTarget
  private let limit: Int
  private var request: ZoneChangesRequest
  /// The number of changes so far.
  private(set) var count = 0
  /// Records that changed but can't be read.
  private(set) var failures: [ZoneChanges.Failure] = []
  private(set) var token: String
  private(set) var moreComing = true

  /// Stops after `limit` changes, or at the last page.
  init(_ target: ZoneTarget, since: String? = nil, keys: [String]? = nil, limit: Int = .max) {
    self.target = target
    self.limit = limit
    request = ZoneChangesRequest(scope: target.scope, zone: target.zone, since: since, desiredKeys: keys)
    token = since ?? ""
  }

  /// The changes on the next page; nil after the last page.
  mutating func next() throws(ServiceError) -> [Change]? {
    guard moreComing, count + failures.count < limit else { return nil }
    request.limit = min(limit - count - failures.count, 400)
    let page = try target.service.feeds.zoneChanges(request, by: target.caller)
    let changes = page.changed.map(Change.saved) + page.deleted.map(Change.deleted)
    count += changes.count
    failures += page.failed
    request.since = page.token
    token = page.token
    moreComing = page.moreComing
    return changes
  }

  /// Throws if there is a record that can't be read. Call it after the other records were printed.
  func check() throws {
    try Self.check(failures, beside: count)
  }

  static func check(_ failures: [ZoneChanges.Failure], beside count: Int) throws {
    let named = failures.map { (name: $0.record.name.string, error: $0.error) }
    if let failure = CommandFailure(named, of: count + named.count, "records") { throw failure }
  }
}
