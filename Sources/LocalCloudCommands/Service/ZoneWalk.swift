import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// A zone's changes over several pages. Each record occurs once, in its latest state.
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
  }

  private(set) var changes: [Change] = []
  /// Records that changed but can't be read.
  private(set) var failures: [ZoneChanges.Failure] = []
  private(set) var token: String
  private(set) var moreComing = true

  /// Fetches the changes. Stops after `limit` changes, or at the last page.
  init(_ target: ZoneTarget, since: String? = nil, keys: [String]? = nil, limit: Int = .max) throws(ServiceError) {
    var request = ZoneChangesRequest(scope: target.scope, zone: target.zone, since: since, desiredKeys: keys)
    token = since ?? ""
    while moreComing && changes.count + failures.count < limit {
      request.limit = min(limit - changes.count - failures.count, 400)
      let page = try target.service.feeds.zoneChanges(request, by: target.caller)
      changes += page.changed.map(Change.saved) + page.deleted.map(Change.deleted)
      failures += page.failed
      request.since = page.token
      token = page.token
      moreComing = page.moreComing
    }
    // Another process may have changed, between two pages, a record that an earlier page contained.
    var seen: Set<ExactName> = []
    changes = changes.reversed().filter { seen.insert($0.name).inserted }.reversed()
  }

  var records: [Record] {
    changes.compactMap { if case .saved(let record) = $0 { record } else { nil } }
  }

  /// Throws if there is a record that can't be read. Call it after the other records were printed.
  func check() throws {
    try Self.check(failures, beside: changes.count)
  }

  static func check(_ failures: [ZoneChanges.Failure], beside count: Int) throws {
    let named = failures.map { (name: $0.record.name.string, error: $0.error) }
    if let failure = CommandFailure(named, of: count + named.count, "records") { throw failure }
  }
}
