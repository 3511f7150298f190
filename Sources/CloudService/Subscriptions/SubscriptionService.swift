import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Subscriptions.
package struct SubscriptionService: ServiceSubject {
  let service: CloudService
}

/// A user's subscriptions in a database ([subscription-save-1] and following). They belong to the user, not to a
/// device.
extension SubscriptionService {
  /// - Assumption: IDs are unique for each user and database.
  package func modifySubscriptions(
    _ request: ModifySubscriptionsRequest, by caller: Caller
  ) throws(ServiceError) -> ModifySubscriptionsResponse {
    try perform(.modifySubscriptions, by: caller, on: RequestSubject(request), errors: RequestSubject.report) {
      let account = try service.accounts.account(of: caller)
      try NameRules.check(items: request.saves.count + request.deletes.count)
      let names = request.saves.map { ExactName($0.subscription.id) } + request.deletes.map { ExactName($0) }
      guard Set(names).count == names.count else {
        throw ServiceError.invalid("You can't save the same subscription twice")
      }
      let saves = request.saves.map { save in
        item { try saveSubscription(save, request.scope, account, caller) }
      }
      let deletes = request.deletes.map { id in
        item { try deleteSubscription(id, request.scope, account, caller) }
      }
      try settings.interceptor.afterCommit(.modifySubscriptions, caller)
      return ModifySubscriptionsResponse(saves: saves, deletes: deletes)
    }
  }

  private func item<Value>(_ body: () throws -> Value) -> Result<Value, ServiceError> {
    Result(catching: body).mapError(ServiceError.init(describing:))
  }

  /// Returns the caller's subscriptions with these IDs, each with its own outcome; nil: all.
  ///
  /// - Throws: `limitExceeded` for more than 400 IDs; errors of the account. An unknown ID is `unknownItem` in its
  ///   result.
  package func list(
    _ ids: [String]?, in scope: DatabaseScope, by caller: Caller
  ) throws(ServiceError) -> [Result<Subscription, ServiceError>] {
    try perform(
      .fetchSubscriptions, by: caller, on: RequestSubject(scope, subscriptions: ids), errors: RequestSubject.report
    ) {
      let account = try service.accounts.account(of: caller)
      guard let ids else {
        return try ownSubscriptions(in: service.zones.databasePath(scope, account: account.name, caller), of: account)
          .map { .success($0.subscription) }
      }
      try NameRules.check(items: ids.count)
      let folder = try cloud.database(service.zones.databasePath(scope, account: account.name, caller))?.subscriptions()
      return ids.map { id in
        item {
          let name = StoredSubscription.fileName(id, of: account, in: scope)
          guard let folder, let object = try folder.read(name) else { throw ServiceError.unknownSubscription(id) }
          guard let stored = StoredSubscription(object, fileName: name), stored.subscription.id.hasSameBytes(as: id)
          else { throw StorageError.damaged(path: folder.path(of: name), reason: "not the subscription '\(id)'") }
          guard stored.userRecordName == account.userRecordName else { throw ServiceError.unknownSubscription(id) }
          return stored.subscription
        }
      }
    }
  }

  /// The account's subscriptions, by ID.
  private func ownSubscriptions(in path: DatabasePath, of account: Account) throws -> [StoredSubscription] {
    let all = try cloud.database(path)?.storedSubscriptions() ?? []
    return all.filter { $0.userRecordName == account.userRecordName }
      .sorted { ExactName($0.subscription.id) < ExactName($1.subscription.id) }
  }

  // MARK: Single subscriptions

