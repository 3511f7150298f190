import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The effects of a reset of development.
package struct DevelopmentReset: Sendable, Hashable {
  /// The changes of the schema.
  package var changes: [SchemaChange] = []
  /// The deleted zones, including default zones; those were only emptied. The public database's zone has no owner.
  package var zones: [EnvironmentZone] = []
  package var records = 0
  package var subscriptions = 0
}

/// The reset of development to a copy of production ([schema-reset-1]).
extension SchemaService {
  /// Makes development's schema equal to production's, and deletes all data in development: zones, records, shares and
  /// subscriptions of all users, and the members of custom roles. Production does not change. During the reset, a lock
  /// prevents other processes from writing to the cloud. After an interruption, a second call does the rest.
  ///
  /// - Difference: change tokens of databases stay valid after a reset of development, and their feeds list the deleted
  ///   zones; tokens of zones are `zoneNotFound`, or `changeTokenExpired` once the zone is created again.
  /// - Assumption: a reset of development deletes subscriptions, and no user gets a push for it.
  ///
  /// - Throws: `serverResponseLost` if a part of the data is deleted.
  package func resetDevelopment(by caller: Caller) throws(ServiceError) -> DevelopmentReset {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      let caller = Caller(account: nil, container: caller.container, environment: .development)
      let production = try storedSchema(caller.container, .production)
      var reset = DevelopmentReset()
      do {
        // Data is deleted first: a schema that declares more than the data needs does no harm.
        try schemaFile(caller.container, .development).change(waitPolicy(caller), alone: true) { bytes in
          reset.changes = try parsed(bytes, caller.container, .development).changes(to: production)
          try forgetSubscriptions(caller, &reset)
          try service.accounts.removeMembers(ofAllRolesBut: [], caller)
          try emptyPublicDatabase(caller, &reset)
          for account in try service.accounts.allAccounts() { try deleteZones(of: account, caller, &reset) }
          return (reset.changes.isEmpty ? nil : Array(production.text.utf8), ())
        }
      } catch  where !reset.zones.isEmpty || reset.subscriptions > 0 {
        throw ServiceError.halfDone("Development is reset only in part", error, hint: "Reset it again")
      }
      return reset
    }
  }

  private func forgetSubscriptions(_ caller: Caller, _ reset: inout DevelopmentReset) throws {
    try cloud.forEachDatabase(of: ExactName(caller.container)) { database in
      guard database.path.environment == caller.environment.rawValue else { return }
      let all = try database.storedSubscriptions()
      if all.isEmpty { return }
      try cloud.withSubscriptions(of: database.path, waitPolicy(caller)) { folder in
        for stored in all {
          try folder.remove(stored.fileName)
          reset.subscriptions += 1
        }
      }
    }
  }

  /// Deletes all records of the public database, including users' records of type `Users`. Requests for those create
  /// them again.
  private func emptyPublicDatabase(_ caller: Caller, _ reset: inout DevelopmentReset) throws {
    let address = try service.zones.address(.default, in: .public, as: nil, caller)
    var count = 0
    let isAffected = try service.zones.inZone(address, caller) { transaction in
      let names = try transaction.view.allRecords()
      for name in names { try transaction.delete(name) }
      if !transaction.isEmpty { try transaction.commit(waitPolicy(caller)) }
      count = names.count
      return !names.isEmpty
    }
    guard isAffected else { return }
    reset.records += count
    reset.zones.append(EnvironmentZone(environment: caller.environment, zone: address.identifier))
  }

  private func deleteZones(of account: Account, _ caller: Caller, _ reset: inout DevelopmentReset) throws {
    let caller = caller.by(account)
    var (zones, records) = (reset.zones, reset.records)
    // Deleted zones are reported even if a later step fails.
    defer { (reset.zones, reset.records) = (zones, records) }
    try service.zones.changeOwnZones(of: account, caller, affected: &zones) { change in
      let count = try change.transaction.view.allRecords().count
      try ZoneEnding(change: change).clear(sparingUser: false)
      guard !change.transaction.isEmpty else { return false }
      records += count
      return true
    }
    // A zone that was purged, or that a reset of its owner's keys removed, counts as deleted from now on.
    let database = service.zones.databasePath(.private, account: account.name, caller)
    for zone in try cloud.database(database)?.tombstones() ?? [] {
      let address = try service.zones.address(ZoneIdentifier(name: zone), in: .private, as: account, caller)
      guard try service.zones.ending(of: address) != .deleted else { continue }
      _ = try cloud.setEnding(DatabaseChanges.DeletionReason.deleted.rawValue, of: address.path, waitPolicy(caller))
    }
  }
}
