import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Change feeds: the changes since a token in a database and in its zones.
package struct FeedService: ServiceSubject {
  let service: CloudService
}

/// The database feed: the changed zones, each once.
extension FeedService {
  /// Returns one page of the zones that changed since a token.
  ///
  /// - Throws: `badDatabase` for the public database; `changeTokenExpired` for a token that is not valid for this feed;
  ///   `invalidArguments` for a negative limit; errors of the account.
  package func databaseChanges(
    _ request: DatabaseChangesRequest, by caller: Caller
  ) throws(ServiceError) -> DatabaseChanges {
    try perform(.databaseChanges, by: caller, on: RequestSubject(request.scope)) {
      try NameRules.check(container: caller.container)
      guard request.scope != .public else {
        throw ServiceError(.badDatabase, "The public database keeps no changes", internalCode: 1027)
      }
      let account = try service.accounts.account(of: caller)
      try NameRules.check(limit: request.limit)
      let limit = request.limit > 0 ? min(request.limit, Self.maximumPage) : Self.defaultPage
      let folder = try cloud.database(service.zones.databasePath(request.scope, account: account.name, caller))
      guard let text = request.since else { return try walk(folder, nil, request.scope, limit, account, caller) }
      let token = try OpaqueToken(text)
      guard isOurs(token, "database", request.scope, account, caller),
        token["history"] == cloud.properties["history"], let position = position(of: token)
      else { throw ServiceError.tokenExpired }
      if token["walked"] != nil { return try walk(folder, token, request.scope, limit, account, caller) }
      return try changes(folder, position, request.scope, limit, account, caller)
    }
  }

  func position(of token: OpaqueToken) -> DatabaseChangeLog.Position? {
    guard let era = token["era"]?.integer, let sequence = token["sequence"]?.integer else { return nil }
    return DatabaseChangeLog.Position(era: era, sequence: sequence)
  }

  private func token(
    _ position: DatabaseChangeLog.Position, walked: ZoneIdentifier? = nil, _ scope: DatabaseScope, _ account: Account,
    _ caller: Caller
  ) -> String {
    var object = tokenBase("database", scope, account, caller)
    object["history"] = cloud.properties["history"]
    object["era"] = .integer(position.era)
    object["sequence"] = .integer(position.sequence)
    if let walked { object["walked"] = .object(walked.object) }
    return OpaqueToken.text(object)
  }

  /// A walk through every existing zone, by name, for a request without a token. The token of a page holds the last
  /// zone of that page.
  private func walk(
    _ folder: DatabaseFolder?, _ token: OpaqueToken?, _ scope: DatabaseScope, _ limit: Int, _ account: Account,
    _ caller: Caller
  ) throws -> DatabaseChanges {
    let begin: DatabaseChangeLog.Position
    if let position = token.flatMap(position(of:)) {
      begin = position
    } else {
      // The position is taken before the zones are listed, so that a concurrent change is reported twice rather than
      // never.
      begin =
        try folder?.log.position(all: { try folder?.mentionable() ?? [] }, waitPolicy(caller))
        ?? DatabaseChangeLog.Position(era: 1, sequence: 0)
    }
    var zones = Set(try visibleZones(folder, scope, account))
    if token == nil, let folder {
      zones.formUnion(try zonesUnderWay(folder, scope, account, caller, listed: zones))
    }
    let after = token?["walked"]?.object.flatMap(ZoneIdentifier.init)
    let rest = zones.filter { zone in after.map { precedes($0, zone) } ?? true }.sorted(by: precedes)
    let page = rest.prefix(limit)
    let more = page.count < rest.count
    return DatabaseChanges(
      // A zone that is being deleted was mentioned before the token's position. If it were reported as changed, no
      // later page would report its deletion.
      changed: try folder.map { folder in try page.filter { try ending(of: $0, scope, account, caller) == nil } } ?? [],
      deleted: [], token: self.token(begin, walked: more ? page.last : nil, scope, account, caller), moreComing: more)
  }

  /// Zones of incomplete commits that have already written their mention. The database does not list these zones yet,
  /// and a feed from a token after the mention would never report them.
  private func zonesUnderWay(
    _ folder: DatabaseFolder, _ scope: DatabaseScope, _ account: Account, _ caller: Caller, listed: Set<ZoneIdentifier>
  ) throws -> [ZoneIdentifier] {
    guard scope == .shared else {
      try cloud.waitForCreation(in: folder.path, waitPolicy(caller))
      return try visibleZones(folder, scope, account)
    }
    let mentioned = try folder.log.mentions(after: DatabaseChangeLog.Position(era: 0, sequence: 0)) ?? []
    return try Set(mentioned.map { zone($0, account) }).subtracting(listed).filter {
      try ending(of: $0, scope, account, caller) == nil
    }
  }

