import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Follows the changes of a database, or of one of its zones, by the feeds that apps use.
struct ChangeFollower {
  /// A change of a zone or of a record.
  enum Change {
    case zoneSaved(ZoneIdentifier)
    case zoneDeleted(DatabaseChanges.Deletion)
    case record(ZoneWalk.Change)
    /// A record that changed but can't be read.
    case failed(ZoneChanges.Failure)
  }

  private var service: CloudService
  let caller: Caller
  let scope: DatabaseScope
  /// The followed zone; nil if all zones of the database are followed.
  private let zone: ZoneIdentifier?
  private var databaseToken: String?
  private var tokens: [ZoneIdentifier: String] = [:]
  /// Whether the cloud was replaced: a token that expires is no mistake of the user then.
  private var isReplaced = false

  /// Begins with the changes after `since`, or after now.
  ///
  /// - Parameter since: a token of the zone's feed, or without a zone of the database's. The zones that changed since a
  ///   token of the database are reported with all of their records, because the token is in none of them.
  init(
    _ service: CloudService, _ caller: Caller, _ scope: DatabaseScope, zone: ZoneIdentifier? = nil, since: String? = nil
  ) throws(ServiceError) {
    (self.service, self.caller, self.scope, self.zone) = (service, caller, scope, zone)
    if let zone {
      tokens[zone] = since
      if since == nil { try pass(zone) }
      return
    }
    databaseToken = since
    guard since == nil else { return }
    for zone in try changedZones().changed {
      do { try pass(zone) } catch {
        // The zone was deleted since. The next look reports it.
        guard Self.isDeletion(error) else { throw error }
      }
    }
  }

  /// A follower of a database that did not exist before: all of it is reported.
  init(new service: CloudService, _ caller: Caller, _ scope: DatabaseScope) {
    (self.service, self.caller, self.scope, zone) = (service, caller, scope, nil)
  }

  /// Goes on in the cloud that has replaced the present one. A token that is in none of its histories expires: then all
  /// that it covers is reported.
  mutating func goOn(in service: CloudService) {
    self.service = service
    isReplaced = true
  }

  var part: WatchedPart { zone.map { .zone($0, scope) } ?? .database(scope) }

  /// Calls `body` with each change since the last call, in the order of the feeds.
  mutating func forEachChange(_ body: (Change, ZoneIdentifier) throws -> Void) throws {
    if let zone { return try forEachRecord(of: zone, body) }
    let zones = try changedZones()
    for deletion in zones.deleted {
      tokens[deletion.zone] = nil
      try body(.zoneDeleted(deletion), deletion.zone)
    }
    for zone in zones.changed {
      if tokens[zone] == nil { try body(.zoneSaved(zone), zone) }
      do { try forEachRecord(of: zone, body) } catch let error as ServiceError where Self.isDeletion(error) {
        // The database's feed reports its deletion next.
      }
    }
  }

  private static func isDeletion(_ error: ServiceError) -> Bool {
    [.zoneNotFound, .userDeletedZone].contains(error.code)
  }

  private mutating func forEachRecord(
    of zone: ZoneIdentifier, _ body: (Change, ZoneIdentifier) throws -> Void
  ) throws {
    let known = tokens[zone]
    do {
      try pass(zone, body)
    } catch let error as ServiceError
      where error.code == .changeTokenExpired && known != nil && (self.zone == nil || isReplaced)
    {
      // The zone was deleted and made again in between, its old changes are forgotten, or it has another history.
      tokens[zone] = nil
      try pass(zone, body)
    }
  }

  /// Moves the zone's token past its last change.
  private mutating func pass(_ zone: ZoneIdentifier) throws(ServiceError) {
    do { try pass(zone) { _, _ in } } catch { throw ServiceError(describing: error) }
  }

  private mutating func pass(_ zone: ZoneIdentifier, _ body: (Change, ZoneIdentifier) throws -> Void) throws {
    var request = ZoneChangesRequest(scope: scope, zone: zone, since: tokens[zone], desiredKeys: [], limit: 400)
    while true {
      let page = try service.feeds.zoneChanges(request, by: caller)
      for record in page.changed { try body(.record(.saved(record)), zone) }
      for deletion in page.deleted { try body(.record(.deleted(deletion)), zone) }
      for failure in page.failed { try body(.failed(failure), zone) }
      request.since = page.token
      tokens[zone] = page.token
      if !page.moreComing { return }
    }
  }

  /// The zones that changed since the last call; at first all zones.
  private mutating func changedZones() throws(ServiceError) -> DatabaseChanges {
    do { return try zonesAfterToken() } catch {
      guard error.code == .changeTokenExpired, isReplaced, databaseToken != nil else { throw error }
    }
    databaseToken = nil
    var all = try zonesAfterToken()
    // A feed from the beginning has no deletions.
    let missing = Set(tokens.keys).subtracting(all.changed).sorted { $0.name < $1.name }
    all.deleted += missing.map { DatabaseChanges.Deletion(zone: $0, reason: .deleted) }
    return all
  }

  private mutating func zonesAfterToken() throws(ServiceError) -> DatabaseChanges {
    var all = DatabaseChanges(changed: [], deleted: [], token: "", moreComing: true)
    while all.moreComing {
      let request = DatabaseChangesRequest(scope: scope, since: databaseToken, limit: 400)
      let page = try service.feeds.databaseChanges(request, by: caller)
      all.changed += page.changed
      all.deleted += page.deleted
      all.moreComing = page.moreComing
      databaseToken = page.token
    }
    return all
  }
}
