import LocalCloudEmulator
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The changes that a mirrored store still has to send and to fetch.
struct MirrorProgress {
  private let overview: MirrorOverview
  private let service: CloudService
  /// The account that the store is mirrored for, in its container.
  private let caller: Caller
  private let user: String

  /// Throws if the account that the store is mirrored for is not in the cloud.
  init(_ overview: MirrorOverview, _ session: Session) throws {
    (self.overview, service) = (overview, session.service)
    user = overview.account.user ?? ""
    guard let account = try People(session).account(user) else {
      throw CommandFailure(
        .failure, code: "otherCloud", "the store is mirrored for the user \(user), whom this cloud does not have",
        hint: "--root names another cloud")
    }
    caller = Caller(
      account: account, container: overview.account.container ?? session.caller.container,
      environment: overview.account.environment.flatMap(CloudEnvironment.init) ?? session.caller.environment)
  }

  func watchedFolders() throws -> WatchedFolders {
    try service.watchedFolders(of: [.database(.private), .database(.shared)], by: caller)
  }

  // MARK: Sending

  /// The number of changes to send; nil if there are none.
  static func unsent(_ overview: MirrorOverview) -> String? {
    let links = overview.newLinks + overview.endingLinks
    if overview.waiting.isEmpty, links == 0 { return nil }
    let objects = overview.waiting.count == 1 ? "1 object waits" : "\(overview.waiting.count) objects wait"
    return links == 0 ? "\(objects) to be sent" : "\(objects) to be sent, and \(links) links"
  }

  // MARK: Fetching

  /// A change in the cloud that the store has not fetched; nil if there is none. The store's own changes follow its
  /// tokens, too; of these it has the change tags. The public database has no tokens.
  func unfetched(_ view: StoreView) throws -> String? {
    if overview.zones.allSatisfy({ $0.entry.location == .public }), !overview.zones.isEmpty { return nil }
    guard let token = overview.databaseToken else { return "the store has not fetched yet" }
    let (scope, zones) = try changedZones(since: token)
    for zone in zones where try hasUnfetched(zone, scope, view) {
      return "changes in zone \(zone.name) wait to be fetched"
    }
    return nil
  }

  /// The zones that changed since a token of the private database or of the shared one.
  private func changedZones(since token: String) throws -> (DatabaseScope, [ZoneIdentifier]) {
    do { return (.private, try changedZones(since: token, .private)) } catch {
      guard error.code == .changeTokenExpired else { throw error }
    }
    return (.shared, try changedZones(since: token, .shared))
  }

  private func changedZones(since token: String, _ scope: DatabaseScope) throws(ServiceError) -> [ZoneIdentifier] {
    var request = DatabaseChangesRequest(scope: scope, since: token)
    var zones: [ZoneIdentifier] = []
    while true {
      let page = try service.feeds.databaseChanges(request, by: caller)
      zones += page.changed + page.deleted.map(\.zone)
      request.since = page.token
      if !page.moreComing { return zones }
    }
  }

  private func hasUnfetched(_ zone: ZoneIdentifier, _ scope: DatabaseScope, _ view: StoreView) throws -> Bool {
    let isOwn = zone.owner == nil || zone.owner == user
    let location = ZoneLocation(zone: zone.name.string, owner: isOwn ? ZoneLocation.ownOwner : zone.owner ?? "")
    let entry = overview.zones.first { $0.entry.location == location }?.entry
    var request = ZoneChangesRequest(scope: scope, zone: zone, since: entry?.token, desiredKeys: [])
    while true {
      let page: ZoneChanges
      do { page = try service.feeds.zoneChanges(request, by: caller) } catch {
        // Of a deleted zone the store has nothing.
        if [.zoneNotFound, .userDeletedZone].contains(error.code) { return entry != nil }
        throw error
      }
      for record in page.changed where record.type != Record.shareType {
        let location = RecordLocation(location, record.id.name.string)
        if try view.row(key: LinkEntry.recordKey(location), in: .links) != nil { continue }
        let known = try view.record(at: location)
        if known?.tag != record.changeTag { return true }
      }
      for deletion in page.deleted {
        let location = RecordLocation(location, deletion.record.name.string)
        let known = try view.record(at: location)
        if known?.tag != nil { return true }
      }
      request.since = page.token
      if !page.moreComing { return false }
    }
  }
}
