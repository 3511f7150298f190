import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Plans the pushes of a change ([push-fire-1] and following).
///
/// - Assumption: a commit fires a zone or database subscription once, for any number of changed records, and a query
///   subscription once for each record.
/// - Assumption: a change of a participant's access to a zone, and the end of a zone, fire database subscriptions with
///   any record type as filter.
/// - Assumption: in the public database, a query subscription fires only for records that its user may read.
final class PushPlanner {
  private let change: ZoneChange
  private let writer: PushWriter
  private lazy var recordChanges = Result { try readRecordChanges() }
  /// The grants of the public database; nil elsewhere.
  private lazy var grants = Result { try change.service.schemas.grants(address, change.caller) }

  /// Create it after all other effects of the change are planned.
  ///
  /// - Parameter reachingSender: whether the caller's device gets pushes as well, because it did not make the change
  ///   itself.
  init(_ change: ZoneChange, reachingSender: Bool = false) {
    self.change = change
    writer = PushWriter(
      change.service, change.caller, sender: reachingSender ? nil : change.stamp.deviceID, change.address)
  }

  private var address: ZoneAddress { change.address }
  private var transaction: ZoneTransaction { change.transaction }

  /// - Parameter tellingOwner: whether the change concerns the zone's owner as well.
  func plan(removingZone: Bool = false, tellingOwner: Bool = true) throws {
    guard !transaction.isEmpty else { return }
    if address.role == .publicUser {
      try fireQueries(in: address.path.database, .public)
      return
    }
    if tellingOwner, let owner = address.ownerAccount { try fireOwn(of: owner, removingZone) }
    for viewer in change.viewers.sorted() { try fireShared(of: viewer, removingZone) }
  }
  private func fireQueries(in database: DatabasePath, _ scope: DatabaseScope) throws {
    for stored in try transaction.zone.database(database)?.storedSubscriptions() ?? [] {
      guard case .query(let query) = stored.subscription.kind, let account = try change.account(stored.userRecordName)
      else {
        continue
      }
      try fire(stored, query, of: account, in: database, scope)
    }
  }

  private func fire(
    _ stored: StoredSubscription, _ query: SubscriptionQuery, of account: Account, in database: DatabasePath,
    _ scope: DatabaseScope
  ) throws {
    guard query.zone == nil || query.zone?.name == address.path.zone else { return }
    let matcher = try matcher(query, account)
    for change in try recordChanges.get()
    where change.record.type == query.recordType && query.fires.contains(change.reason.option) {
      guard try grants.get().allowReading(change.record, by: account, self.change.caller),
        passes(change, query, matcher)
      else { continue }
      guard let push = try writer.push(for: stored, of: account, in: database, scope, change: change) else { return }
      transaction.push(push)
      if push.once != nil { return }
    }
  }

  private func matcher(_ query: SubscriptionQuery, _ account: Account) throws -> QueryMatcher {
    let isAboutWords = query.condition.filters.contains { $0.key == nil }
    let schema =
      try isAboutWords ? change.service.schemas.storedSchema(change.caller.container, change.caller.environment) : nil
    return QueryMatcher(
      query.condition, in: address.identifier, user: account.userRecordName, rules: change.service.settings.queries,
      type: schema?.types[query.recordType])
  }

  /// Whether the record passes the condition in its present state, or, if it was deleted, in its last one. An
  /// unreadable record passes no filter.
  private func passes(_ change: RecordChange, _ query: SubscriptionQuery, _ matcher: QueryMatcher) -> Bool {
    if query.condition == .always { return true }
    return (try? Record(change.record, zone: address.identifier)).map(matcher.matches) ?? false
  }

  /// Fires the owner's subscriptions in the private database.
  private func fireOwn(of owner: String, _ removingZone: Bool) throws {
    let database = address.path.database
    let all = try transaction.zone.database(database)?.storedSubscriptions() ?? []
    guard !all.isEmpty, let account = try change.account(address.identifier.owner), account.name == owner else {
      return
    }
    for stored in all where stored.userRecordName == account.userRecordName {
      switch stored.subscription.kind {
      case .query(let query):
        if !removingZone { try fire(stored, query, of: account, in: database, .private) }
      case .zone(let zone):
        guard zone.name == address.path.zone else { continue }
        if removingZone {
          transaction.withdraw(writer.reference(to: stored, in: database))
        } else if try matches(stored.subscription.recordType, { _ in true }) {
          try notify(stored, of: account, in: database, .private)
        }
      case .database:
        guard !address.isDefault else { continue }
        if try removingZone || matches(stored.subscription.recordType, { _ in true }) {
          try notify(stored, of: account, in: database, .private)
        }
      }
    }
  }

  /// Fires a participant's subscriptions in the shared database.
  private func fireShared(of viewer: String, _ removingZone: Bool) throws {
    let database = address.path.database.beside(.shared, of: viewer)
    let after = try Membership(transaction)
    for stored in try transaction.zone.database(database)?.storedSubscriptions() ?? [] {
      guard case .database = stored.subscription.kind, let account = try change.account(stored.userRecordName),
        account.name == viewer
      else { continue }
      let isMatch =
        try removingZone || change.affectedAccounts.contains(viewer)
        || matches(stored.subscription.recordType) { try isSeen($0, by: account, after) }
      if isMatch { try notify(stored, of: account, in: database, .shared) }
    }
  }

  private func notify(
    _ stored: StoredSubscription, of account: Account, in database: DatabasePath, _ scope: DatabaseScope
  ) throws {
    if let push = try writer.push(for: stored, of: account, in: database, scope) { transaction.push(push) }
  }

  private func matches(_ type: String?, _ isSeen: (RecordChange) throws -> Bool) throws -> Bool {
    guard let type else { return true }
    return try recordChanges.get().contains { try $0.record.type == type && isSeen($0) }
  }

  /// Whether the participant could see the record before the change, or can see it after.
  private func isSeen(_ change: RecordChange, by account: Account, _ after: Membership) throws -> Bool {
    return try [self.change.before.share(of: change.name), after.share(of: change.name)].contains { share in
      guard let share, let found = try transaction.share(share) ?? transaction.view.share(share) else { return false }
      return found.details.joined.contains { $0.identity.userRecordName == account.userRecordName }
    }
  }

  /// The changes of records, without those that only moved a tag.
  private func readRecordChanges() throws -> [RecordChange] {
    try transaction.changedRecords.compactMap { name in
      if transaction.isTouchedOnly(name) { return nil }
      return RecordChange(name, before: try transaction.view.record(name), after: try transaction.record(name))
    }
  }
}

extension PushService {
  /// The pushes that announce a new zone.
  func pushes(ofNewZone address: ZoneAddress, of account: Account, _ caller: Caller) throws -> [PlannedPush] {
    let database = address.path.database
    let writer = PushWriter(service, caller, sender: caller.device(of: account), address)
    return try (cloud.database(database)?.storedSubscriptions() ?? []).compactMap { stored in
      guard case .database = stored.subscription.kind, stored.subscription.recordType == nil,
        stored.userRecordName == account.userRecordName
      else { return nil }
      return try writer.push(for: stored, of: account, in: database, .private)
    }
  }
}
