import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Finds files among a database's subscriptions that are no subscriptions, or that this database can't have.
extension CheckService {
  func subscriptionProblems(in database: DatabaseFolder) throws -> [(name: String, problem: Problem)] {
    guard let scope = database.path.scope.first.flatMap(DatabaseScope.init(name:)),
      try database.directory.kind(of: SubscriptionFolder.folder) == .directory,
      let folder = try database.subscriptions()
    else { return [] }
    return try folder.names().compactMap { name in
      try problem(folder.path(of: name), "not a subscription of anybody's to something here") {
        guard let object = try folder.read(name) else { return true }
        return try isSubscription(object, name, database, scope)
      }.map { (name, $0) }
    }
  }

  private func isSubscription(
    _ object: JSONObject, _ name: String, _ database: DatabaseFolder, _ scope: DatabaseScope
  ) throws -> Bool {
    guard let stored = StoredSubscription(object, fileName: name) else { return false }
    switch (stored.subscription.kind, scope) {
    case (.query, .shared), (.zone, .shared), (.zone, .public), (.database, .public): return false
    case (.zone(let zone), .private):
      guard try cloud.zone(ZonePath(database: database.path, zone: zone.name)) != nil else { return false }
    default: break
    }
    guard let account = try service.repairs.readableAccount(stored.userRecordName) else {
      // Its account may be a damaged one, to be repaired first.
      return try hasDamagedAccounts()
    }
    return (scope == .public || account.name == database.path.scope.last)
      && StoredSubscription.fileName(stored.subscription.id, of: account, in: scope) == name
  }

  private func hasDamagedAccounts() throws -> Bool {
    let folder = try cloud.folder(Account.folder)
    return try folder.names(.file).filter { $0.hasSuffix(".json") }.contains { file in
      (try? folder.read(file)).flatMap { $0 }.flatMap(Account.init) == nil
    }
  }

  func repairSubscriptions(_ database: DatabaseFolder, _ aside: Quarantine) throws -> [Problem] {
    guard let folder = try database.directory.directoryIfPresent(SubscriptionFolder.folder) else { return [] }
    return try subscriptionProblems(in: database).filter { !$0.problem.isUnread }.map { name, problem in
      let moved = try aside.move(name, in: folder)
      return Problem(path: problem.path, text: "\(problem.text): it is in \(moved)")
    }
  }
}