  private func precedes(_ left: ZoneIdentifier, _ right: ZoneIdentifier) -> Bool {
    if left.name != right.name { return left.name < right.name }
    return ExactName(left.owner ?? "") < ExactName(right.owner ?? "")
  }

  func visibleZones(
    _ folder: DatabaseFolder?, _ scope: DatabaseScope, _ account: Account
  ) throws -> [ZoneIdentifier] {
    guard let folder else { return [] }
    if scope == .shared { return try folder.pointers().compactMap { SharedZonePointer($0)?.zone } }
    return try folder.zones().filter { $0 != ZoneIdentifier.defaultName }
      .map { ZoneIdentifier(name: $0, owner: account.userRecordName) }
  }

  private func changes(
    _ folder: DatabaseFolder?, _ since: DatabaseChangeLog.Position, _ scope: DatabaseScope, _ limit: Int,
    _ account: Account,
    _ caller: Caller
  ) throws -> DatabaseChanges {
    guard let folder else {
      guard since.sequence == 0 else { throw ServiceError.tokenExpired }
      return DatabaseChanges(changed: [], deleted: [], token: token(since, scope, account, caller), moreComing: false)
    }
    let now = try folder.log.position(all: { try folder.mentionable() }, waitPolicy(caller))
    guard let mentions = try folder.log.mentions(after: since) else { throw ServiceError.tokenExpired }
    var result = DatabaseChanges(changed: [], deleted: [], token: "", moreComing: false)
    // Each zone is reported at its last mention, so that a page's token skips no zone.
    var last: [ZoneIdentifier: Int64] = [:]
    // A new era of the log mentions every existing zone; default zones have no feed.
    for mention in mentions where ExactName(mention.zone) != ZoneIdentifier.defaultName {
      last[zone(mention, account)] = mention.sequence
    }
    var position = DatabaseChangeLog.Position(
      era: now.era, sequence: mentions.last?.sequence ?? max(since.sequence, now.sequence))
    if mentions.isEmpty { position.sequence = min(since.sequence, now.sequence) }
    for (zone, sequence) in last.sorted(by: { $0.value < $1.value }) {
      if result.changed.count + result.deleted.count == limit {
        result.moreComing = true
        break
      }
      if let reason = try ending(of: zone, scope, account, caller) {
        result.deleted.append(DatabaseChanges.Deletion(zone: zone, reason: reason))
      } else {
        result.changed.append(zone)
      }
      if result.changed.count + result.deleted.count == limit { position.sequence = sequence }
    }
    result.token = token(position, scope, account, caller)
    return result
  }

  func zone(_ mention: DatabaseChangeLog.Mention, _ account: Account) -> ZoneIdentifier {
    ZoneIdentifier(name: ExactName(mention.zone), owner: mention.owner ?? account.userRecordName)
  }

  /// The reason for a zone's deletion, as this account sees it; nil if the zone exists.
  ///
  /// Waits for the commit that wrote a mention: the mention is written before the deletion or the new pointer that it
  /// announces.
  ///
  /// - Assumption: when an owner's keys are reset, or the owner deletes the app's data in Settings, participants'
  ///   databases show plain deletions of the zones.
  func ending(
    of zone: ZoneIdentifier, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws -> DatabaseChanges.DeletionReason? {
    do {
      let address = try service.zones.address(zone, in: scope, as: account, caller)
      guard let store = try cloud.zoneAfterCreation(address.path, waitPolicy(caller)) else {
        return try service.zones.ending(of: address)
      }
      return try store.read(waitPolicy(caller)) { view in
        guard scope == .shared else { return nil }
        guard let pointer = try service.sharing.pointer(of: account.name, address, view) else { return .deleted }
        let isReset = try pointer.grants.contains { try service.sharing.hasLostKey(account, $0.share, address, view) }
        return isReset ? .encryptedDataReset : nil
      }
    } catch let error as ServiceError where error.code == .zoneNotFound {
      return .deleted
    } catch StoreError.zoneMissing {
      let address = try service.zones.address(zone, in: scope, as: account, caller)
      return try cloud.zoneAfterCreation(address.path, waitPolicy(caller)) == nil
        ? service.zones.ending(of: address) : nil
    }
  }
}