  private func saveSubscription(
    _ save: ModifySubscriptionsRequest.Save, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws -> Subscription {
    let subscription = try checked(save, scope, account, caller)
    let path = service.zones.databasePath(scope, account: account.name, caller)
    guard case .zone(let zone) = subscription.kind else {
      return try cloud.withSubscriptions(of: path, waitPolicy(caller)) { folder in
        try put(subscription, scope, account, path, folder)
      }
    }
    guard let store = try cloud.zone(service.zones.address(zone, in: scope, as: account, caller).path) else {
      throw ServiceError.zoneNotFound(zone)
    }
    // Under the zone's lock, so that a concurrent deletion of the zone also removes this subscription.
    return try store.locked(waitPolicy(caller)) {
      try cloud.withSubscriptions(of: path, waitPolicy(caller)) { folder in
        try put(subscription, scope, account, path, folder)
      }
    }
  }

  /// - Assumption: a subscription that the database can't have is `invalidArguments`, a zone that does not exist
  ///   `zoneNotFound`, an ID that is unknown `unknownItem`.
  private func checked(
    _ save: ModifySubscriptionsRequest.Save, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws -> Subscription {
    if let refusal = save.refusal { throw refusal }
    var result = save.subscription
    try NameRules.check(ExactName(result.id), what: "A subscription's ID", allowsUnderscore: true)
    switch (result.kind, scope) {
    case (.query(var query), .public), (.query(var query), .private):
      try check(query, caller)
      query.zone = try query.zone.map { try service.zones.address($0, in: scope, as: account, caller).identifier }
      result.kind = .query(query)
    case (.zone(let zone), .private):
      let address = try service.zones.address(zone, in: scope, as: account, caller)
      guard !address.isDefault else {
        throw ServiceError.invalid("The default zone can't have a zone subscription")
      }
      result.kind = .zone(address.identifier)
    case (.database, .private), (.database, .shared):
      break
    case (.query, .shared), (.zone, .shared), (.zone, .public), (.database, .public):
      throw ServiceError.invalid("The \(scope.name) database can't have a \(result.typeName) subscription")
    }
    try result.recordType.map { if $0 != Record.shareType { try NameRules.check(type: $0) } }
    try check(result.notification, result)
    return result
  }

  /// - Assumption: a subscription's predicate is checked like a query's when the subscription is saved, not later. One
  ///   that needs a type, a field or an index that production lacks is `invalidArguments` there, and so is one without
  ///   a predicate for a type without a queryable `recordName`.
  private func check(_ query: SubscriptionQuery, _ caller: Caller) throws {
    try QueryService.checkQueried(type: query.recordType)
    let schema = try service.schemas.storedSchema(caller.container, caller.environment)
    let asked = Query(recordType: query.recordType, condition: query.condition)
    let isStrict = service.queries.isStrict(caller.environment)
    do throws(ServiceError) {
      try schema.check(asked, container: caller.container, isStrict: isStrict)
    } catch {
      guard isStrict, error.internalCode == 2015 || schema.lacksType(or: asked) else { throw error }
      throw ServiceError(
        .invalidArguments, "attempting to create a subscription in a production container", internalCode: 2006,
        hint: "\(error.message). \(error.hint ?? "") `localcloud schema deploy` brings what development has.")
    }
    guard !query.fires.isDisjoint(with: .changes) else {
      throw ServiceError.invalid("A query subscription must fire on creations, updates or deletions")
    }
  }

  /// - Assumption: a subscription with more than three desired keys is `invalidArguments`.
  private func check(_ notification: NotificationInfo?, _ subscription: Subscription) throws {
    guard let keys = notification?.desiredKeys, !keys.isEmpty else { return }
    guard case .query(let query) = subscription.kind else {
      throw ServiceError.invalid("cannot add additionalFields to this subscription type")
    }
    guard keys.count <= NotificationInfo.mostDesiredKeys else {
      throw ServiceError.invalid("A push carries at most \(NotificationInfo.mostDesiredKeys) desired keys")
    }
    for key in keys { try NameRules.check(key: key, type: query.recordType) }
  }

  /// Writes the subscription. Call it with the folder's lock held.
  private func put(
    _ subscription: Subscription, _ scope: DatabaseScope, _ account: Account, _ path: DatabasePath,
    _ folder: DocumentFolder
  ) throws -> Subscription {
    let all = try ownSubscriptions(in: path, of: account)
    let (own, others) = (
      all.filter { $0.subscription.id.hasSameBytes(as: subscription.id) },
      all.filter { !$0.subscription.id.hasSameBytes(as: subscription.id) }
    )
    if own.contains(where: { $0.subscription == subscription }) { return subscription }
    if let same = others.first(where: { $0.subscription.isSame(as: subscription) }) {
      throw ServiceError(
        .serverRejectedRequest, "subscription is duplicate of '\(same.subscription.id)'", internalCode: 2032,
        hint: "The database has a subscription with the same content under another ID.")
    }
    let stored = StoredSubscription(subscription, of: account, in: scope, token: newIdentifier(8))
    if let other = try folder.read(stored.fileName)?["subscriptionID"]?.string,
      !other.hasSameBytes(as: subscription.id)
    {
      throw StorageError.nameCollision(path: folder.directory.path(of: stored.fileName), name: subscription.id)
    }
    try folder.write(stored.object, stored.fileName)
    return subscription
  }

  private func deleteSubscription(
    _ id: String, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws {
    let path = service.zones.databasePath(scope, account: account.name, caller)
    guard try cloud.database(path)?.subscriptions() != nil else { throw ServiceError.unknownSubscription(id) }
    try cloud.withSubscriptions(of: path, waitPolicy(caller)) { folder in
      let own = try ownSubscriptions(in: path, of: account).first { $0.subscription.id.hasSameBytes(as: id) }
      guard let own else { throw ServiceError.unknownSubscription(id) }
      try folder.remove(own.fileName)
    }
  }

  /// Removes all subscriptions of an account that is being removed.
  func removeSubscriptions(of account: Account) throws {
    for container in try cloud.containers() { try removeSubscriptions(in: container, of: account) }
  }

  /// Removes subscriptions in the databases of a container.
  ///
  /// - Parameters:
  ///   - environment: nil for both environments.
  ///   - account: nil for the subscriptions of all accounts.
  ///   - isPreview: only calls `each`.
  ///   - each: called after each removal.
  func removeSubscriptions(
    in container: ExactName, _ environment: CloudEnvironment? = nil, of account: Account? = nil,
    isPreview: Bool = false, each: () -> Void = {}
  ) throws {
    try cloud.forEachDatabase(of: container) { database in
      if let environment, database.path.environment != environment.rawValue { return }
      func meant() throws -> [StoredSubscription] {
        try database.storedSubscriptions().filter { account == nil || $0.userRecordName == account?.userRecordName }
      }
      let found = try meant()
      if isPreview { for _ in found { each() } }
      if isPreview || found.isEmpty { return }
      try cloud.withSubscriptions(of: database.path, waitPolicy(nil)) { folder in
        for stored in try meant() {
          try folder.remove(stored.fileName)
          each()
        }
      }
    }
  }
}

extension ServiceError {
  static func unknownSubscription(_ id: String) -> ServiceError {
    ServiceError(
      .unknownItem, "Subscription not found: '\(id)'", internalCode: 2003,
      hint: "`localcloud subscription list` shows those there are, also with --database.")
  }
}
