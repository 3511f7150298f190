import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// One account's requests to one zone.
struct ZoneClient: Sendable {
  let service: CloudService
  let caller: Caller
  var scope = DatabaseScope.private
  var zone: ZoneIdentifier

  /// The maximal number of records in one request.
  static let batch = 400

  init(_ service: CloudService, account: String, zone: ExactName, owner: String? = nil) {
    self.service = service
    caller = Caller(account: account, container: TemporaryCloud.container)
    scope = owner == nil ? .private : .shared
    self.zone = ZoneIdentifier(name: zone, owner: owner)
  }

  /// Creates a zone of alice's and a client for it.
  static func making(_ zone: ExactName, in cloud: TemporaryCloud) throws -> ZoneClient {
    let client = ZoneClient(cloud.service, account: "alice", zone: zone)
    let request = ModifyZonesRequest(scope: .private, saves: [client.zone])
    _ = try cloud.service.zones.modifyZones(request, by: client.caller).saves[0].get()
    return client
  }

  // MARK: Saving

  /// A note of typical size.
  func note(_ name: String, _ count: Int, under parent: String? = nil) -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: ExactName(name), zone: zone), type: "Note",
      fields: ["text": .string("A note of some length, as people write them."), "count": .int64(Int64(count))],
      parent: parent.map { .set(ExactName($0), zone: nil) } ?? .keep)
  }

  func save(_ saves: [RecordSave], policy: SavePolicy = .ifServerRecordUnchanged) throws {
    let request = ModifyRecordsRequest(scope: scope, saves: saves, policy: policy)
    for save in try service.records.modifyRecords(request, by: caller).saves { _ = try save.get() }
  }

  /// Saves notes with these numbers in full batches. Existing ones are overwritten.
  func fill(_ numbers: Range<Int>, stamp: Int = 0) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.batch) {
      let batch = start..<min(start + Self.batch, numbers.upperBound)
      try save(batch.map { note("note-\($0)", stamp) }, policy: .allKeys)
    }
  }

  /// Makes `count` saves of the first `live` notes in full batches, repeatedly. `each` runs each batch.
  func rewrite(_ count: Int, of live: Int, each: (() throws -> Void) throws -> Void = { try $0() }) throws {
    for start in stride(from: 0, to: count, by: Self.batch) {
      let saves = (start..<min(start + Self.batch, count)).map { note("note-\($0 % live)", $0) }
      try each { try save(saves, policy: .allKeys) }
    }
  }

  // MARK: Following

  /// Reads the feed to its end.
  func walk(since token: String? = nil) throws -> (changes: Int, token: String) {
    var (changes, token) = (0, token)
    while true {
      let page = try service.feeds.zoneChanges(ZoneChangesRequest(scope: scope, zone: zone, since: token), by: caller)
      changes += page.changed.count + page.deleted.count
      if !page.moreComing { return (changes, page.token) }
      token = page.token
    }
  }

  /// Measures a walk. Returns milliseconds; throws if the number of changes is not `count`.
  func timedWalk(since token: String? = nil, expecting count: Int) throws -> Double {
    var changes = 0
    let time = try milliseconds { changes = try walk(since: token).changes }
    guard changes == count else { throw UnexpectedResult(text: "the feed has \(changes) changes, not \(count)") }
    return time
  }
}
